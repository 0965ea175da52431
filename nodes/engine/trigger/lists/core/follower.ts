import { Pace, systemClock } from '../../../watch';
import type { Clock, PollFailure } from '../../../watch';
import type { ListSnapshot } from './listSnapshot';
import { OldChanges } from './oldChanges';
import { Outbox } from './outbox';
import { PendingStarts } from './pendingStarts';
import { ServiceClock } from './serviceClock';
import type { TrackedList } from './trackedList';
import { TrackedLists } from './trackedLists';
import { FOLLOW_DEFAULTS } from './types';
import type {
	FollowerStop,
	FollowHooks,
	FollowOptions,
	ListReadResult,
	ListReport,
	ListPage,
	ListDefinition,
} from './types';

/** Limit of passes over a list with several pages: records can move between pages while they are read. */
const MAX_PASSES = 5;
/** Longer sleeps are split: a timer overflows after 24 days. */
const MAX_SLEEP_MS = 3_600_000;
/** The polling interval of a failing list doubles up to this many times. */
const MAX_DOUBLINGS = 6;

/** Results that concern one list alone if the service answers for other lists. */
const LIST_FAULTS = new Set<PollFailure['kind']>([
	'missing',
	'failed',
	'credentialRejected',
	'unrecognized',
]);

/** The Date header and many stamps are whole seconds: a record written later in the same second has the same stamp. */
const MIN_OVERLAP_MS = 1000;

/** Comparing records blocks the event loop at most this long at a time: 10,000 records in one turn took 400 ms. */
const MAX_TURN_MS = 10;
/** Parsing a page with more records than this fills an event-loop turn. */
const LONG_PAGE_RECORDS = 500;

class TooManyRecords extends Error {}

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
	private readonly pace: Pace;
	private readonly pendingStarts: PendingStarts<Followed>;
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
		this.pendingStarts = new PendingStarts(
			{
				emit: async (start) => await hooks.emit(start),
				save: () => this.save(),
				report: (report) => hooks.report(report),
				sleep: async (ms, signal) => await hooks.sleep(ms, signal),
				now: () => this.clock.now(),
			},
			this.options,
			state?.pendingStarts,
		);
		this.trackedLists = new TrackedLists(this.options, this.clock, state);
		this.outbox = new Outbox(this.pendingStarts, this.options.batchesChanges, state?.pendingStarts);
	}

	snapshot(): ListSnapshot {
		const { saveCount: saves, trackedLists } = this;
		const pendingStarts = this.pendingStarts.toSaved();
		return { version: 1, saves, ...trackedLists.toSaved(), pendingStarts };
	}

	/** Polls until the signal aborts or the service rejects the credential. */
	async run(signal: AbortSignal): Promise<FollowerStop> {
		this.save();
		this.pendingStarts.reportExpired();
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
		const findings = await this.toPollFailure(async () => await this.hooks.discoverLists(signal));
		if (isStopped()) return;
		if ('kind' in findings) return this.handleServiceFault(findings, sentAt);
		const discoveredAt = findings.date === undefined ? undefined : this.observeDate(findings.date);
		this.trackedLists.setLists(findings.lists, discoveredAt ?? this.serviceClock.timeAt(sentAt));
		let succeeded = 0;
		let isCutShort = false;
		const failed: Array<[TrackedList<Followed>, PollFailure]> = [];
		for (const tracked of this.trackedLists.leastRecentlyPolledFirst) {
			if (tracked.dueAt > this.clock.monotonic()) continue;
			const startedAt = this.clock.monotonic();
			tracked.lastPolledAt = startedAt;
			let result = await this.pollList(tracked, signal);
			// A regular poll follows at once, so that the latest changes do not wait until a wide poll succeeds.
			const hasWideFailed = result.kind === 'unavailable' && tracked.cursor.isPollWide;
			if (hasWideFailed && !isStopped()) result = await this.pollList(tracked, signal);
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
		await this.outbox.flushRound(this.trackedLists.wasRead, signal);
		this.trackedLists.endRound(discoveredAt ?? this.serviceClock.timeAt(sentAt));
		for (const [tracked, result] of failed) {
			// If no list succeeded, the service is at fault and not this list.
			const isOfListAlone = succeeded > 0 || tracked.isFailureReported || result.kind === 'missing';
			if (isOfListAlone) this.postpone(tracked, result);
			// After a round that was cut short, a rejection by one list does not prove that the credential is rejected.
			else if (!isCutShort) return this.handleServiceFault(result, sentAt);
		}
	}

	/** Reads a list to its end, and submits changes to the outbox page by page. */
	private async pollList(
		tracked: TrackedList<Followed>,
		signal: AbortSignal,
	): Promise<ListReadResult> {
		const { list } = tracked;
		let firstResponseDate: number | undefined;
		const serviceNow = this.serviceClock.timeAt(this.clock.monotonic());
		if (serviceNow !== undefined) this.trackedLists.setFollowedSince(tracked, serviceNow);
		const since = tracked.beginPoll(serviceNow, this.clock.monotonic());
		for (let passes = 1; ; passes++) {
			const pass = { pages: 0, records: 0, hasChanges: false, hasRepeated: false };
			const takePage = async ({ records, date }: ListPage) => {
				pass.pages++;
				pass.records += records.length;
				if (!list.isFiltered) this.requireCapacity(tracked, pass.records);
				const monotonicMs = this.clock.monotonic();
				const serviceTimeMs =
					date === undefined ? this.serviceClock.timeAt(monotonicMs) : this.observeDate(date);
				if (passes === 1 && pass.pages === 1)
					tracked.observeFirstResponse((firstResponseDate = serviceTimeMs), monotonicMs);
				if (serviceTimeMs !== undefined) this.trackedLists.setFollowedSince(tracked, serviceTimeMs);
				const isIgnored = this.oldChanges.filterFor(tracked, serviceTimeMs);
				const context = { serviceTimeMs, monotonicMs, isFurtherPass: passes > 1, isIgnored };
				const onUndated = (fields: readonly string[]) => this.reportUndated(tracked, fields);
				for (let done = 0; done < records.length && !signal.aborted;) {
					// Parsing a long response has already used up this event-loop turn.
					const isTurnUsed = done > 0 || records.length > LONG_PAGE_RECORDS;
					if (isTurnUsed) await this.hooks.sleep(0, signal).catch(() => undefined);
					const turnEnds = this.clock.monotonic() + MAX_TURN_MS;
					const isOver = () => this.clock.monotonic() >= turnEnds;
					const processed = tracked.processSome(records, done, context, onUndated, isOver);
					done += processed.length;
					pass.hasRepeated ||= processed.some(({ repeated }) => repeated.length > 0);
					pass.hasChanges ||= pass.hasRepeated || processed.some(({ isChanged }) => isChanged);
					await this.outbox.add(list.key, processed, signal);
				}
			};
			const result = await this.toPollFailure(
				async () => await this.hooks.readList(list, since, takePage, signal),
			);
			if (result.kind !== 'complete' || signal.aborted) return result;
			const isSettled = pass.pages <= 1 || !pass.hasChanges || passes === MAX_PASSES;
			if (!isSettled && (list.isFiltered || tracked.hasNeverBeenRead || pass.hasRepeated)) continue;
			const { warning: message } = result;
			if (message) this.reportOnce(tracked, { kind: 'incomplete', list, message });
			const byMs = tracked.completePoll(firstResponseDate);
			if (byMs !== undefined) this.reportOnce(tracked, { kind: 'lateChange', list, byMs });
			tracked.reported.delete('tooManyRecords');
			this.oldChanges.completeList(tracked);
			return result;
		}
	}

	/** Reports and throws if the records of a compared list and the known ones of other lists exceed `maxKnown`. */
	private requireCapacity(tracked: TrackedList<Followed>, records: number): void {
		const { maxKnown: maxRecords } = this.options;
		if (records + this.trackedLists.countKnownOutside(tracked) <= maxRecords) return;
		this.reportOnce(tracked, { kind: 'tooManyRecords', list: tracked.list, maxRecords });
		tracked.isFailureReported = true;
		throw new TooManyRecords(`There are more than ${maxRecords} records to compare`);
	}

	/** Handles a failure of the service as a whole: stops if the credential is rejected, otherwise slows down. */
	private handleServiceFault(result: PollFailure, sentAt: number): void {
		if (result.kind === 'credentialRejected') {
			this.credentialRejection = result.message;
			return;
		}
		const fallback =
			result.kind === 'rateLimited'
				? 'The service asks to slow down'
				: 'The service does not know what was asked for';
		const { message = fallback } = 'message' in result ? result : {};
		const retryAfterMs = 'retryAfterMs' in result ? result.retryAfterMs : undefined;
		const fault = { message, retryAfterMs };
		const { report } = this.pace.recordFault(fault, sentAt, this.clock.monotonic(), 1);
		if (report?.kind === 'unavailable') this.hooks.report(report);
	}

	/** Handles a failure of one list alone: reports it once and doubles the time until its next poll. */
	private postpone(tracked: TrackedList<Followed>, result: PollFailure): void {
		const { list } = tracked;
		const doublings = Math.min(tracked.failures++, MAX_DOUBLINGS);
		tracked.dueAt = this.clock.monotonic() + this.options.intervalMs * 2 ** doublings;
		if (tracked.isFailureReported) return;
		tracked.isFailureReported = true;
		const message = 'message' in result ? (result.message ?? '') : '';
		this.hooks.report({ kind: 'listFailed', list, isGone: result.kind === 'missing', message });
	}

	private reportUndated(tracked: TrackedList<Followed>, fields: readonly string[]): void {
		const { list } = tracked;
		const creation = list.changeSchema.oneTimeEvents.find((once) => once.isCreation);
		if (creation && this.options.kinds.has(creation.kind))
			this.reportOnce(tracked, { kind: 'undated', list, fields });
	}

	/** Reports a problem of a list once, also across restarts; `tooManyRecords` again after a complete poll. */
	private reportOnce(tracked: TrackedList<Followed>, report: ListReport): void {
		if (tracked.reported.has(report.kind)) return;
		tracked.reported.add(report.kind);
		this.hooks.report(report);
	}

	private async toPollFailure<T>(request: () => Promise<T>): Promise<T | PollFailure> {
		try {
			return await request();
		} catch (error) {
			if (error instanceof TooManyRecords) return { kind: 'failed', message: error.message };
			return { kind: 'unavailable', message: error instanceof Error ? error.message : 'No answer' };
		}
	}

	private isCredentialRejected(): boolean {
		return this.credentialRejection !== undefined;
	}

	private save(): void {
		this.saveCount += this.trackedLists.all.length || 1;
		this.hooks.save();
	}

	private observeDate(date: number): number {
		return this.serviceClock.observe(date, this.clock.monotonic());
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
