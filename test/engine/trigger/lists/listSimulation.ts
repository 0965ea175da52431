import {
	Follower,
	newerSnapshot,
	readStoredSnapshot,
	toStoredSnapshot,
} from '../../../../nodes/engine/trigger/lists/core';
import type { ListReport, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { createRandom, VirtualTime } from '../support/virtualTime';
import { FakeN8n } from './fakeN8n';
import type { Activation } from './fakeN8n';
import type { FollowHistory, HistoryEvent } from './listHistory';
import { SimulatedService } from './listService';

/** One activation of the trigger, until it is closed or n8n is killed. */
interface FollowerActivation extends Activation {
	number: number;
	follower: Follower<ListDefinition>;
	abort: AbortController;
	unconfirmedStarts: number;
	notBefore: number;
}

const LONGEST_FIRST_POLL_MS = 8000;
const MAX_ROUNDS = 100;

/**
 * Simulation of one follower: a service with its own clock whose records change, an n8n, and restarts and kills of n8n.
 * Invariants are checked during the simulation, its result afterwards by `violatedInvariants`.
 */
export class ListSimulation {
	readonly time = new VirtualTime();
	readonly violations: string[] = [];
	readonly service: SimulatedService;
	readonly n8n: FakeN8n;
	/** IDs reported as unclear: whether they started an execution is unknown. */
	readonly unclearIds: string[] = [];
	/** Number of times the trigger was closed or killed, and of kills alone. */
	stopCount = 0;
	killCount = 0;
	/** The service's time when the trigger was first activated, and when its first poll must have ended. */
	followedFromMs = 0;
	firstPollEndedAtMs = Infinity;
	private readonly random: () => number;
	private activation: FollowerActivation | undefined;
	private snapshotAtClose: string | undefined;
	private activationCount = 0;

	constructor(readonly history: FollowHistory) {
		this.random = createRandom(history.seed);
		this.service = new SimulatedService(this.time, history, this.random);
		this.n8n = new FakeN8n(this.time, history, this.random);
	}

	/** Plays the history, then continues without faults until every list was read three times. */
	async simulate(): Promise<void> {
		this.followedFromMs = this.service.now;
		this.open();
		if (this.history.waitsForFirstPoll) {
			await this.time.advance(LONGEST_FIRST_POLL_MS);
			this.firstPollEndedAtMs = this.service.now;
		}
		this.n8n.saveActivation(this.activation!);
		for (const { afterMs, event } of this.history.events) {
			await this.time.advance(afterMs);
			await this.apply(event);
		}
		await this.end();
	}

	check(isSatisfied: boolean, rule: string): void {
		if (!isSatisfied) this.violations.push(`${rule} (at ${Math.round(this.time.nowMs)})`);
	}

	private async apply(event: HistoryEvent): Promise<void> {
		if (event.kind === 'changes')
			for (const change of event.changes) this.service.applyChange(change);
		else if (event.kind === 'changesBetweenPages')
			this.service.changesBetweenPages.push(...event.changes);
		else if (event.kind === 'condition') this.service.condition = event.condition;
		else if (event.kind === 'list') {
			// A list that is discovered later is only tracked from then on.
			if (this.history.waitsForFirstPoll || event.state !== 'undiscovered')
				this.service.listStates[event.list] = event.state;
		} else if (event.kind === 'clock') {
			// A follower without a first response relies on wall-clock time if n8n ends meanwhile.
			if (this.history.waitsForFirstPoll) this.time.wallClockOffsetMs += event.byMs;
		} else if (event.kind === 'kill') {
			this.killCount++;
			this.stopCount++;
			const activation = this.activation!;
			this.activation = undefined;
			this.snapshotAtClose = undefined;
			this.n8n.kill(activation);
			activation.abort.abort(new Error('killed'));
			await this.time.advance(event.awayMs);
			this.open();
			this.n8n.saveActivation(this.activation!);
		} else {
			this.stopCount++;
			const activation = this.activation!;
			this.activation = undefined;
			activation.abort.abort(new Error('closed'));
			await this.time.advance(0);
			this.snapshotAtClose = serializeState(activation.follower);
			await this.time.advance(event.awayMs);
			this.open(event.isStale ? this.n8n.staticDataAtActivation : this.n8n.staticData);
			this.n8n.saveActivation(this.activation!);
		}
	}

	private async end(): Promise<void> {
		const { service, history } = this;
		for (const change of service.changesBetweenPages.splice(0)) service.applyChange(change);
		service.condition = 'available';
		service.listStates.fill('available');
		history.rejectedStartsPercent = 0;
		history.longRunsPercent = 0;
		// Records that were written late are visible after the overlap.
		await this.time.advance(history.overlapMs);
		const endingSinceMs = this.time.nowMs;
		const isReadThreeTimes = (list: number) =>
			service.polls.filter(
				(poll) => poll.list === list && poll.beganAtMs > endingSinceMs && poll.endedAt,
			).length >= 3;
		const lists = Array.from({ length: history.lists }, (_, list) => list);
		for (let rounds = 0; rounds < MAX_ROUNDS && !lists.every(isReadThreeTimes); rounds++) {
			this.n8n.finishAll();
			await this.time.advance(history.intervalMs);
		}
		this.check(lists.every(isReadThreeTimes), 'every list is read again once all is well');
		this.n8n.finishAll();
		await this.time.advance(5000);
		this.activation?.abort.abort(new Error('closed'));
		this.activation = undefined;
		await this.time.advance(1000);
	}

	private open(staticData = this.n8n.staticData): void {
		const { intervalMs, overlapMs, batchesChanges, includeExisting, maxUnconfirmed } = this.history;
		const abort = new AbortController();
		const activation = {
			abort,
			isKilled: false,
			isChanged: false,
			unconfirmedStarts: 0,
		} as FollowerActivation;
		activation.number = this.activationCount++;
		activation.notBefore = 0;
		activation.follower = new Follower<ListDefinition>(
			{
				discoverLists: async (signal) => {
					this.check(this.time.nowMs >= activation.notBefore, 'Retry-After is kept');
					return this.noteRetryAfter(activation, await this.service.discoverLists(signal));
				},
				readList: async (source, since, take, signal) => {
					this.check(this.activation === activation, 'nothing is asked after the stop');
					this.check(this.time.nowMs >= activation.notBefore, 'Retry-After is kept');
					return this.noteRetryAfter(
						activation,
						await this.service.pollList(activation.number, source, since, take, signal),
					);
				},
				emit: async (start) => {
					this.check(this.activation === activation, 'nothing is started after the stop');
					this.check(
						++activation.unconfirmedStarts <= maxUnconfirmed,
						'no more unconfirmed than allowed',
					);
					try {
						return await this.n8n.emit(activation, start);
					} finally {
						activation.unconfirmedStarts--;
					}
				},
				save: () => {
					this.check(this.activation === activation, 'nothing is saved after the stop');
					activation.isChanged = true;
				},
				report: (report) => this.recordUnclearIds(report),
				sleep: this.time.sleep,
				clock: this.time.clock,
				random: this.random,
			},
			{
				kinds: new Set(this.history.kinds),
				startKeyPrefix: 'workflow:node',
				intervalMs,
				overlapMs,
				batchesChanges,
				includeExisting,
				maxUnconfirmed,
				longestPauseMs: 60_000,
				...(!this.history.keepsKeys && { repeatStartsForMs: 0 }),
			},
			newerSnapshot(
				this.snapshotAtClose === undefined
					? undefined
					: readStoredSnapshot(JSON.parse(this.snapshotAtClose)),
				readStoredSnapshot(JSON.parse(staticData)),
			),
		);
		activation.readStaticData = () => serializeState(activation.follower);
		this.activation = activation;
		activation.follower.run(abort.signal).then(
			() => this.check(abort.signal.aborted, 'it runs until it is closed'),
			(error: unknown) => this.check(false, `it never fails: ${String(error)}`),
		);
	}

	private noteRetryAfter<T extends object>(activation: FollowerActivation, response: T): T {
		const { retryAfterMs = 0 } = response as { retryAfterMs?: number };
		if (retryAfterMs > 0) activation.notBefore = this.time.nowMs + retryAfterMs;
		return response;
	}

	private recordUnclearIds(report: ListReport): void {
		if (report.kind !== 'startsUnclear') return;
		for (const id of report.ids.flatMap((ids) => ids.split(', '))) this.unclearIds.push(id);
	}
}

const serializeState = (follower: Follower<ListDefinition>) =>
	JSON.stringify(toStoredSnapshot(follower.snapshot()));
