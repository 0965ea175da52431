import { retryDelayMs } from '../../../retryDelay';
import { Pace, systemClock } from '../../../watch';
import type { Clock, PollFailure } from '../../../watch';
import { ListPoll, orPollFailure } from './listPoll';
import type { ListSnapshot } from './listSnapshot';
import { OldChanges } from './oldChanges';
import { Outbox } from './outbox';
import { ServiceClock } from './serviceClock';
import type { TrackedList } from './trackedList';
import { TrackedLists } from './trackedLists';
import { FOLLOW_DEFAULTS } from './types';
import type { FollowerStop, FollowHooks, FollowOptions, ListDefinition } from './types';

/** Longer sleeps are split: a timer overflows after 24 days. */
const MAX_SLEEP_MS = 3_600_000;
/** The polling interval of a failing list doubles up to this many times its length. */
const MAX_SLOWDOWN = 64;

/** Results that concern one list alone if the service answers for other lists. */
const LIST_FAULTS = new Set<PollFailure['kind']>([
	'missing',
	'failed',
	'credentialRejected',
	'unrecognized',
]);

/** The Date header and many stamps are whole seconds: a record written later in the same second has the same stamp. */
const MIN_OVERLAP_MS = 1000;

/**
 * Follows lists of a service and starts the workflow once for each change of their records. `run` may be called once.
 *
 * Guarantee, provided that n8n ignores a second start with the same key: a change starts the workflow exactly once, also across
 * restarts, if the service returns it no later than the overlap after its stamp. Records that existed when following began start
 * nothing, unless `includeExisting` is set.
 */
export class Follower<Followed extends ListDefinition> {
	private readonly options: FollowOptions;
	private readonly clock: Clock;
	private readonly serviceClock = new ServiceClock((byMs) =>
		this.hooks.report({ kind: 'clockSetBack', byMs }),
	);
	private readonly listPoll: ListPoll<Followed>;
	private readonly pace: Pace;
	private readonly trackedLists: TrackedLists<Followed>;
	private readonly outbox: Outbox<Followed>;
	private readonly oldChanges: OldChanges<Followed>;
	private saveCount: number;
	private credentialRejection: string | undefined;

	/** Resumes from the saved snapshot, if there is one. */
	constructor(
		private readonly hooks: FollowHooks<Followed>,
		options: Partial<FollowOptions> & Pick<FollowOptions, 'kinds' | 'startKeyPrefix'>,
		savedState?: ListSnapshot,
	) {
		this.options = { ...FOLLOW_DEFAULTS, ...options };
		this.options.overlapMs = Math.max(this.options.overlapMs, MIN_OVERLAP_MS);
		this.clock = hooks.clock ?? systemClock;
		this.oldChanges = new OldChanges(this.options, this.clock);
		const state = this.oldChanges.dropStarts(savedState);
		this.saveCount = state?.saves ?? 0;
		const { intervalMs, longestPauseMs } = this.options;
		this.pace = new Pace(
			{ intervalMs, maxInFlight: 1, longestPauseMs: Math.max(intervalMs, longestPauseMs) },
			hooks.random ?? Math.random,
		);
		this.outbox = new Outbox(
			{
				emit: async (start) => await hooks.emit(start),
				save: () => this.save(),
				report: (report) => hooks.report(report),
				sleep: async (ms, signal) => await hooks.sleep(ms, signal),
				clock: this.clock,
			},
			this.options,
			state?.pendingStarts,
		);
		const { takeRestored } = this.outbox;
		this.trackedLists = new TrackedLists(this.options, this.clock, state, takeRestored);
		const { clock, serviceClock, trackedLists, outbox, oldChanges } = this;
		const parts = { clock, serviceClock, trackedLists, outbox, oldChanges };
		this.listPoll = new ListPoll(hooks, this.options, parts);
	}

	snapshot(): ListSnapshot {
		const { saveCount: saves, trackedLists } = this;
		const pendingStarts = this.outbox.toSaved();
		return { version: 1, saves, ...trackedLists.toSaved(), pendingStarts };
	}

	/** Polls until the signal aborts or the service rejects the credential. */
	async run(signal: AbortSignal): Promise<FollowerStop> {
		this.save();
		this.outbox.reportExpired();
		while (!signal.aborted && !this.isCredentialRejected()) {
			const roundStartedAt = this.clock.monotonic();
			await this.pollAll(signal);
			for (const report of this.oldChanges.takeReports()) this.hooks.report(report);
			if (!this.isCredentialRejected()) this.hooks.onRoundEnd?.();
			const next = Math.max(roundStartedAt + this.options.intervalMs, this.pace.readyAt);
			await this.sleepUntil(next, signal);
		}
		return { credentialRejectionMessage: this.credentialRejection };
	}

	/** Runs one round: discovers the lists and polls each that is due, sequentially. */
	private async pollAll(signal: AbortSignal): Promise<void> {
		const sentAt = this.clock.monotonic();
		const isStopped = () => signal.aborted;
		const findings = await orPollFailure(async () => await this.hooks.discoverLists(signal));
		if (isStopped()) return;
		if ('kind' in findings) return this.handleServiceFault(findings, sentAt);
		const { date } = findings;
		const discoveredAt =
			date === undefined ? undefined : this.serviceClock.observe(date, this.clock.monotonic());
		this.trackedLists.setLists(findings.lists, discoveredAt ?? this.serviceClock.timeAt(sentAt));
		let succeeded = 0;
		let isCutShort = false;
		const failed: Array<[TrackedList<Followed>, PollFailure]> = [];
		for (const tracked of this.trackedLists.leastRecentlyPolledFirst) {
			if (tracked.dueAt > this.clock.monotonic()) continue;
			const startedAt = this.clock.monotonic();
			tracked.lastPolledAt = startedAt;
			let result = await this.listPoll.run(tracked, signal);
			// A regular poll follows at once, so that the latest changes do not wait until a wide poll succeeds.
			const hasWideFailed = result.kind === 'unavailable' && tracked.cursor.isPollWide;
			if (hasWideFailed && !isStopped()) result = await this.listPoll.run(tracked, signal);
			if (isStopped()) return;
			if (result.kind === 'unavailable') tracked.unavailablePolls++;
			if (result.kind === 'complete') {
				succeeded++;
				this.pace.recordGoodPoll(tracked.list.key, startedAt, this.clock.monotonic(), 1);
			} else if (LIST_FAULTS.has(result.kind) || (tracked.unavailablePolls > 1 && succeeded > 0)) {
				failed.push([tracked, result]);
			} else {
				this.handleServiceFault(result, startedAt);
				isCutShort = true;
				break;
			}
		}
		await this.outbox.flushRound(this.trackedLists.isDone, signal);
		this.trackedLists.endRound(discoveredAt ?? this.serviceClock.timeAt(sentAt));
		for (const [tracked, result] of failed) {
			// If no list succeeded, the service is at fault and not this list.
			const isOfListAlone = succeeded > 0 || tracked.isFailureReported || result.kind === 'missing';
			if (isOfListAlone) this.postpone(tracked, result);
			// After a round that was cut short, a rejection by one list does not prove that the credential is rejected.
			else if (!isCutShort) return this.handleServiceFault(result, sentAt);
		}
	}

	/** Handles a failure of the service as a whole: stops if the credential is rejected, otherwise slows down. */
	private handleServiceFault(result: PollFailure, sentAt: number): void {
		if (result.kind === 'credentialRejected') {
			this.credentialRejection = result.message;
			return;
		}
		const isRateLimited = result.kind === 'rateLimited';
		const subject = isRateLimited ? 'asks to slow down' : 'does not know what was asked for';
		const { message = `The service ${subject}` } = 'message' in result ? result : {};
		const retryAfterMs = 'retryAfterMs' in result ? result.retryAfterMs : undefined;
		const fault = { message, retryAfterMs };
		const { report } = this.pace.recordFault(fault, sentAt, this.clock.monotonic(), 1);
		if (report?.kind === 'unavailable') this.hooks.report(report);
	}

	/** Handles a failure of one list alone: reports it once and doubles the time until its next poll. */
	private postpone(tracked: TrackedList<Followed>, result: PollFailure): void {
		const { list } = tracked;
		const { intervalMs: firstMs } = this.options;
		const delayMs = retryDelayMs(++tracked.failures, { firstMs, maxMs: firstMs * MAX_SLOWDOWN });
		tracked.dueAt = this.clock.monotonic() + delayMs;
		if (tracked.isFailureReported) return;
		tracked.isFailureReported = true;
		const message = 'message' in result ? (result.message ?? '') : '';
		this.hooks.report({ kind: 'listFailed', list, isGone: result.kind === 'missing', message });
	}

	private isCredentialRejected(): boolean {
		return this.credentialRejection !== undefined;
	}

	private save(): void {
		this.saveCount += this.trackedLists.all.length || 1;
		this.hooks.save();
	}

	private async sleepUntil(at: number, signal: AbortSignal): Promise<void> {
		while (!signal.aborted && !this.isCredentialRejected()) {
			const wait = at - this.clock.monotonic();
			if (wait <= 0) return;
			await this.hooks
				.sleep(Math.min(Math.ceil(wait), MAX_SLEEP_MS), signal)
				.catch(() => undefined);
		}
	}
}
