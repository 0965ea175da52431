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
	follower: Follower<ListDefinition>;
	abort: AbortController;
	unconfirmedStarts: number;
	/** Virtual time before which the service wants no request. */
	noRequestBeforeMs: number;
}

const LONGEST_FIRST_POLL_MS = 8000;
/** At most this many rounds follow the last event of a history. */
const MAX_FINAL_ROUNDS = 100;

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
	/** Number of times the trigger was closed or killed. */
	stopCount = 0;
	killCount = 0;
	/** The service's time when the trigger was first activated. */
	followedFrom = 0;
	/** A time at the service at which the first poll has ended; infinite if the history does not wait for it. */
	firstPollEndedAt = Infinity;
	private readonly random: () => number;
	private activation: FollowerActivation | undefined;
	/** The state that a closed trigger leaves in the process; a kill destroys it. */
	private snapshotAtClose: string | undefined;

	constructor(readonly history: FollowHistory) {
		this.random = createRandom(history.seed);
		this.service = new SimulatedService(this.time, history, this.random);
		this.n8n = new FakeN8n(this.time, history, this.random);
	}

	/** Plays the history, then continues without faults until every list was read three times. */
	async simulate(): Promise<void> {
		this.followedFrom = this.service.now;
		this.openTrigger();
		if (this.history.waitsForFirstPoll) {
			await this.time.advance(LONGEST_FIRST_POLL_MS);
			this.firstPollEndedAt = this.service.now;
		}
		this.n8n.saveActivation(this.activation!);
		for (const { afterMs, event } of this.history.events) {
			await this.time.advance(afterMs);
			await this.applyEvent(event);
		}
		await this.finishWithoutFaults();
	}

	/** Notes a violation of a rule. */
	private check(isSatisfied: boolean, rule: string): void {
		if (!isSatisfied) this.violations.push(`${rule} (at ${Math.round(this.time.nowMs)})`);
	}

	private async applyEvent(event: HistoryEvent): Promise<void> {
		if (event.kind === 'changes')
			for (const change of event.changes) this.service.applyChange(change);
		else if (event.kind === 'changesBetweenPages')
			this.service.changesBetweenPages.push(...event.changes);
		else if (event.kind === 'serviceCondition') this.service.condition = event.condition;
		else if (event.kind === 'listCondition') {
			// A list that is discovered later is followed only from then on.
			if (this.history.waitsForFirstPoll || event.condition !== 'undiscovered')
				this.service.listConditions[event.listIndex] = event.condition;
		} else if (event.kind === 'localClock') {
			// A follower without a first response relies on wall-clock time if n8n ends meanwhile.
			if (this.history.waitsForFirstPoll) this.time.wallClockOffsetMs += event.byMs;
		} else if (event.kind === 'kill') await this.killAndRestart(event.downtimeMs);
		else await this.closeAndReopen(event.downtimeMs, event.isStale);
	}

	private async killAndRestart(downtimeMs: number): Promise<void> {
		this.killCount++;
		this.stopCount++;
		const activation = this.activation!;
		this.activation = undefined;
		this.snapshotAtClose = undefined;
		this.n8n.kill(activation);
		activation.abort.abort(new Error('killed'));
		await this.time.advance(downtimeMs);
		this.openTrigger();
		this.n8n.saveActivation(this.activation!);
	}

	private async closeAndReopen(downtimeMs: number, isStale: boolean): Promise<void> {
		this.stopCount++;
		const activation = this.activation!;
		this.activation = undefined;
		activation.abort.abort(new Error('closed'));
		await this.time.advance(0);
		this.snapshotAtClose = serializeState(activation.follower);
		await this.time.advance(downtimeMs);
		this.openTrigger(isStale ? this.n8n.staticDataAtActivation : this.n8n.staticData);
		this.n8n.saveActivation(this.activation!);
	}

	/** Ends all faults, and lets time pass until every list was read three times. */
	private async finishWithoutFaults(): Promise<void> {
		const { service, history } = this;
		for (const change of service.changesBetweenPages.splice(0)) service.applyChange(change);
		service.condition = 'available';
		service.listConditions.fill('available');
		history.rejectedStartsPercent = 0;
		history.longRunsPercent = 0;
		// Records that were written late are visible after the overlap.
		await this.time.advance(history.overlapMs);
		const faultsEndedAtMs = this.time.nowMs;
		const isReadThreeTimes = (list: number) =>
			service.polls.filter(
				({ listIndex, beganAtMs, endedAtMs }) =>
					listIndex === list && beganAtMs > faultsEndedAtMs && endedAtMs,
			).length >= 3;
		const listIndexes = Array.from({ length: history.listCount }, (_, index) => index);
		const areAllReadThreeTimes = () => listIndexes.every(isReadThreeTimes);
		for (let rounds = 0; rounds < MAX_FINAL_ROUNDS && !areAllReadThreeTimes(); rounds++) {
			this.n8n.finishExecutions();
			await this.time.advance(history.intervalMs);
		}
		this.check(areAllReadThreeTimes(), 'every list is read three times after the faults');
		this.n8n.finishExecutions();
		await this.time.advance(5000);
		this.activation?.abort.abort(new Error('closed'));
		this.activation = undefined;
		await this.time.advance(1000);
	}

	/** Activates the trigger with the newer of the static data and the state in the process. */
	private openTrigger(staticData = this.n8n.staticData): void {
		const { intervalMs, overlapMs, batchesChanges, includeExisting, maxUnconfirmed } = this.history;
		const abort = new AbortController();
		const activation = {
			abort,
			isKilled: false,
			isChanged: false,
			unconfirmedStarts: 0,
		} as FollowerActivation;
		activation.noRequestBeforeMs = 0;
		activation.follower = new Follower<ListDefinition>(
			{
				discoverLists: async (signal) => {
					this.checkRetryAfter(activation);
					return this.noteRetryAfter(activation, await this.service.discoverLists(signal));
				},
				readList: async (definition, since, acceptPage, signal) => {
					this.check(this.activation === activation, 'no list is read after the trigger stopped');
					this.checkRetryAfter(activation);
					return this.noteRetryAfter(
						activation,
						await this.service.readList(definition, since, acceptPage, signal),
					);
				},
				emit: async (start) => {
					this.check(
						this.activation === activation,
						'no start is requested after the trigger stopped',
					);
					this.check(
						++activation.unconfirmedStarts <= maxUnconfirmed,
						'no more starts are unconfirmed than allowed',
					);
					try {
						return await this.n8n.emit(activation, start);
					} finally {
						activation.unconfirmedStarts--;
					}
				},
				save: () => {
					this.check(this.activation === activation, 'nothing is saved after the trigger stopped');
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
			() => this.check(abort.signal.aborted, 'the follower runs until it is closed'),
			(error: unknown) => this.check(false, `the follower never fails: ${String(error)}`),
		);
	}

	private checkRetryAfter({ noRequestBeforeMs }: FollowerActivation): void {
		this.check(this.time.nowMs >= noRequestBeforeMs, 'no request is sent before Retry-After');
	}

	private noteRetryAfter<T extends object>(activation: FollowerActivation, response: T): T {
		const { retryAfterMs = 0 } = response as { retryAfterMs?: number };
		if (retryAfterMs > 0) activation.noRequestBeforeMs = this.time.nowMs + retryAfterMs;
		return response;
	}

	private recordUnclearIds(report: ListReport): void {
		if (report.kind !== 'startsUnclear') return;
		this.unclearIds.push(...report.ids);
	}
}

const serializeState = (follower: Follower<ListDefinition>) =>
	JSON.stringify(toStoredSnapshot(follower.snapshot()));
