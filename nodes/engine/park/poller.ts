import { Client } from '../http/client';
import { perProcess } from '../n8n/perProcess';
import { TIMER_WINDOW_MS } from '../n8n/resumeTimer';
import { Turns } from '../run/turns';
import { sleep } from '../sleep';
import { systemClock, Watcher } from '../trigger/ids/core';
import { ask } from '../wait/ask';
import type { Question } from '../wait/ask';
import { Rounds } from './periodicChecks';
import { ONCE } from './sender';
import type { Sender } from './sender';

/**
 * How much time lies between two looks over one connection at least, however many are parked: thousands must be a load neither
 * for the service nor for n8n. A hundred are looked at as often as they should be, a thousand every 20 seconds.
 */
const BETWEEN_LOOKS_MS = 20;
/** What is watched is bounded by n8n's executions. */
const UNBOUNDED = { maxWatched: Infinity, maxRemembered: 0 };
/** How many executions n8n is told at a time to go on with, so that thousands that are decided together do not choke it. */
const WAKES_AT_A_TIME = 10;
/** How long to wait after each try to wake an execution that did not succeed. */
const PAUSES_MS = [2000, 4000, 8000, 15_000, 30_000, 30_000];
/** Timers may be a little early. */
const A_MOMENT_MS = 50;

/** One id that a parked execution waits for. */
export interface ParkedId {
	id: string;
	/** Who is expected to answer, where that is known. */
	subject?: string;
	question: Question;
	intervalMs: number;
}

/** A parked execution, as far as it is looked after: nothing here leads to the execution itself. */
export interface Parked {
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
class Watch {
	private readonly watcher: Watcher;
	private readonly told = new Map<string, { subject?: string; tells: Set<() => void> }>();

	constructor(
		readonly question: Question,
		readonly intervalMs: number,
		link: Pick<Link, 'sender' | 'turn'>,
	) {
		this.watcher = new Watcher(
			{
				sleep,
				fetch: async ({ id, subject }) => {
					await link.turn();
					const client = new Client(link.sender.connection, ONCE);
					const verdict = await ask(client, question.request(id), (answer) =>
						question.read(answer, id, subject),
					);
					// A rejected credential may be accepted again: its ids are polled less and less often.
					if (verdict.kind === 'refused') return { kind: 'unreadable', message: verdict.message };
					// What the service has against an id, the node tells when it looks itself.
					return verdict.kind === 'failed' ? { kind: 'finished', outcome: 'failed' } : verdict;
				},
				emit: async ({ id }) => {
					for (const tell of this.told.get(id)?.tells ?? []) tell();
				},
			},
			{ intervalMs, ...UNBOUNDED },
		);
	}

	/** Watches an id, and tells when it has ended. Says whether it could. */
	add(id: string, subject: string | undefined, tell: () => void): boolean {
		// The same id with another subject is another question.
		const known = this.told.get(id);
		if (known && known.subject !== subject) return false;
		const added = this.watcher.add([{ id, subject }]);
		if (!added.ok) return false;
		this.told.set(id, { subject, tells: (known?.tells ?? new Set()).add(tell) });
		// It ended a moment ago, for somebody else.
		if (added.finished > 0) tell();
		return true;
	}

	/** Tells no more. */
	leave(id: string, tell: () => void): void {
		const others = this.told.get(id)?.tells;
		if (!others?.delete(tell) || others.size > 0) return;
		this.told.delete(id);
		this.watcher.drop(id);
	}

	/** Runs until nothing is left to watch. */
	async run(): Promise<void> {
		await this.watcher.run(new AbortController().signal, { untilIdle: true });
	}
}

/** All that is parked over one connection; the sender of the one that came last serves all. */
class Link {
	users = 0;
	private readonly watches = new Set<Watch>();
	private nextTurnAt = 0;

	constructor(public sender: Sender) {}

	/** Waits until somebody may be asked. */
	async turn(): Promise<void> {
		const now = systemClock.monotonic();
		const at = Math.max(now, this.nextTurnAt);
		this.nextTurnAt = at + BETWEEN_LOOKS_MS;
		if (at > now) await sleep(at - now);
	}

	/** Watches an id, and tells when it has ended. Gives what to call when nobody wants to know any more. */
	watch({ id: given, subject, question, intervalMs }: ParkedId, tell: () => void): () => void {
		const id = given.trim();
		for (const watch of this.watches) {
			const fits = watch.question === question && watch.intervalMs === intervalMs;
			if (fits && watch.add(id, subject, tell)) return () => watch.leave(id, tell);
		}
		const watch = new Watch(question, intervalMs, this);
		watch.add(id, subject, tell);
		this.watches.add(watch);
		void watch.run().finally(() => this.watches.delete(watch));
		return () => watch.leave(id, tell);
	}
}

/** What is known of a parked execution besides what it is. */
interface Attendance {
	nap: AbortController;
	over: boolean;
}

/**
 * Looks after the parked executions of this process, and wakes each as soon as all that it waits for has ended. It only makes
 * things fast: if the process dies, n8n's own timer wakes them. It holds nothing of an execution but one sender for each
 * connection.
 */
export class Poller {
	/** Why n8n could not be told to go on, the last time that was tried. */
	trouble: string | undefined;
	private readonly links = new Map<string, Link>();
	private readonly attended = new Map<string, Attendance>();
	private readonly lanes = new Turns();
	private readonly rounds = new Rounds();
	private wakes = 0;

	/** How many executions are looked after, and over how many connections. */
	get size(): { executions: number; connections: number } {
		return { executions: this.attended.size, connections: this.links.size };
	}

	/** Looks after an execution from now on. */
	attend(parked: Parked, sender: Sender): void {
		this.forget(parked.key);
		const { owner, service } = sender.connection;
		const name = `${service.name} ${owner}`;
		const link = this.links.get(name) ?? new Link(sender);
		link.sender = sender;
		link.users++;
		this.links.set(name, link);
		const attendance = { nap: new AbortController(), over: false };
		this.attended.set(parked.key, attendance);
		// n8n tells nobody when somebody stops an execution that rests.
		const stop = {
			everyMs: shortestOf(parked),
			call: async () => {
				if (await link.sender.isOver(parked.statusUrl)) this.end(attendance);
			},
		};
		this.rounds.add(stop);
		void this.lookAfter(parked, link, attendance).finally(() => {
			this.rounds.drop(stop);
			if (this.attended.get(parked.key) === attendance) this.attended.delete(parked.key);
			if (--link.users === 0) this.links.delete(name);
		});
	}

	/** Looks after an execution no more: it goes on. */
	forget(key: string): void {
		const attendance = this.attended.get(key);
		if (attendance) this.end(attendance);
		this.attended.delete(key);
	}

	private end(attendance: Attendance): void {
		attendance.over = true;
		attendance.nap.abort();
	}

	private async lookAfter(parked: Parked, link: Link, attendance: Attendance): Promise<void> {
		// The node has looked a moment ago, and n8n is still storing the execution.
		const untilEnd = parked.endsAt + A_MOMENT_MS - Date.now();
		await this.nap(Math.min(shortestOf(parked), untilEnd), attendance);
		if (attendance.over) return;
		const open = new Set(parked.ids);
		const leave = parked.ids.map((one) =>
			link.watch(one, () => {
				open.delete(one);
				if (open.size === 0) attendance.nap.abort();
			}),
		);
		const overAt = Math.min(parked.endsAt, parked.until - TIMER_WINDOW_MS) + A_MOMENT_MS;
		await this.nap(overAt - Date.now(), attendance);
		for (const one of leave) one();
		if (open.size === 0 || Date.now() >= parked.endsAt) await this.wake(parked, link, attendance);
	}

	private async wake(parked: Parked, link: Link, attendance: Attendance): Promise<void> {
		for (const pauseMs of PAUSES_MS) {
			const lane = `${this.wakes++ % WAKES_AT_A_TIME}`;
			const done = await this.lanes.take(lane, async () => {
				if (attendance.over || Date.now() + TIMER_WINDOW_MS >= parked.until) return true;
				this.trouble = await link.sender.wake(parked.url);
				return this.trouble === undefined;
			});
			if (done) return;
			attendance.nap = new AbortController();
			await this.nap(pauseMs, attendance);
		}
	}

	private async nap(ms: number, { nap, over }: Attendance): Promise<void> {
		if (ms <= 0 || over || nap.signal.aborted) return;
		await sleep(ms, nap.signal).catch(() => undefined);
	}
}

const shortestOf = ({ ids }: Parked) => Math.min(...ids.map(({ intervalMs }) => intervalMs));

/** The one of this process. */
export const poller = perProcess('poller 2', () => new Poller());
