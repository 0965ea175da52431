import type { PollDefinition } from '../http/pollOnce';
import { perProcess } from '../n8n/perProcess';
import { TIMER_WINDOW_MS } from '../n8n/resumeTimer';
import { isEndedStatus } from '../n8n/waitingWebhook';
import { retryDelayMs } from '../retryDelay';
import { KeyedLock } from '../run/keyedLock';
import { sleep } from '../sleep';
import { PeriodicChecks } from './periodicChecks';
import { PolledConnection } from './polledConnection';
import type { AwaitedId } from './polledConnection';
import type { Sender } from './sender';
import { nextSlowdownAt, pollIntervalAfter } from './waitTimes';

/** Concurrency limit of calls that resume executions, so that thousands of simultaneous decisions do not overload n8n. */
const MAX_CONCURRENT_RESUMES = 10;
/** Attempts to resume an execution, and the delays after failed ones. Then only n8n's own timer resumes it. */
const MAX_RESUME_ATTEMPTS = 6;
const RESUME_RETRY_DELAYS = { firstMs: 2000, maxMs: 30_000 };
/** Interval of an execution that waits for no ID, only for a time. */
const MAX_INTERVAL_MS = 15_000;
/** Timers can fire slightly early. */
const TIMER_TOLERANCE_MS = 50;

/**
 * Whether a parked execution must resume, given the IDs that have ended and their outcomes (undefined if unknown). The
 * function must reference no execution.
 */
export type DueCheck = (outcomes: ReadonlyMap<AwaitedId, string | undefined>) => boolean;

/** Data to poll for a parked execution and to resume it. Holds no reference to the execution, which would keep it in memory. */
export interface ParkedExecution {
	/** Identifies the execution and the node. */
	key: string;
	executionId: string;
	/** Token of n8n's resume URL; empty if the URL has none. */
	token: string;
	/** Executions of one group can restore each other's polling. Absent if this one cannot take part. */
	group?: string;
	/** URL at which n8n resumes the execution. */
	url: string;
	/** URL at which n8n reports the status of the execution. */
	statusUrl: string;
	/** When n8n's own timer resumes the execution. */
	timerAt: number;
	/** When the execution must resume even if no ID has ended, such as at the last time limit; infinite if it need not. */
	endsAt: number;
	ids: AwaitedId[];
	isDue: DueCheck;
	parkedAt: number;
	/** Whether n8n's timer is a long one, so that the execution depends on the checkpoints of others. */
	isLong: boolean;
	/** Contents of the stored checkpoint, by `listingOf`; absent if the execution has none. */
	listed?: ReadonlySet<string>;
}

/** Run-time state of a tracked execution. */
interface Tracking {
	parked: ParkedExecution;
	/** Ends the current sleep early. */
	sleepAbort: AbortController;
	/** Whether the execution was resumed or has ended, so that tracking it stops. */
	isOver: boolean;
}

/**
 * Polls for the parked executions of this process, and has n8n resume each execution when its IDs or its time limit make it
 * due. Makes resuming fast, not durable: if the process dies, n8n's own timer resumes the executions. References no
 * execution except through one sender for each connection.
 */
class Poller {
	/** Why the last call to resume an execution failed; undefined if it succeeded. */
	lastResumeProblem: string | undefined;
	/** Whether n8n answered the last call at its own address. */
	canReachN8n = false;
	private readonly connections = new Map<string, PolledConnection>();
	private readonly tracked = new Map<string, Tracking>();
	private readonly resumeLock = new KeyedLock(MAX_CONCURRENT_RESUMES);
	private readonly statusChecks = new PeriodicChecks();

	/** Number of tracked executions and of their connections. */
	get size(): { executions: number; connections: number } {
		return { executions: this.tracked.size, connections: this.connections.size };
	}

	/** Polls for an execution from now on. */
	track(parked: ParkedExecution, sender: Sender): void {
		this.untrack(parked.key);
		const connectionKey = sender.key;
		const connection = this.connections.get(connectionKey) ?? new PolledConnection(sender);
		connection.sender = sender;
		connection.executionCount++;
		this.connections.set(connectionKey, connection);
		const tracking: Tracking = { parked, sleepAbort: new AbortController(), isOver: false };
		this.tracked.set(parked.key, tracking);
		// n8n 2.41.1 does not notify the node when a user stops a parked execution.
		const statusCheck = {
			everyMs: shortestIntervalOf(parked),
			run: async () => {
				const status = await connection.sender.readStatus(parked.statusUrl);
				this.canReachN8n = status !== undefined;
				if (isEndedStatus(status)) this.stopTracking(tracking);
			},
		};
		this.statusChecks.add(statusCheck);
		void this.pollUntilDue(parked, connection, tracking).finally(() => {
			this.statusChecks.drop(statusCheck);
			if (this.tracked.get(parked.key) === tracking) this.tracked.delete(parked.key);
			if (--connection.executionCount === 0) this.connections.delete(connectionKey);
		});
	}

	/** Polls for executions that were parked before the last restart of n8n, unless this process polls for them already. */
	restore(executions: ParkedExecution[], sender: Sender): void {
		for (const parked of executions) if (!this.tracked.has(parked.key)) this.track(parked, sender);
	}

	/** Returns the parked executions of a group that are polled in this way. */
	listGroup(group: string, poll: PollDefinition): ParkedExecution[] {
		return [...this.tracked.values()].flatMap(({ parked }) =>
			parked.group === group && parked.ids[0]?.poll === poll ? [parked] : [],
		);
	}

	/** Stops polling for an execution, because n8n has resumed it. */
	untrack(key: string): void {
		const tracking = this.tracked.get(key);
		if (tracking) this.stopTracking(tracking);
		this.tracked.delete(key);
	}

	private stopTracking(tracking: Tracking): void {
		tracking.isOver = true;
		tracking.sleepAbort.abort();
	}

	private async pollUntilDue(
		parked: ParkedExecution,
		connection: PolledConnection,
		tracking: Tracking,
	): Promise<void> {
		// The node polled a moment ago, and n8n is still storing the execution, so the first poll comes one interval later.
		const msUntilEnd = parked.endsAt + TIMER_TOLERANCE_MS - Date.now();
		await this.sleepFor(Math.min(shortestIntervalOf(parked), msUntilEnd), tracking);
		const outcomes = new Map<AwaitedId, string | undefined>();
		// Polls until the time limit, or until only n8n's own timer may resume the execution (`n8n/resumeTimer`).
		const stopAt = Math.min(parked.endsAt, parked.timerAt - TIMER_WINDOW_MS) + TIMER_TOLERANCE_MS;
		while (!tracking.isOver && Date.now() < stopAt && !parked.isDue(outcomes))
			await this.pollAtOneInterval(parked, connection, tracking, outcomes, stopAt);
		if (parked.isDue(outcomes) || Date.now() >= parked.endsAt)
			await this.resume(parked, connection, tracking);
	}

	/** Polls until `stopAt`, until the execution is due, or until it has waited so long that it is polled less often. */
	private async pollAtOneInterval(
		parked: ParkedExecution,
		connection: PolledConnection,
		tracking: Tracking,
		outcomes: Map<AwaitedId, string | undefined>,
		stopAt: number,
	): Promise<void> {
		const now = Date.now();
		const open = parked.ids.filter((one) => !outcomes.has(one));
		const unwatchers = open.map((one) =>
			connection.watch(one, pollIntervalAfter(one.intervalMs, now - one.since), (outcome) => {
				outcomes.set(one, outcome);
				if (parked.isDue(outcomes)) tracking.sleepAbort.abort();
			}),
		);
		const nextIntervalAt = Math.min(...open.map(({ since }) => nextSlowdownAt(since, now)));
		await this.sleepFor(Math.min(stopAt, nextIntervalAt) - now, tracking);
		for (const unwatch of unwatchers) unwatch();
	}

	private async resume(
		parked: ParkedExecution,
		connection: PolledConnection,
		tracking: Tracking,
	): Promise<void> {
		for (let attempt = 1; attempt <= MAX_RESUME_ATTEMPTS; attempt++) {
			const isSettled = await this.resumeLock.runShared('resume', async () => {
				if (tracking.isOver || Date.now() + TIMER_WINDOW_MS >= parked.timerAt) return true;
				this.lastResumeProblem = await connection.sender.resume(parked.url);
				this.canReachN8n = this.lastResumeProblem === undefined;
				return this.lastResumeProblem === undefined;
			});
			if (isSettled) return;
			tracking.sleepAbort = new AbortController();
			await this.sleepFor(retryDelayMs(attempt, RESUME_RETRY_DELAYS), tracking);
		}
	}

	private async sleepFor(ms: number, { sleepAbort, isOver }: Tracking): Promise<void> {
		if (ms <= 0 || isOver || sleepAbort.signal.aborted) return;
		await sleep(ms, sleepAbort.signal).catch(() => undefined);
	}
}

const shortestIntervalOf = ({ ids }: ParkedExecution) =>
	Math.min(
		MAX_INTERVAL_MS,
		...ids.map(({ intervalMs, since }) => pollIntervalAfter(intervalMs, Date.now() - since)),
	);

/** Identifies an execution and what it waits for. */
export const listingOf = ({ key, ids }: Pick<ParkedExecution, 'key' | 'ids'>): string =>
	[key, ...ids.map(({ id }) => id)].join(' ');

/** The poller of this process. */
export const poller = perProcess('poller 4', () => new Poller());
