import { Client } from '../http/client';
import { POLL_SEND_OPTIONS, pollOnce } from '../http/pollOnce';
import type { PollDefinition } from '../http/pollOnce';
import { perProcess } from '../n8n/perProcess';
import { TIMER_WINDOW_MS } from '../n8n/resumeTimer';
import { KeyedLock } from '../run/keyedLock';
import { sleep } from '../sleep';
import { systemClock, Watcher } from '../watch';
import type { WatchOptions } from '../watch';
import { PeriodicChecks } from './periodicChecks';
import type { Sender } from './sender';

/**
 * Minimum time between two polls over one connection, however many executions are parked: thousands of executions must
 * overload neither the service nor n8n. A hundred IDs are polled at their own interval (2 seconds by default), a thousand
 * every 20 seconds.
 */
const MIN_POLL_GAP_MS = 20;
/**
 * The number of watched IDs is unlimited, because only parked executions add IDs. Ended IDs are not kept, because the
 * watcher has reported each to its listeners.
 */
const UNBOUNDED: Partial<WatchOptions> = { maxWatched: Infinity, maxKnownEnded: 0 };
/** Concurrency limit of calls that resume executions, so that thousands of simultaneous decisions do not overload n8n. */
const MAX_CONCURRENT_RESUMES = 10;
/** Delay after each failed call to resume an execution. */
const RESUME_RETRY_DELAYS_MS = [2000, 4000, 8000, 15_000, 30_000, 30_000];
/** Interval of an execution that waits for no ID, only for a time. */
const MAX_INTERVAL_MS = 15_000;
/** Timers can fire slightly early. */
const TIMER_TOLERANCE_MS = 50;

/** An ID that a parked execution waits for. */
export interface ParkedId {
	id: string;
	/** User who is expected to answer, if known. */
	subject?: string;
	poll: PollDefinition;
	intervalMs: number;
}

/**
 * Whether a parked execution must resume, given the IDs that have ended and their outcomes (undefined if unknown). The
 * function must reference no execution.
 */
export type DueCheck = (outcomes: ReadonlyMap<ParkedId, string | undefined>) => boolean;

/** Data to poll for a parked execution and to resume it. Holds no reference to the execution, which would keep it in memory. */
interface ParkedExecution {
	/** Identifies the execution and the node. */
	key: string;
	/** URL at which n8n resumes the execution. */
	url: string;
	/** URL at which n8n reports the status of the execution. */
	statusUrl: string;
	/** When n8n's own timer resumes the execution. */
	timerAt: number;
	/** When the execution must resume even if no ID has ended, such as at the last time limit; `Infinity` if it need not. */
	endsAt: number;
	ids: ParkedId[];
	isDue: DueCheck;
}

/** Receives the outcome of an ID; undefined if the outcome is not known. */
type EndListener = (outcome?: string) => void;

/** Polls the IDs that share a poll definition, an interval and a connection, until none is left. */
class SharedIdWatcher {
	private readonly watcher: Watcher;
	private readonly watched = new Map<string, { subject?: string; listeners: Set<EndListener> }>();

	constructor(
		readonly poll: PollDefinition,
		readonly intervalMs: number,
		connection: Pick<PolledConnection, 'sender' | 'waitForSlot'>,
	) {
		this.watcher = new Watcher(
			{
				sleep,
				pollId: async ({ id, subject }) => {
					await connection.waitForSlot();
					const client = new Client(connection.sender.connection, POLL_SEND_OPTIONS);
					const result = await pollOnce(client, poll.request(id), (response) =>
						poll.interpret(response, id, subject),
					);
					// The service may accept the credential again later, so the watcher does not stop and polls these IDs
					// with backoff. It does so for permanent rejections too: once n8n's timer has resumed the execution, the
					// node fails its items.
					if (result.kind === 'credentialRejected')
						return { kind: 'unrecognized', message: result.message };
					// The resumed node polls the ID itself and then reports the service's error.
					return result.kind === 'failed' ? { kind: 'finished', outcome: 'failed' } : result;
				},
				emit: async ({ id, outcome }) => {
					for (const onEnd of this.watched.get(id)?.listeners ?? []) onEnd(outcome);
				},
			},
			{ intervalMs, ...UNBOUNDED },
		);
	}

	/** Polls an ID, and calls `onEnd` when the ID has ended. Returns false if this watcher cannot accept the ID. */
	add(id: string, subject: string | undefined, onEnd: EndListener): boolean {
		// The same ID with another subject needs another poll.
		const entry = this.watched.get(id);
		if (entry && entry.subject !== subject) return false;
		const added = this.watcher.add([{ id, subject }]);
		if (!added.ok) return false;
		this.watched.set(id, { subject, listeners: (entry?.listeners ?? new Set()).add(onEnd) });
		// The ID ended a moment ago, for another execution.
		if (added.alreadyEnded > 0) onEnd();
		return true;
	}

	/** Removes the listener `onEnd`, and stops polling the ID if no listener remains. */
	remove(id: string, onEnd: EndListener): void {
		const listeners = this.watched.get(id)?.listeners;
		if (!listeners?.delete(onEnd) || listeners.size > 0) return;
		this.watched.delete(id);
		this.watcher.drop(id);
	}

	/** Runs until no ID is left. */
	async run(): Promise<void> {
		await this.watcher.run(new AbortController().signal, { untilIdle: true });
	}
}

/** Parked executions that share a connection. All of them use the sender of the execution that parked last. */
class PolledConnection {
	executionCount = 0;
	private readonly watchers = new Set<SharedIdWatcher>();
	private nextSlotAt = 0;

	constructor(public sender: Sender) {}

	/** Waits until the next poll may be sent, `MIN_POLL_GAP_MS` after the previous poll. */
	async waitForSlot(): Promise<void> {
		const now = systemClock.monotonic();
		const at = Math.max(now, this.nextSlotAt);
		this.nextSlotAt = at + MIN_POLL_GAP_MS;
		if (at > now) await sleep(at - now);
	}

	/** Polls an ID, and calls `onEnd` when the ID has ended. Returns a function that stops both. */
	watch({ id: rawId, subject, poll, intervalMs }: ParkedId, onEnd: EndListener): () => void {
		const id = rawId.trim();
		for (const watcher of this.watchers) {
			const isSamePoll = watcher.poll === poll && watcher.intervalMs === intervalMs;
			if (isSamePoll && watcher.add(id, subject, onEnd)) return () => watcher.remove(id, onEnd);
		}
		const watcher = new SharedIdWatcher(poll, intervalMs, this);
		watcher.add(id, subject, onEnd);
		this.watchers.add(watcher);
		void watcher.run().finally(() => this.watchers.delete(watcher));
		return () => watcher.remove(id, onEnd);
	}
}

/** Run-time state of a tracked execution. */
interface Tracking {
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
	private readonly connections = new Map<string, PolledConnection>();
	private readonly tracked = new Map<string, Tracking>();
	/** Limits how many executions are resumed at once: each lane (key) resumes one at a time. */
	private readonly resumeLanes = new KeyedLock();
	private readonly statusChecks = new PeriodicChecks();
	private resumeCount = 0;

	/** Number of tracked executions and of their connections. */
	get size(): { executions: number; connections: number } {
		return { executions: this.tracked.size, connections: this.connections.size };
	}

	/** Polls for an execution from now on. */
	track(parked: ParkedExecution, sender: Sender): void {
		this.untrack(parked.key);
		const { accountKey, service } = sender.connection;
		const connectionKey = `${service.name} ${accountKey}`;
		const connection = this.connections.get(connectionKey) ?? new PolledConnection(sender);
		connection.sender = sender;
		connection.executionCount++;
		this.connections.set(connectionKey, connection);
		const tracking: Tracking = { sleepAbort: new AbortController(), isOver: false };
		this.tracked.set(parked.key, tracking);
		// n8n 2.41.1 does not notify the node when a user stops a parked execution.
		const statusCheck = {
			everyMs: shortestIntervalOf(parked),
			run: async () => {
				if (await connection.sender.hasEnded(parked.statusUrl)) this.stopTracking(tracking);
			},
		};
		this.statusChecks.add(statusCheck);
		void this.pollUntilDue(parked, connection, tracking).finally(() => {
			this.statusChecks.drop(statusCheck);
			if (this.tracked.get(parked.key) === tracking) this.tracked.delete(parked.key);
			if (--connection.executionCount === 0) this.connections.delete(connectionKey);
		});
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
		if (tracking.isOver) return;
		const outcomes = new Map<ParkedId, string | undefined>();
		const unwatchers = parked.ids.map((one) =>
			connection.watch(one, (outcome) => {
				outcomes.set(one, outcome);
				if (parked.isDue(outcomes)) tracking.sleepAbort.abort();
			}),
		);
		// Polls until the time limit, or until only n8n's own timer may resume the execution (`n8n/resumeTimer`).
		const stopAt = Math.min(parked.endsAt, parked.timerAt - TIMER_WINDOW_MS) + TIMER_TOLERANCE_MS;
		await this.sleepFor(stopAt - Date.now(), tracking);
		for (const unwatch of unwatchers) unwatch();
		if (parked.isDue(outcomes) || Date.now() >= parked.endsAt)
			await this.resume(parked, connection, tracking);
	}

	private async resume(
		parked: ParkedExecution,
		connection: PolledConnection,
		tracking: Tracking,
	): Promise<void> {
		for (const delayMs of RESUME_RETRY_DELAYS_MS) {
			const laneKey = `${this.resumeCount++ % MAX_CONCURRENT_RESUMES}`;
			const isSettled = await this.resumeLanes.runExclusive(laneKey, async () => {
				if (tracking.isOver || Date.now() + TIMER_WINDOW_MS >= parked.timerAt) return true;
				this.lastResumeProblem = await connection.sender.resume(parked.url);
				return this.lastResumeProblem === undefined;
			});
			if (isSettled) return;
			tracking.sleepAbort = new AbortController();
			await this.sleepFor(delayMs, tracking);
		}
	}

	private async sleepFor(ms: number, { sleepAbort, isOver }: Tracking): Promise<void> {
		if (ms <= 0 || isOver || sleepAbort.signal.aborted) return;
		await sleep(ms, sleepAbort.signal).catch(() => undefined);
	}
}

const shortestIntervalOf = ({ ids }: ParkedExecution) =>
	Math.min(MAX_INTERVAL_MS, ...ids.map(({ intervalMs }) => intervalMs));

/** The poller of this process. */
export const poller = perProcess('poller 3', () => new Poller());
