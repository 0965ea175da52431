import { Watcher } from '../../../nodes/engine/watch';
import type {
	EndedId,
	IdReport,
	IdSnapshot,
	PollResult,
	Watched,
} from '../../../nodes/engine/watch';
import { randomFrom, VirtualTime } from '../trigger/support/virtualTime';
import type { Happening, History, Life, ServiceCondition } from './idHistory';
import { ResponseLog } from './idResponses';

const LONG_AGO = -1e9;
const ODD = { unreadable: 'spoilt', doubtful: 'unproven' };

/**
 * Simulation of one watcher: a service that fails at times, an n8n whose database saves when n8n does (after activation, on
 * emit, after a webhook call; in order, with a delay) and stores each deduplication key once, submissions of IDs, and
 * restarts and kills of n8n. Invariants are checked during the simulation; violated ones are collected.
 */
export class World {
	readonly time = new VirtualTime();
	readonly broken: string[] = [];
	/** n8n's executions, by deduplication key. */
	readonly executions = new Map<string, EndedId>();
	/** IDs whose start was reported as expired and which were not submitted again. */
	readonly told = new Set<string>();
	/** IDs that were acknowledged. */
	readonly promised = new Set<string>();
	polls = 0;
	private readonly random: () => number;
	private life: Life | undefined;
	private database = '{}';
	private writtenUntil = 0;
	private condition: ServiceCondition = 'fine';
	private readonly lastPoll = new Map<string, number>();
	private readonly responses = new ResponseLog();
	/** IDs that had ended in the state of a restarted watcher. */
	private readonly over = new Set<string>();
	/** IDs for which a start was ever requested. */
	private readonly asked = new Set<string>();
	/** IDs with a requested start in the state of a restarted watcher. */
	private readonly knownAsked = new Set<string>();
	/** The deduplication keys that n8n has stored. */
	private readonly keys = new Set<string>();

	constructor(private readonly history: History) {
		this.random = randomFrom(history.seed);
	}

	/** Plays the history, then continues without faults until everything has ended. */
	async live(): Promise<void> {
		const { happenings, maxWaitMs } = this.history;
		this.open();
		for (const { afterMs, what } of happenings) {
			await this.time.pass(afterMs);
			await this.happen(what);
		}
		this.condition = 'fine';
		this.history.rejects = 0;
		await this.time.pass(maxWaitMs + 200_000);
		this.life?.abort.abort(new Error('closed'));
		await this.time.pass(1000);
	}

	private check(holds: boolean, rule: string): void {
		if (!holds) this.broken.push(`${rule} (at ${this.time.at})`);
	}

	private async happen(what: Happening): Promise<void> {
		if (what.kind === 'clock') this.time.ahead += what.byMs;
		else if (what.kind === 'condition') this.condition = what.condition;
		else if (what.kind === 'handIn') this.handIn(what.ids.map((index) => `id${index}`));
		else {
			const { life } = this;
			// A kill loses pending writes; closing lets n8n finish them.
			if (what.kind === 'kill' && life) life.pendingWrites.length = 0;
			this.life = undefined;
			life?.abort.abort(new Error('closed'));
			if (what.kind === 'reopen')
				await this.time.pass(Math.max(0, this.writtenUntil - this.time.at));
			await this.time.pass(what.awayMs);
			this.open();
		}
	}

	private open(): void {
		const { intervalMs, maxInFlight, maxWaitMs, fates } = this.history;
		const saved = JSON.parse(this.database) as Partial<IdSnapshot>;
		for (const { id, end } of saved.ids ?? []) {
			if (end) this.over.add(id);
			if (end?.requestedAt !== undefined) this.knownAsked.add(id);
		}
		for (const id of saved.ended ?? []) this.over.add(id);
		if (!this.history.keepsKeys) this.keys.clear();
		const abort = new AbortController();
		const life = { abort, staticData: '{}', inFlight: 0, notBefore: LONG_AGO } as Life;
		life.ended = new Set();
		life.started = new Set();
		life.pendingWrites = [];
		life.goodAt = new Map();
		const typed = fates.flatMap((fate, index) => (fate.typed ? [{ id: `id${index}` }] : []));
		const known = [...typed, ...(saved.ids ?? [])];
		life.since = new Map(known.map(({ id }) => [id, this.time.at]));
		life.watcher = new Watcher(
			{
				fetch: (watched, signal) => this.respond(life, watched, signal),
				emit: (ended) => this.emit(life, ended),
				save: (snapshot) => {
					this.check(this.life === life, 'nothing is saved after the stop');
					life.staticData = JSON.stringify(snapshot);
				},
				report: (report) => this.hear(report),
				sleep: this.time.sleep,
				clock: this.time.clock,
				random: this.random,
			},
			{
				intervalMs,
				maxInFlight,
				maxWaitMs,
				longestPauseMs: 10_000,
				...(!this.history.keepsKeys && { repeatStartsForMs: 0 }),
			},
			saved,
			typed,
		);
		this.life = life;
		life.watcher.run(abort.signal).then(
			() => this.check(this.life !== life || abort.signal.aborted, 'it runs until it is closed'),
			(error: unknown) => this.check(false, `it never fails: ${String(error)}`),
		);
		// n8n saves after activation, before it does anything else.
		this.database = life.staticData;
		for (const { id } of typed) this.promised.add(id);
	}

	/** Checks that a report names each ID once, and only IDs whose start was requested. */
	private hear(report: IdReport): void {
		if (report.kind !== 'startsUnclear') return;
		for (const { id } of report.ended) {
			this.check(this.asked.has(id), `${id} is told of only after it was asked for`);
			this.check(!this.told.has(id), `${id} is told of once`);
			this.told.add(id);
		}
	}

	private handIn(ids: string[]): void {
		const { life } = this;
		if (!life) return;
		// After a report, users only submit IDs again for which no execution exists.
		ids = ids.filter((id) => !this.told.has(id) || !this.executions.has(id));
		// For the watcher it is a new ID.
		for (const id of ids.filter((each) => this.told.has(each))) {
			this.over.delete(id);
			this.lastPoll.delete(id);
			this.knownAsked.delete(id);
		}
		const added = life.watcher.add(ids.map((id) => ({ id, data: { of: id } })));
		this.check(added.ok, 'ids are taken');
		for (const id of ids) life.since.set(id, life.since.get(id) ?? this.time.at);
		const snapshot = JSON.stringify(life.watcher.snapshot());
		this.write(life, snapshot, () => ids.forEach((id) => this.promise(id)));
	}

	/** Acknowledges a submitted ID: its caller relies on the watcher from now on. */
	private promise(id: string): void {
		this.promised.add(id);
		this.told.delete(id);
	}

	/** Writes to the database after a delay, in the order of the calls. */
	private write(life: Life, content: string, done?: () => void): void {
		this.writtenUntil = Math.max(this.time.at + this.random() * 40, this.writtenUntil);
		const perform = () => {
			this.database = content;
			done?.();
		};
		life.pendingWrites.push(perform);
		this.time.after(this.writtenUntil - this.time.at, () => {
			const index = life.pendingWrites.indexOf(perform);
			if (index < 0) return;
			life.pendingWrites.splice(index, 1);
			perform();
		});
	}

	private async emit(life: Life, ended: EndedId): Promise<unknown> {
		const { id } = ended;
		this.check(this.life === life, 'nothing is emitted after the stop');
		const saved = JSON.parse(life.staticData) as IdSnapshot;
		const entry = saved.ids.find((each) => each.id === id);
		this.check(entry?.end?.outcome === ended.outcome, `${id} is saved before it is emitted`);
		this.check(!life.started.has(id), `${id} is emitted once in a life`);
		life.ended.add(id);
		life.started.add(id);
		this.asked.add(id);
		this.told.delete(id);
		this.write(life, life.staticData);
		await this.time.sleep(this.random() * 60);
		if (this.life !== life) return await new Promise(() => undefined);
		if (this.random() * 100 < this.history.rejects) {
			life.started.delete(id);
			throw new Error('not started');
		}
		if (this.keys.has(id)) return undefined;
		// n8n saves and starts concurrently: if it dies when only the execution was created, just the key can show that.
		const unknowable = !this.history.keepsKeys && !this.knownAsked.has(id);
		this.check(!this.executions.has(id) || unknowable, `${id} starts once`);
		this.keys.add(id);
		this.executions.set(id, ended);
		this.checkOutcome(ended);
		await this.time.sleep(this.random() * 20_000);
		return 'a run';
	}

	/** Checks that an outcome is true. */
	private checkOutcome({ id, outcome, data }: EndedId): void {
		const fate = this.history.fates[Number(id.slice(2))]!;
		const three = (kind: PollResult['kind']) => this.responses.endsWithThree(id, kind);
		if (outcome === 'gone') this.check(three('missing'), `${id} is gone`);
		else if (outcome === ODD.doubtful) this.check(three('doubtful'), `${id} is in doubt`);
		else if (outcome === ODD.unreadable) {
			this.check(three('unrecognized'), `${id} cannot be read`);
			this.check(this.responses.isBlamed(id), `others are answered well while ${id} is not`);
		} else if (outcome !== 'stillOutstanding') {
			const isSo = outcome === fate.outcome && (fate.finishedAt ?? Infinity) <= this.time.at;
			this.check(isSo, `${id} is ${outcome}`);
		}
		if (!fate.typed) this.check((data as { of: string }).of === id, `${id} has its own data`);
	}

	private async respond(life: Life, { id }: Watched, signal: AbortSignal): Promise<PollResult> {
		const { intervalMs, maxInFlight } = this.history;
		const { at } = this.time;
		this.polls++;
		this.check(this.life === life, 'nothing is asked after the stop');
		this.check(at - (this.lastPoll.get(id) ?? LONG_AGO) >= intervalMs, `${id} is polled too soon`);
		this.check(!life.ended.has(id) && !this.over.has(id), `${id} is polled after its end`);
		this.check(at >= life.notBefore, 'Retry-After is kept');
		this.check(++life.inFlight <= maxInFlight, 'no more in flight than allowed');
		this.lastPoll.set(id, at);
		const latency = this.random() < 0.1 ? 4000 : 80;
		try {
			await this.time.sleep(this.random() * latency, signal);
			const result = this.say(id);
			await this.time.sleep(this.random() * 20, signal);
			this.responses.note(life, id, result, this.time.at);
			if (result.kind === 'rateLimited') {
				life.notBefore = Math.max(life.notBefore, this.time.at + (result.retryAfterMs ?? 0));
			}
			return result;
		} finally {
			life.inFlight--;
		}
	}

	private say(id: string): PollResult {
		if (this.condition === 'down') return { kind: 'unavailable', message: '503' };
		if (this.condition === 'hangs up') throw new Error('socket hang up');
		if (this.condition === 'busy' && this.random() < 0.5) {
			return this.random() < 0.5
				? { kind: 'rateLimited' }
				: { kind: 'rateLimited', retryAfterMs: 7000 };
		}
		const { at } = this.time;
		const fate = this.history.fates[Number(id.slice(2))]!;
		if (at < fate.refusedUntil) return { kind: 'failed', message: '422' };
		if (this.condition === 'garbled' || (at >= fate.oddFrom && fate.odd === 'unreadable')) {
			return { kind: 'unrecognized', message: '?', outcome: ODD.unreadable };
		}
		if (at >= fate.oddFrom && fate.odd === 'page') return { kind: 'unrecognized', message: '<' };
		if (at >= fate.forgottenAt) return { kind: 'missing' };
		if (at >= fate.oddFrom) return { kind: 'doubtful', outcome: ODD.doubtful };
		const { finishedAt = Infinity, outcome } = fate;
		return at >= finishedAt ? { kind: 'finished', outcome, result: id } : { kind: 'pending' };
	}
}
