import { setTimeout as delay } from 'node:timers/promises';

import { createRandom } from './random';
import type { ServiceName } from './service';

/** The ways in which a service can be told to misbehave. */
export const weatherKinds = [
	'429',
	'500',
	'503',
	'drop',
	'slow',
	'truncate',
	'html',
	'content-type',
] as const;
export type WeatherKind = (typeof weatherKinds)[number];

export interface WeatherRule {
	service: ServiceName;
	/** An operationId; every operation of the service when absent. */
	operation?: string;
	kind: WeatherKind;
	/** Seconds, `'date'` for an HTTP date two seconds ahead, or any text to be sent as it is. */
	retryAfter?: number | string;
	/** How many calls it hits; all of them until cleared when absent. */
	times?: number;
	/** The share of calls it hits, 0 to 1; all of them when absent. */
	share?: number;
	/** How long to wait before answering. 1,000 for `slow` unless told, else 0. */
	delayMs?: number;
	/** True: the request takes effect and only its answer is lost. Only for 429, 5xx, drop, html. */
	after?: boolean;
}

/** What the sandbox was told to do wrong. The first rule that fits a call hits it. */
export class Weather {
	private active: Array<WeatherRule & { left: number }> = [];
	private random = createRandom(1);

	/** `operationsOf` gives the operationIds of a service; nothing for one that is not mounted. */
	constructor(private readonly operationsOf: (service: ServiceName) => string[] | undefined) {}

	/** Adds a rule behind those that are there. Refuses one that cannot mean anything. */
	set(rule: WeatherRule): void {
		const { service, operation, kind, times, share } = rule;
		const operations = this.operationsOf(service);
		if (!operations) throw new Error(`There is no service '${service}'`);
		if (operation !== undefined && !operations.includes(operation)) {
			throw new Error(`'${service}' has no operation '${operation}'`);
		}
		if (!weatherKinds.includes(kind)) throw new Error(`There is no weather '${kind}'`);
		if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
			throw new Error('times must be a whole number above 0');
		}
		if (share !== undefined && !(share >= 0 && share <= 1)) {
			throw new Error('share must be between 0 and 1');
		}
		this.active.push({ ...rule, left: times ?? Infinity });
	}

	/** Fair weather for all services, or for one. */
	clear(service?: ServiceName): void {
		this.active = service ? this.active.filter((rule) => rule.service !== service) : [];
		if (!service) this.random = createRandom(1);
	}

	/** The rules that still have calls to hit. */
	rules(): WeatherRule[] {
		return this.active.map(({ left, ...rule }) =>
			Number.isFinite(left) ? { ...rule, times: left } : rule,
		);
	}

	/** Takes the rule that hits this call, if any, and counts it. */
	take(service: ServiceName, operationId: string): WeatherRule | undefined {
		if (this.active.length === 0) return undefined;
		const rule = this.active.find(
			(candidate) =>
				candidate.service === service &&
				(candidate.operation === undefined || candidate.operation === operationId) &&
				(candidate.share === undefined || this.random.next() < candidate.share),
		);
		if (!rule) return undefined;
		rule.left -= 1;
		if (rule.left === 0) this.active = this.active.filter((other) => other !== rule);
		return rule;
	}
}

/** The Retry-After header of a rule, if it has one. Dates are real time: clients know no other. */
export function retryAfterHeader({ retryAfter }: WeatherRule): Record<string, string> {
	if (retryAfter === undefined) return {};
	if (retryAfter !== 'date') return { 'retry-after': String(retryAfter) };
	return { 'retry-after': new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000).toUTCString() };
}

/** Waits as long as the rule says. Never keeps a closing process alive. */
export async function waitFor({ kind, delayMs }: WeatherRule): Promise<void> {
	const ms = delayMs ?? (kind === 'slow' ? 1000 : 0);
	if (ms > 0) await delay(ms, undefined, { ref: false });
}
