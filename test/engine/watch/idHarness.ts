import { readSnapshot, Watcher } from '../../../nodes/engine/watch';
import type {
	EndedId,
	NewId,
	IdReport,
	WatcherStop,
	PollResult,
	WatchOptions,
	WatchedId,
} from '../../../nodes/engine/watch';
import { createRandom, VirtualTime } from '../trigger/support/virtualTime';

/** One request that the service received. */
export interface HarnessPoll {
	id: string;
	polledAtMs: number;
	watched: WatchedId;
}

export interface WatcherHarnessOptions extends Partial<WatchOptions> {
	enteredIds?: NewId[];
	/** The state that a previous watcher saved. */
	savedState?: unknown;
	/** How long the service takes to respond. */
	latencyMs?: number;
	seed?: number;
}

export const pendingResult: PollResult = { kind: 'pending' };
export const finishedResult = (outcome: string, result?: unknown): PollResult => ({
	kind: 'finished',
	outcome,
	result,
});

/** A watcher in virtual time, with a service and an n8n that the test controls. */
export class WatcherHarness {
	readonly time: VirtualTime;
	readonly polls: HarnessPoll[] = [];
	/** The emitted ends, each with the state that was saved last before it. */
	readonly emitted: Array<{ emittedAtMs: number; ended: EndedId; lastSave: string }> = [];
	readonly reports: IdReport[] = [];
	readonly saves: string[] = [];
	readonly watcher: Watcher;
	/** Number of polls without a response. */
	inFlight = 0;
	maxInFlight = 0;
	stopped: WatcherStop | undefined;
	failure: unknown;
	/** Returns the response of the service; may reject. */
	respond: (watched: WatchedId, now: number) => PollResult | Promise<PollResult> = () =>
		pendingResult;
	/** Handles a start in n8n; may reject. */
	emit: (ended: EndedId) => Promise<unknown> = async () => 'a run';
	private readonly pollTimes = new Map<string, number[]>();
	private readonly abort = new AbortController();

	constructor(
		{ enteredIds, savedState, latencyMs = 20, seed = 1, ...options }: WatcherHarnessOptions = {},
		time?: VirtualTime,
	) {
		this.time = time ?? new VirtualTime();
		this.watcher = new Watcher(
			{
				pollId: async (watched) => {
					this.polls.push({ id: watched.id, polledAtMs: this.time.nowMs, watched });
					const times = this.pollTimes.get(watched.id) ?? [];
					this.pollTimes.set(watched.id, times);
					times.push(this.time.nowMs);
					this.maxInFlight = Math.max(this.maxInFlight, ++this.inFlight);
					await this.time.sleep(latencyMs);
					this.inFlight--;
					return await this.respond(watched, this.time.nowMs);
				},
				emit: async (ended) => {
					const lastSave = this.saves.at(-1) ?? '';
					this.emitted.push({ emittedAtMs: this.time.nowMs, ended, lastSave });
					return await this.emit(ended);
				},
				save: (snapshot) => void this.saves.push(JSON.stringify(snapshot)),
				report: (report) => void this.reports.push(report),
				sleep: this.time.sleep,
				clock: this.time.clock,
				random: createRandom(seed),
			},
			options,
			readSnapshot(savedState, { now: this.time.clock.now() }),
			enteredIds,
		);
	}

	/** Runs the watcher, and records how it stops or fails. */
	start(): this {
		this.watcher.run(this.abort.signal).then(
			(stopped) => (this.stopped = stopped),
			(error: unknown) => (this.failure = error),
		);
		return this;
	}

	stop(): void {
		this.abort.abort(new Error('closed'));
	}

	/** Lists the times at which an ID was polled, in milliseconds. */
	listPollTimes(id: string): number[] {
		return this.pollTimes.get(id) ?? [];
	}

	/** Lists the times of all polls after one time and before another. */
	listTimesBetween(afterMs: number, beforeMs = Infinity): number[] {
		return this.polls
			.map(({ polledAtMs }) => polledAtMs)
			.filter((polledAtMs) => polledAtMs > afterMs && polledAtMs < beforeMs);
	}

	/** Lists the ID and outcome of each emitted end, in order. */
	emittedOutcomes(): Array<[string, string]> {
		return this.emitted.map(({ ended }) => [ended.id, ended.outcome]);
	}
}

/** Returns the intervals between times. Fails without any, since the minimum and maximum of none satisfy every limit. */
export function findGaps(times: number[]): number[] {
	if (times.length < 2) throw new Error(`There are no gaps between ${times.length} times`);
	return times.slice(1).map((time, index) => time - times[index]!);
}

/** Creates IDs with consecutive numbers: id0, id1 and so on. */
export const createIds = (count: number, prefix = 'id'): NewId[] =>
	Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}` }));
