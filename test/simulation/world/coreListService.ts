import type { IDataObject } from 'n8n-workflow';

import type { PlannedFault } from './memoryService';
import type { N8nProcess } from './n8nProcess';
import { roundDown } from './recordLists';
import type { ListSettings, PageOfRecords } from './recordLists';
import type { World } from './world';

/** A time in which requests for all lists, or for one, have a fault. */
export interface Outage {
	atMs: number;
	forMs: number;
	list?: number;
	fault: 'missing' | 'failed' | 'unavailable' | 'rateLimited' | 'disconnecting' | 'undiscovered';
}

/** How the service shows dates. */
export interface DateSettings {
	format: 'zoned' | 'offset' | 'zoneless' | 'epoch';
	header: 'always' | 'sometimes' | 'never';
	resolutionMs: 1 | 1000;
}

/** Why a request failed, as the pack's cores expect it. */
export type CoreFailure = { kind: string; message?: string; retryAfterMs?: number };

const MAX_LATENCY_MS = 80;
/** Longer than a polling interval, which a trigger waits anyway. */
const RETRY_AFTER_MS = 100_000;
const UTC_OFFSET_MS = 9 * 3_600_000;

/** A service whose responses are values and not HTTP: lists of records with faults, and a clock of its own. */
export class CoreListService {
	private requestCount = 0;
	private areFaultsOver = false;

	constructor(
		private readonly world: World,
		private readonly plan: { faults: PlannedFault[]; outages: Outage[]; dates: DateSettings },
		private readonly now: () => number,
	) {}

	endFaults(): void {
		this.areFaultsOver = true;
	}

	/** Sends a request. Returns what `execute` returns, or a failure; throws if the connection breaks. */
	async send<T>(
		process: N8nProcess,
		path: string,
		listIndex: number | undefined,
		execute: (request: number) => T,
	): Promise<T | CoreFailure> {
		const { world } = this;
		const request = ++this.requestCount;
		const fault = this.faultOf(request, listIndex);
		if (fault) world.faultCount++;
		const latencyMs = world.random.next() * MAX_LATENCY_MS;
		const executed = await world.cause(process, 'request', async () => {
			const { number } = process;
			world.record({ type: 'requested', request, process: number, method: 'GET', path });
			await world.machine.sleep(latencyMs / 2);
			return fault === 'lostBefore' ? undefined : execute(request);
		});
		return await world.cause(process, 'response', async () => {
			await world.machine.sleep(latencyMs / 2);
			const failure = fault === undefined ? undefined : failureOf(fault);
			const retryAfterMs = failure === 'broken' ? undefined : failure?.retryAfterMs;
			world.record({
				type: 'responded',
				request,
				...(failure === undefined && { status: 200 }),
				...(fault && { fault }),
				...(retryAfterMs !== undefined && { retryAfterMs }),
			});
			if (failure === 'broken') throw new Error('socket hang up');
			return failure ?? executed!;
		});
	}

	/** Returns whether a list is missing from those that the service names. */
	isUndiscovered(list: number): boolean {
		return this.outageOf(list)?.fault === 'undiscovered';
	}

	/** Returns the Date header of a response, in whole seconds. */
	dateHeader(skewMs: number): number | undefined {
		const { header } = this.plan.dates;
		const { random } = this.world;
		if (header === 'never' || (header === 'sometimes' && random.next() < 0.5)) return undefined;
		return Math.floor((this.now() + (2 * random.next() - 1) * skewMs) / 1000) * 1000;
	}

	/** Formats the records of a page. */
	format({ records }: PageOfRecords, { followed }: ListSettings): IDataObject[] {
		return records.map(({ record, version, shown }) => ({
			Id: `${record.number} é:%`,
			CreatedAt: this.formatTime(record.createdAt),
			...(followed.isFiltered && { Stamp: this.formatTime(version.writtenAt) }),
			...(version.checkedInAt !== undefined && { CheckIn: this.formatTime(version.checkedInAt) }),
			Status: version.status,
			Seen: this.world.random.next(),
			shown: { ...shown },
		}));
	}

	private formatTime(time: number): string | number {
		const { format, resolutionMs } = this.plan.dates;
		const rounded = roundDown(time, this.plan.dates);
		if (format === 'epoch') return rounded / resolutionMs;
		const offsetMs = format === 'zoned' ? 0 : UTC_OFFSET_MS;
		const text = new Date(rounded + offsetMs).toISOString().slice(0, resolutionMs === 1 ? 23 : 19);
		return text + { zoned: 'Z', offset: '+09:00', zoneless: '' }[format];
	}

	private faultOf(request: number, listIndex: number | undefined): string | undefined {
		if (this.areFaultsOver) return undefined;
		const outage = this.outageOf(listIndex)?.fault;
		const planned = this.plan.faults.find((each) => each.request === request)?.fault;
		return outage === 'undiscovered' ? planned : (outage ?? planned);
	}

	private outageOf(listIndex: number | undefined): Outage | undefined {
		const { nowMs } = this.world.machine;
		if (this.areFaultsOver) return undefined;
		return this.plan.outages.find(
			({ atMs, forMs, list }) =>
				nowMs >= atMs && nowMs < atMs + forMs && (list === undefined || list === listIndex),
		);
	}
}

/** Returns what a fault makes of a response; undefined if it only delays it. */
function failureOf(fault: string): CoreFailure | 'broken' | undefined {
	if (fault === 'delayed') return undefined;
	if (fault === '404' || fault === '410' || fault === 'missing') return { kind: 'missing' };
	if (fault === '401' || fault === 'failed') return { kind: 'failed', message: '422' };
	if (fault === '429' || fault === 'rateLimited') return { kind: 'rateLimited' };
	if (fault === '429 with Retry-After')
		return { kind: 'rateLimited', retryAfterMs: RETRY_AFTER_MS };
	if (fault === '500' || fault === '503' || fault === 'unavailable')
		return { kind: 'unavailable', message: fault };
	return 'broken';
}
