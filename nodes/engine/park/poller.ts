import { Client } from '../http/client';
import { perProcess } from '../n8n/perProcess';
import { TIMER_WINDOW_MS } from '../n8n/resumeTimer';
import { Turns } from '../run/turns';
import { sleep } from '../sleep';
import { systemClock, Watcher } from '../trigger/ids/core';
import { ask } from '../wait/ask';
import type { Question } from '../wait/ask';
import { PeriodicChecks } from './periodicChecks';
import { SINGLE_TRY } from './sender';
import type { Sender } from './sender';

/**
 * How much time lies between two looks over one connection at least, however many are parked: thousands must be a load neither
 * for the service nor for n8n. A hundred are looked at as often as they should be, a thousand every 20 seconds.
 */
const MIN_POLL_GAP_MS = 20;
/** What is watched is bounded by n8n's executions. */
const UNBOUNDED = { maxWatched: Infinity, maxRemembered: 0 };
/** How many executions n8n is told at a time to go on with, so that thousands that are decided together do not choke it. */
const MAX_CONCURRENT_RESUMES = 10;
/** How long to wait after each try to wake an execution that did not succeed. */
const RESUME_RETRY_DELAYS_MS = [2000, 4000, 8000, 15_000, 30_000, 30_000];
/** Timers may be a little early. */
const TIMER_TOLERANCE_MS = 50;

/** One id that a parked execution waits for. */
export interface ParkedId {
	id: string;
	/** Who is expected to answer, where that is known. */
	subject?: string;
	question: Question;
	intervalMs: number;
}

/** A parked execution, as far as it is looked after: nothing here leads to the execution itself. */
export interface ParkedExecution {
	/** The execution and the node. */
	key: string;
	/** Where n8n is told to go on. */
	url: string;
	/** Where n8n says how it is doing. */
	statusUrl: string;
	/** When n8n goes on by itself. */
	until: number;
	/** When nothing is waited for any longer; without end if that never is. */
	endsAt: number;
	ids: ParkedId[];
}

/** Watches the ids that are asked after in one way, over one connection, for as long as there are any. */
class IdWatch {
	private readonly watcher: Watcher;
	private readonly watched = new Map<string, { subject?: string; listeners: Set<() => void> }>();

	constructor(
		readonly question: Question,
		readonly intervalMs: number,
		connection: Pick<PolledConnection, 'sender' | 'waitForSlot'>,
	) {
		this.watcher = new Watcher(
			{
				sleep,
				fetch: async ({ id, subject }) => {
					await connection.waitForSlot();
					const client = new Client(connection.sender.connection, SINGLE_TRY);
					const result = await ask(client, question.request(id), (answer) =>
						question.read(answer, id, subject),
					);
					// A rejected credential may be accepted again: its ids are polled less and less often.
					if (result.kind === 'refused') return { kind: 'unreadable', message: result.message };
					// What the service has against an id, the node tells when it looks itself.
					return result.kind === 'failed' ? { kind: 'finished', outcome: 'failed' } : result;
				},
				emit: async ({ id }) => {
					for (const onEnd of this.watched.get(id)?.listeners ?? []) onEnd();
				},
			},
			{ intervalMs, ...UNBOUNDED },
		);
	}

	/** Watches an id, and tells when it has ended. Says whether it could. */
	add(id: string, subject: string | undefined, onEnd: () => void): boolean {
		// The same id with another subject is another question.
		const known = this.watched.get(id);
		if (known && known.subject !== subject) return false;
		const added = this.watcher.add([{ id, subject }]);
		if (!added.ok) return false;
		this.watched.set(id, { subject, listeners: (known?.listeners ?? new Set()).add(onEnd) });
		// It ended a moment ago, for somebody else.
		if (added.finished > 0) onEnd();
		return true;
	}

	/** Tells no more. */
	remove(id: string, onEnd: () => void): void {
		const listeners = this.watched.get(id)?.listeners;
		if (!listeners?.delete(onEnd) || listeners.size > 0) return;
		this.watched.delete(id);
		this.watcher.drop(id);
	}

	/** Runs until nothing is left to watch. */
	async run(): Promise<void> {
		await this.watcher.run(new AbortController().signal, { untilIdle: true });
	}
}

/** All that is parked over one connection; the sender of the one that came last serves all. */
class PolledConnection {
	executions = 0;
	private readonly watches = new Set<IdWatch>();
	private nextSlotAt = 0;

	constructor(public sender: Sender) {}

	/** Waits until somebody may be asked. */
	async waitForSlot(): Promise<void> {
		const now = systemClock.monotonic();
		const at = Math.max(now, this.nextSlotAt);
		this.nextSlotAt = at + MIN_POLL_GAP_MS;
		if (at > now) await sleep(at - now);
	}

	/** Watches an id, and tells when it has ended. Gives what to call when nobody wants to know any more. */
	watch({ id: given, subject, question, intervalMs }: ParkedId, onEnd: () => void): () => void {
		const id = given.trim();
		for (const watch of this.watches) {
			const isSamePoll = watch.question === question && watch.intervalMs === intervalMs;
			if (isSamePoll && watch.add(id, subject, onEnd)) return () => watch.remove(id, onEnd);
		}
		const watch = new IdWatch(question, intervalMs, this);
		watch.add(id, subject, onEnd);
		this.watches.add(watch);
		void watch.run().finally(() => this.watches.delete(watch));
		return () => watch.remove(id, onEnd);
	}
}

/** What is known of a parked execution besides what it is. */
interface Tracking {
	sleepAbort: AbortController;
	isOver: boolean;
}

/**
 * Looks after the parked executions of this process, and wakes each as soon as all that it waits for has ended. It only makes
 * things fast: if the process dies, n8n's own timer wakes them. It holds nothing of an execution but one sender for each
 * connection.
 */
export class Poller {
	/** Why n8n could not be told to go on, the last time that was tried. */
	lastResumeProblem: string | undefined;
	private readonly connections = new Map<string, PolledConnection>();
	private readonly tracked = new Map<string, Tracking>();
	private readonly resumeLanes = new Turns();
	private readonly statusChecks = new PeriodicChecks();
	private resumeCount = 0;

	/** How many executions are looked after, and over how many connections. */
	get size(): { executions: number; connections: number } {
		return { executions: this.tracked.size, connections: this.connections.size };
	}

	/** Looks after an execution from now on. */
	track(parked: ParkedExecution, sender: Sender): void {
		this.untrack(parked.key);
		const { owner, service } = sender.connection;
		const connectionKey = `${service.name} ${owner}`;
		const connection = this.connections.get(connectionKey) ?? new PolledConnection(sender);
		connection.sender = sender;
		connection.executions++;
		this.connections.set(connectionKey, connection);
		const tracking: Tracking = { sleepAbort: new AbortController(), isOver: false };
		this.tracked.set(parked.key, tracking);
		// n8n tells nobody when somebody stops an execution that rests.
		const statusCheck = {
			everyMs: shortestIntervalOf(parked),
			run: async () => {
				if (await connection.sender.hasEnded(parked.statusUrl)) this.end(tracking);
			},
		};
		this.statusChecks.add(statusCheck);
		void this.pollUntilEnded(parked, connection, tracking).finally(() => {
			this.statusChecks.drop(statusCheck);
			if (this.tracked.get(parked.key) === tracking) this.tracked.delete(parked.key);
			if (--connection.executions === 0) this.connections.delete(connectionKey);
		});
	}

	/** Looks after an execution no more: it goes on. */
	untrack(key: string): void {
		const tracking = this.tracked.get(key);
		if (tracking) this.end(tracking);
		this.tracked.delete(key);
	}

	private end(tracking: Tracking): void {
		tracking.isOver = true;
		tracking.sleepAbort.abort();
	}

	private async pollUntilEnded(
		parked: ParkedExecution,
		connection: PolledConnection,
		tracking: Tracking,
	): Promise<void> {
		// The node has looked a moment ago, and n8n is still storing the execution.
		const untilEnd = parked.endsAt + TIMER_TOLERANCE_MS - Date.now();
		await this.sleepFor(Math.min(shortestIntervalOf(parked), untilEnd), tracking);
		if (tracking.isOver) return;
		const open = new Set(parked.ids);
		const unwatchers = parked.ids.map((one) =>
			connection.watch(one, () => {
				open.delete(one);
				if (open.size === 0) tracking.sleepAbort.abort();
			}),
		);
		const stopAt = Math.min(parked.endsAt, parked.until - TIMER_WINDOW_MS) + TIMER_TOLERANCE_MS;
		await this.sleepFor(stopAt - Date.now(), tracking);
		for (const unwatch of unwatchers) unwatch();
		if (open.size === 0 || Date.now() >= parked.endsAt)
			await this.resume(parked, connection, tracking);
	}

	private async resume(
		parked: ParkedExecution,
		connection: PolledConnection,
		tracking: Tracking,
	): Promise<void> {
		for (const delayMs of RESUME_RETRY_DELAYS_MS) {
			const laneKey = `${this.resumeCount++ % MAX_CONCURRENT_RESUMES}`;
			const isSettled = await this.resumeLanes.take(laneKey, async () => {
				if (tracking.isOver || Date.now() + TIMER_WINDOW_MS >= parked.until) return true;
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
	Math.min(...ids.map(({ intervalMs }) => intervalMs));

/** The one of this process. */
export const poller = perProcess('poller 2', () => new Poller());
