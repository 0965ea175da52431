import { Watcher } from '../../../nodes/engine/watch';
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
	atMs: number;
	watched: WatchedId;
}

export interface WatcherHarnessOptions extends Partial<WatchOptions> {
	enteredIds?: NewId[];
	savedState?: unknown;
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
	readonly emitted: Array<{ emittedAtMs: number; ended: EndedId; savedAs: string }> = [];
	readonly reports: IdReport[] = [];
	readonly saves: string[] = [];
	readonly watcher: Watcher;
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
					this.polls.push({ id: watched.id, atMs: this.time.nowMs, watched });
					const times = this.pollTimes.get(watched.id) ?? [];
					this.pollTimes.set(watched.id, times);
					times.push(this.time.nowMs);
					this.maxInFlight = Math.max(this.maxInFlight, ++this.inFlight);
					await this.time.sleep(latencyMs);
					this.inFlight--;
					return await this.respond(watched, this.time.nowMs);
				},
				emit: async (ended) => {
					const savedAs = this.saves.at(-1) ?? '';
					this.emitted.push({ emittedAtMs: this.time.nowMs, ended, savedAs });
					return await this.emit(ended);
				},
				save: (snapshot) => void this.saves.push(JSON.stringify(snapshot)),
				report: (report) => void this.reports.push(report),
				sleep: this.time.sleep,
				clock: this.time.clock,
				random: createRandom(seed),
			},
			options,
			savedState,
			enteredIds,
		);
	}

	/** Runs the watcher. */
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

	/** Times at which an ID was polled. */
	pollTimesOf(id: string): number[] {
		return this.pollTimes.get(id) ?? [];
	}

	/** Outcome of each ID, in order. */
	emittedOutcomes(): Array<[string, string]> {
		return this.emitted.map(({ ended }) => [ended.id, ended.outcome]);
	}
}

/** Returns the intervals between times. Fails without any, since the minimum and maximum of none satisfy every limit. */
export function findGaps(times: number[]): number[] {
	if (times.length < 2) throw new Error(`There is nothing between ${times.length} times`);
	return times.slice(1).map((time, index) => time - times[index]!);
}

export const createIds = (count: number, prefix = 'id'): NewId[] =>
	Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}` }));
