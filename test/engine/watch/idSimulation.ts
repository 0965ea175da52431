import { readSnapshot, Watcher } from '../../../nodes/engine/watch';
import type {
	EndedId,
	IdReport,
	IdSnapshot,
	PollResult,
	WatchedId,
} from '../../../nodes/engine/watch';
import { createRandom, VirtualTime } from '../trigger/support/virtualTime';
import type { HistoryEvent, WatchHistory, WatcherActivation, ServiceCondition } from './idHistory';
import { ABNORMAL, responseFor } from './idResponseFor';
import { ResponseLog } from './idResponses';

const LONG_AGO_MS = -1e9;

/**
 * Simulation of one watcher: a service that fails at times, an n8n whose database saves when n8n does (after activation, on
 * emit, after a webhook call; in order, with a delay) and stores each deduplication key once, submissions of IDs, and
 * restarts and kills of n8n. Invariants are checked during the simulation; violated ones are collected.
 */
export class IdSimulation {
	readonly time = new VirtualTime();
	readonly violations: string[] = [];
	/** n8n's executions, by deduplication key. */
	readonly executions = new Map<string, EndedId>();
	/** IDs whose start was reported as expired and which were not submitted again. */
	readonly reportedIds = new Set<string>();
	/** IDs whose caller got an acknowledgement, and entered IDs. */
	readonly acknowledgedIds = new Set<string>();
	polls = 0;
	private readonly random: () => number;
	private activation: WatcherActivation | undefined;
	private staticData = '{}';
	private writesDoneAtMs = 0;
	private condition: ServiceCondition = 'available';
	private readonly lastPollMs = new Map<string, number>();
	private readonly responses = new ResponseLog();
	/** IDs that had ended in the state of a restarted watcher. */
	private readonly endedBeforeRestart = new Set<string>();
	/** IDs for which a start was ever requested. */
	private readonly requestedIds = new Set<string>();
	/** IDs with a requested start in the state of a restarted watcher. */
	private readonly savedRequestedIds = new Set<string>();
	/** The deduplication keys that n8n has stored. */
	private readonly keys = new Set<string>();

	constructor(private readonly history: WatchHistory) {
		this.random = createRandom(history.seed);
	}

	/** Plays the history, then continues without faults until everything has ended. */
	async simulate(): Promise<void> {
		const { events, maxWaitMs } = this.history;
		this.openWatcher();
		for (const { afterMs, event } of events) {
			await this.time.advance(afterMs);
			await this.applyEvent(event);
		}
		this.condition = 'available';
		this.history.rejectedStartsPercent = 0;
		await this.time.advance(maxWaitMs + 200_000);
		this.activation?.abort.abort(new Error('closed'));
		await this.time.advance(1000);
	}

	private check(isSatisfied: boolean, rule: string): void {
		if (!isSatisfied) this.violations.push(`${rule} (at ${this.time.nowMs})`);
	}

	private async applyEvent(event: HistoryEvent): Promise<void> {
		if (event.kind === 'clock') this.time.wallClockOffsetMs += event.byMs;
		else if (event.kind === 'condition') this.condition = event.condition;
		else if (event.kind === 'submit') this.submit(event.ids.map((index) => `id${index}`));
		else {
			const { activation } = this;
			// A kill loses pending writes; closing lets n8n finish them.
			if (event.kind === 'kill' && activation) activation.pendingWrites.length = 0;
			this.activation = undefined;
			activation?.abort.abort(new Error('closed'));
			if (event.kind === 'reopen')
				await this.time.advance(Math.max(0, this.writesDoneAtMs - this.time.nowMs));
			await this.time.advance(event.downtimeMs);
			this.openWatcher();
		}
	}

	private openWatcher(): void {
		const { intervalMs, maxInFlight, maxWaitMs, ids } = this.history;
		const savedState = JSON.parse(this.staticData) as Partial<IdSnapshot>;
		for (const { id, end } of savedState.ids ?? []) {
			if (end) this.endedBeforeRestart.add(id);
			if (end?.requestedAt !== undefined) this.savedRequestedIds.add(id);
		}
		for (const id of savedState.confirmedIds ?? []) this.endedBeforeRestart.add(id);
		if (!this.history.keepsKeys) this.keys.clear();
		const abort = new AbortController();
		const activation = {
			abort,
			staticData: '{}',
			inFlight: 0,
			notBeforeMs: LONG_AGO_MS,
		} as WatcherActivation;
		activation.endedIds = new Set();
		activation.startedIds = new Set();
		activation.pendingWrites = [];
		activation.lastGoodResponseMs = new Map();
		const enteredIds = ids.flatMap((simulated, index) =>
			simulated.isEntered ? [{ id: `id${index}` }] : [],
		);
		const knownIds = [...enteredIds, ...(savedState.ids ?? [])];
		activation.watchedSinceMs = new Map(knownIds.map(({ id }) => [id, this.time.nowMs]));
		activation.watcher = new Watcher(
			{
				pollId: (watched, signal) => this.respond(activation, watched, signal),
				emit: (ended) => this.emit(activation, ended),
				save: (snapshot) => {
					this.check(this.activation === activation, 'nothing is saved after the stop');
					activation.staticData = JSON.stringify(snapshot);
				},
				report: (report) => this.onReport(report),
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
			readSnapshot(savedState),
			enteredIds,
		);
		this.activation = activation;
		activation.watcher.run(abort.signal).then(
			() =>
				this.check(
					this.activation !== activation || abort.signal.aborted,
					'the watcher runs until it is closed',
				),
			(error: unknown) => this.check(false, `the watcher never fails: ${String(error)}`),
		);
		// n8n saves after activation, before it does anything else.
		this.staticData = activation.staticData;
		for (const { id } of enteredIds) this.acknowledgedIds.add(id);
	}

	/** Checks that a report names each ID once, and only IDs whose start was requested. */
	private onReport(report: IdReport): void {
		if (report.kind !== 'startsUnclear') return;
		for (const { id } of report.ended) {
			this.check(this.requestedIds.has(id), `${id} is reported only after its start was requested`);
			this.check(!this.reportedIds.has(id), `${id} is reported once`);
			this.reportedIds.add(id);
		}
	}

	private submit(ids: string[]): void {
		const { activation } = this;
		if (!activation) return;
		// After a report, users only submit IDs again for which no execution exists.
		ids = ids.filter((id) => !this.reportedIds.has(id) || !this.executions.has(id));
		// The watcher treats a reported ID that is submitted again as a new one.
		for (const id of ids.filter((each) => this.reportedIds.has(each))) {
			this.endedBeforeRestart.delete(id);
			this.lastPollMs.delete(id);
			this.savedRequestedIds.delete(id);
		}
		const added = activation.watcher.add(ids.map((id) => ({ id, data: { ownId: id } })));
		this.check(added.ok, 'IDs are accepted');
		for (const id of ids)
			activation.watchedSinceMs.set(id, activation.watchedSinceMs.get(id) ?? this.time.nowMs);
		const snapshot = JSON.stringify(activation.watcher.snapshot());
		this.write(activation, snapshot, () => ids.forEach((id) => this.acknowledge(id)));
	}

	/** Acknowledges a submitted ID: its caller relies on the watcher from now on. */
	private acknowledge(id: string): void {
		this.acknowledgedIds.add(id);
		this.reportedIds.delete(id);
	}

	/** Writes to the database after a delay, in the order of the calls. */
	private write(activation: WatcherActivation, content: string, onWritten?: () => void): void {
		this.writesDoneAtMs = Math.max(this.time.nowMs + this.random() * 40, this.writesDoneAtMs);
		const writeNow = () => {
			this.staticData = content;
			onWritten?.();
		};
		activation.pendingWrites.push(writeNow);
		this.time.schedule(this.writesDoneAtMs - this.time.nowMs, () => {
			const index = activation.pendingWrites.indexOf(writeNow);
			if (index < 0) return;
			activation.pendingWrites.splice(index, 1);
			writeNow();
		});
	}

	private async emit(activation: WatcherActivation, ended: EndedId): Promise<unknown> {
		const { id } = ended;
		this.check(this.activation === activation, 'nothing is emitted after the stop');
		const saved = JSON.parse(activation.staticData) as IdSnapshot;
		const savedEntry = saved.ids.find((each) => each.id === id);
		this.check(savedEntry?.end?.outcome === ended.outcome, `${id} is saved before it is emitted`);
		this.check(!activation.startedIds.has(id), `${id} is emitted once in an activation`);
		activation.endedIds.add(id);
		activation.startedIds.add(id);
		this.requestedIds.add(id);
		this.reportedIds.delete(id);
		this.write(activation, activation.staticData);
		await this.time.sleep(this.random() * 60);
		if (this.activation !== activation) return await new Promise(() => undefined);
		if (this.random() * 100 < this.history.rejectedStartsPercent) {
			activation.startedIds.delete(id);
			throw new Error('not started');
		}
		if (this.keys.has(id)) return undefined;
		// n8n saves and starts concurrently: after a crash between the two, only the key shows that the execution exists.
		const isUnknowable = !this.history.keepsKeys && !this.savedRequestedIds.has(id);
		this.check(!this.executions.has(id) || isUnknowable, `${id} starts once`);
		this.keys.add(id);
		this.executions.set(id, ended);
		this.checkOutcome(ended);
		await this.time.sleep(this.random() * 20_000);
		return 'a run';
	}

	/** Checks that an outcome is true. */
	private checkOutcome({ id, outcome, data }: EndedId): void {
		const simulated = this.history.ids[Number(id.slice(2))]!;
		const lastThreeAre = (kind: PollResult['kind']) => this.responses.endsWithThree(id, kind);
		if (outcome === 'gone') this.check(lastThreeAre('missing'), `${id} was missing three times`);
		else if (outcome === ABNORMAL.doubtful)
			this.check(lastThreeAre('doubtful'), `${id} was doubtful three times`);
		else if (outcome === ABNORMAL.unrecognized) {
			this.check(lastThreeAre('unrecognized'), `${id} was unrecognized three times`);
			this.check(
				this.responses.isOnlyUnrecognizedId(id),
				`other IDs had good responses while ${id} had none`,
			);
		} else if (outcome !== 'stillOutstanding') {
			const isTrue =
				outcome === simulated.outcome && (simulated.finishedAtMs ?? Infinity) <= this.time.nowMs;
			this.check(isTrue, `${id} has the outcome ${outcome} at the service`);
		}
		if (!simulated.isEntered)
			this.check((data as { ownId: string }).ownId === id, `${id} has its own data`);
	}

	private async respond(
		activation: WatcherActivation,
		{ id }: WatchedId,
		signal: AbortSignal,
	): Promise<PollResult> {
		const { intervalMs, maxInFlight } = this.history;
		const { nowMs } = this.time;
		this.polls++;
		this.check(this.activation === activation, 'nothing is polled after the stop');
		this.check(
			nowMs - (this.lastPollMs.get(id) ?? LONG_AGO_MS) >= intervalMs,
			`${id} is not polled before its interval`,
		);
		this.check(
			!activation.endedIds.has(id) && !this.endedBeforeRestart.has(id),
			`${id} is not polled after its end`,
		);
		this.check(nowMs >= activation.notBeforeMs, 'Retry-After is kept');
		this.check(++activation.inFlight <= maxInFlight, 'concurrent requests stay within the limit');
		this.lastPollMs.set(id, nowMs);
		const maxLatencyMs = this.random() < 0.1 ? 4000 : 80;
		try {
			await this.time.sleep(this.random() * maxLatencyMs, signal);
			const result = this.responseFor(id);
			await this.time.sleep(this.random() * 20, signal);
			this.responses.record(activation, id, result, this.time.nowMs);
			if (result.kind === 'rateLimited') {
				const allowedFromMs = this.time.nowMs + (result.retryAfterMs ?? 0);
				activation.notBeforeMs = Math.max(activation.notBeforeMs, allowedFromMs);
			}
			return result;
		} finally {
			activation.inFlight--;
		}
	}

	private responseFor(id: string): PollResult {
		if (this.condition === 'down') return { kind: 'unavailable', message: '503' };
		if (this.condition === 'disconnecting') throw new Error('socket hang up');
		if (this.condition === 'rateLimited' && this.random() < 0.5) {
			return this.random() < 0.5
				? { kind: 'rateLimited' }
				: { kind: 'rateLimited', retryAfterMs: 7000 };
		}
		const simulated = this.history.ids[Number(id.slice(2))]!;
		return responseFor(simulated, id, this.time.nowMs, this.condition === 'garbled');
	}
}
