import {
	Follower,
	newerSnapshot,
	readStoredSnapshot,
	toStoredSnapshot,
} from '../../../../nodes/engine/trigger/lists/core';
import type { ListReport, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { randomFrom, VirtualTime } from '../support/virtualTime';
import { FakeN8n } from './fakeN8n';
import type { Activation } from './fakeN8n';
import type { FollowHistory, HistoryEvent } from './listHistory';
import { Service } from './listService';

/** One activation of the trigger, until it is closed or n8n is killed. */
interface FollowerActivation extends Activation {
	number: number;
	follower: Follower<ListDefinition>;
	abort: AbortController;
	unconfirmed: number;
	notBefore: number;
}

const LONGEST_FIRST_POLL_MS = 8000;
const MOST_ROUNDS = 100;

/**
 * Simulation of one follower: a service with its own clock whose records change, an n8n, and restarts and kills of n8n.
 * Invariants are checked during the simulation, its result afterwards by `violatedInvariants`.
 */
export class ListSimulation {
	readonly time = new VirtualTime();
	readonly violations: string[] = [];
	readonly service: Service;
	readonly n8n: FakeN8n;
	/** IDs reported as unclear: whether they started an execution is unknown. */
	readonly unclear: string[] = [];
	/** Number of times the trigger was closed or killed, and of kills alone. */
	ends = 0;
	kills = 0;
	/** The service's time when the trigger was first activated, and when its first poll must have ended. */
	from = 0;
	calmFrom = Infinity;
	private readonly random: () => number;
	private activation: FollowerActivation | undefined;
	private left: string | undefined;
	private activations = 0;

	constructor(readonly history: FollowHistory) {
		this.random = randomFrom(history.seed);
		this.service = new Service(this.time, history, this.random);
		this.n8n = new FakeN8n(this.time, history, this.random);
	}

	/** Plays the history, then continues without faults until every list was read three times. */
	async simulate(): Promise<void> {
		this.from = this.service.now;
		this.open();
		if (this.history.calm) {
			await this.time.pass(LONGEST_FIRST_POLL_MS);
			this.calmFrom = this.service.now;
		}
		this.n8n.activated(this.activation!);
		for (const { afterMs, what } of this.history.happenings) {
			await this.time.pass(afterMs);
			await this.happen(what);
		}
		await this.end();
	}

	check(holds: boolean, rule: string): void {
		if (!holds) this.violations.push(`${rule} (at ${Math.round(this.time.at)})`);
	}

	private async happen(what: HistoryEvent): Promise<void> {
		if (what.kind === 'deeds') for (const deed of what.deeds) this.service.applyChange(deed);
		else if (what.kind === 'between') this.service.between.push(...what.deeds);
		else if (what.kind === 'condition') this.service.condition = what.condition;
		else if (what.kind === 'list') {
			// A list that is discovered later is only tracked from then on.
			if (this.history.calm || what.is !== 'unnamed') this.service.state[what.list] = what.is;
		} else if (what.kind === 'clock') {
			// A follower without a first response relies on wall-clock time if n8n ends meanwhile.
			if (this.history.calm) this.time.ahead += what.byMs;
		} else if (what.kind === 'kill') {
			this.kills++;
			this.ends++;
			const activation = this.activation!;
			this.activation = undefined;
			this.left = undefined;
			this.n8n.kill(activation);
			activation.abort.abort(new Error('killed'));
			await this.time.pass(what.awayMs);
			this.open();
			this.n8n.activated(this.activation!);
		} else {
			this.ends++;
			const activation = this.activation!;
			this.activation = undefined;
			activation.abort.abort(new Error('closed'));
			await this.time.pass(0);
			this.left = columnOf(activation.follower);
			await this.time.pass(what.awayMs);
			this.open(what.stale ? this.n8n.activatedWith : this.n8n.database);
			this.n8n.activated(this.activation!);
		}
	}

	private async end(): Promise<void> {
		const { service, history } = this;
		for (const deed of service.between.splice(0)) service.applyChange(deed);
		service.condition = 'fine';
		service.state.fill('there');
		Object.assign(history, { rejects: 0, long: 0 });
		// Records that were written late are visible after the overlap.
		await this.time.pass(history.overlapMs);
		const begun = this.time.at;
		const isRead = (list: number) =>
			service.polls.filter((look) => look.list === list && look.at > begun && look.endedAt)
				.length >= 3;
		const lists = Array.from({ length: history.lists }, (_, list) => list);
		for (let rounds = 0; rounds < MOST_ROUNDS && !lists.every(isRead); rounds++) {
			this.n8n.finishAll();
			await this.time.pass(history.intervalMs);
		}
		this.check(lists.every(isRead), 'every list is read again once all is well');
		this.n8n.finishAll();
		await this.time.pass(5000);
		this.activation?.abort.abort(new Error('closed'));
		this.activation = undefined;
		await this.time.pass(1000);
	}

	private open(staticData = this.n8n.database): void {
		const { intervalMs, overlapMs, together, includeExisting, maxUnconfirmed } = this.history;
		const abort = new AbortController();
		const activation = {
			abort,
			killed: false,
			changed: false,
			unconfirmed: 0,
		} as FollowerActivation;
		activation.number = this.activations++;
		activation.notBefore = 0;
		activation.follower = new Follower<ListDefinition>(
			{
				discoverLists: async (signal) => {
					this.check(this.time.at >= activation.notBefore, 'Retry-After is kept');
					return this.received(activation, await this.service.find(signal));
				},
				readList: async (source, since, take, signal) => {
					this.check(this.activation === activation, 'nothing is asked after the stop');
					this.check(this.time.at >= activation.notBefore, 'Retry-After is kept');
					return this.received(
						activation,
						await this.service.pollList(activation.number, source, since, take, signal),
					);
				},
				emit: async (start) => {
					this.check(this.activation === activation, 'nothing is started after the stop');
					this.check(
						++activation.unconfirmed <= maxUnconfirmed,
						'no more unconfirmed than allowed',
					);
					try {
						return await this.n8n.emit(activation, start);
					} finally {
						activation.unconfirmed--;
					}
				},
				save: () => {
					this.check(this.activation === activation, 'nothing is saved after the stop');
					activation.changed = true;
				},
				report: (report) => this.noteReport(report),
				sleep: this.time.sleep,
				clock: this.time.clock,
				random: this.random,
			},
			{
				kinds: new Set(this.history.kinds),
				startKeyPrefix: 'workflow:node',
				intervalMs,
				overlapMs,
				batchesChanges: together,
				includeExisting,
				maxUnconfirmed,
				longestPauseMs: 60_000,
				...(!this.history.keepsKeys && { repeatStartsForMs: 0 }),
			},
			newerSnapshot(
				this.left === undefined ? undefined : readStoredSnapshot(JSON.parse(this.left)),
				readStoredSnapshot(JSON.parse(staticData)),
			),
		);
		activation.column = () => columnOf(activation.follower);
		this.activation = activation;
		activation.follower.run(abort.signal).then(
			() => this.check(abort.signal.aborted, 'it runs until it is closed'),
			(error: unknown) => this.check(false, `it never fails: ${String(error)}`),
		);
	}

	private received<T extends object>(activation: FollowerActivation, response: T): T {
		const { retryAfterMs = 0 } = response as { retryAfterMs?: number };
		if (retryAfterMs > 0) activation.notBefore = this.time.at + retryAfterMs;
		return response;
	}

	private noteReport(report: ListReport): void {
		if (report.kind !== 'startsUnclear') return;
		for (const id of report.ids.flatMap((ids) => ids.split(', '))) this.unclear.push(id);
	}
}

const columnOf = (follower: Follower<ListDefinition>) =>
	JSON.stringify(toStoredSnapshot(follower.snapshot()));
