import { setTimeout as delay } from 'node:timers/promises';

import { createRandom } from './random';
import type { ServiceName } from './service';

/** Faults that a rule can inject into the responses of a service. */
export const faultKinds = [
	'429',
	'500',
	'503',
	'drop',
	'slow',
	'truncate',
	'html',
	'content-type',
] as const;
type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
	service: ServiceName;
	/** An operationId; missing for every operation of the service. */
	operation?: string;
	kind: FaultKind;
	/** Seconds, `'date'` for an HTTP date two seconds ahead, or any text to send unchanged. */
	retryAfter?: number | string;
	/** Number of requests to hit; missing for all of them until the rule is cleared. */
	times?: number;
	/** Share of requests to hit, 0 to 1; missing for all of them. */
	share?: number;
	/** Delay of the response. Default: 1,000 for `slow`, else 0. */
	delayMs?: number;
	/** Whether the request is carried out and only its response is lost. Only for 429, 5xx, drop, html. */
	afterExecution?: boolean;
}

/** Injected faults of the services. The first rule that matches a request applies. */
export class FaultRules {
	private activeRules: Array<FaultRule & { remaining: number }> = [];
	private random = createRandom(1);

	/** `listOperationIds` returns the operationIds of a service, or undefined for a service that is not mounted. */
	constructor(private readonly listOperationIds: (service: ServiceName) => string[] | undefined) {}

	/** Appends a rule. Throws if the rule is invalid. */
	add(rule: FaultRule): void {
		const { service, operation, kind, times, share } = rule;
		const operationIds = this.listOperationIds(service);
		if (!operationIds) throw new Error(`There is no service '${service}'`);
		if (operation !== undefined && !operationIds.includes(operation)) {
			throw new Error(`'${service}' has no operation '${operation}'`);
		}
		if (!faultKinds.includes(kind)) throw new Error(`There is no fault '${kind}'`);
		if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
			throw new Error('times must be a whole number above 0');
		}
		if (share !== undefined && !(share >= 0 && share <= 1)) {
			throw new Error('share must be between 0 and 1');
		}
		this.activeRules.push({ ...rule, remaining: times ?? Infinity });
	}

	/** Removes the rules of all services, or of one. */
	clear(service?: ServiceName): void {
		this.activeRules = service ? this.activeRules.filter((rule) => rule.service !== service) : [];
		if (!service) this.random = createRandom(1);
	}

	/** Returns the rules that are still active. */
	rules(): FaultRule[] {
		return this.activeRules.map(({ remaining, ...rule }) =>
			Number.isFinite(remaining) ? { ...rule, times: remaining } : rule,
		);
	}

	/** Returns the rule for this request, if any, and counts its use. */
	take(service: ServiceName, operationId: string): FaultRule | undefined {
		if (this.activeRules.length === 0) return undefined;
		const rule = this.activeRules.find(
			(candidate) =>
				candidate.service === service &&
				(candidate.operation === undefined || candidate.operation === operationId) &&
				(candidate.share === undefined || this.random.next() < candidate.share),
		);
		if (!rule) return undefined;
		rule.remaining -= 1;
		if (rule.remaining === 0) this.activeRules = this.activeRules.filter((other) => other !== rule);
		return rule;
	}
}

/**
 * Returns the Retry-After header of a rule, if it has one. Dates are real time, because clients do not know the sandbox's
 * clock.
 */
export function createRetryAfterHeader({ retryAfter }: FaultRule): Record<string, string> {
	if (retryAfter === undefined) return {};
	if (retryAfter !== 'date') return { 'retry-after': String(retryAfter) };
	return { 'retry-after': new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000).toUTCString() };
}

/** Waits for the rule's delay, without keeping a closing process alive. */
export async function applyDelay({ kind, delayMs }: FaultRule): Promise<void> {
	const effectiveDelayMs = delayMs ?? (kind === 'slow' ? 1000 : 0);
	if (effectiveDelayMs > 0) await delay(effectiveDelayMs, undefined, { ref: false });
}
