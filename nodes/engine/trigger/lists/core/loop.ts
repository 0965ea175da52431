import { Pace } from '../../ids/core';
import type { Clock, PollResult } from '../../ids/core';
import { Outbox } from './outbox';
import { PendingStarts } from './pendingStarts';
import type { ListSnapshot } from './saved';
import { ServiceClock } from './serviceClock';
import type { TrackedList } from './trackedList';
import { TrackedLists } from './trackedLists';
import { FOLLOW_DEFAULTS } from './types';
import type { FollowHooks, FollowOptions, ListReport, ListPage, Source } from './types';

/** A list of several pages is read again until a pass brings nothing new, since records move between pages meanwhile. */
const MOST_PASSES = 5;
/** The longest nap: a timer cannot hold more than 24 days. */
const LONGEST_NAP_MS = 3_600_000;
/** A list that is gone, or that something is against, is looked at more and more rarely. */
const MOST_DOUBLINGS = 6;

/** What may be about one list alone, if others are answered well. */
const AGAINST_ONE: ReadonlySet<PollResult['kind']> = new Set([
	'missing',
	'failed',
	'refused',
	'unreadable',
]);

const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Dates of answers, and often stamps, are whole seconds: what is written later in the same one has the same stamp. */
const LEAST_OVERLAP_MS = 1000;

const CLOCK_REPORT_EVERY_MS = 24 * 3_600_000;

/** So long records are compared before other work of n8n gets its turn: 10,000 in one turn took 400 ms. */
const LONGEST_TURN_MS = 10;
const MANY_RECORDS = 500;

class TooMany extends Error {}

/** Whether the service was sick when this list was asked for, and also the time before. */
const isSickAgain = (tracked: TrackedList<Source>, { kind }: PollResult): boolean =>
	kind === 'sick' && ++tracked.sick > 1;

/** Why a follower stopped. */
export interface FollowerStop {
	/** The service's words when it refused the credential. */
	refused?: string;
}

/**
 * Follows lists of a service and has each change of their records started once. Make one, and `run` it once.
 *
 * What it guarantees, given that starting the same key twice is harmless: each change that the service shows within the overlap
 * is started, in whatever life; what was there before it began is not.
 */
export class Follower<Followed extends Source> {
	private readonly options: FollowOptions;
	private readonly clock: Clock;
	private readonly serviceClock = new ServiceClock((byMs) => this.setBackBy(byMs));
	private setBackReportedAt = -Infinity;
	private readonly pace: Pace;
	private readonly starts: PendingStarts<Followed>;
	private readonly trackedLists: TrackedLists<Followed>;
	private readonly outbox: Outbox<Followed>;
	private saves: number;
	private refused: string | undefined;

	/** Goes on from what was saved before. */
	constructor(
		private readonly hooks: FollowHooks<Followed>,
		options: Partial<FollowOptions> & Pick<FollowOptions, 'kinds' | 'owner'>,
		saved?: ListSnapshot,
	) {
		this.options = { ...FOLLOW_DEFAULTS, ...options };
		this.options.overlapMs = Math.max(this.options.overlapMs, LEAST_OVERLAP_MS);
		this.saves = saved?.saves ?? 0;
		this.clock = hooks.clock ?? systemClock;
		const { intervalMs, longestPauseMs } = this.options;
		this.pace = new Pace(
			{ intervalMs, maxInFlight: 1, longestPauseMs: Math.max(intervalMs, longestPauseMs) },
			hooks.random ?? Math.random,
		);
		this.starts = new PendingStarts(
			{
				emit: async (start) => await hooks.emit(start),
				save: () => this.save(),
				report: (report) => hooks.report(report),
				sleep: async (ms, signal) => await hooks.sleep(ms, signal),
				now: () => this.clock.now(),
			},
			this.options,
			saved?.asked,
		);
		this.trackedLists = new TrackedLists(this.options, this.clock, saved);
		this.outbox = new Outbox(this.starts, this.options.together, saved?.asked);
	}

	/** All that must survive a restart. */
	snapshot(): ListSnapshot {
		const { saves } = this;
		return { version: 1, saves, ...this.trackedLists.toSaved(), asked: this.starts.toSaved() };
	}

	/** Follows until the signal is given or the credential is refused. */
	async run(signal: AbortSignal): Promise<FollowerStop> {
		this.save();
		this.starts.reportUnclear();
		while (!signal.aborted && this.refused === undefined) {
			const began = this.clock.monotonic();
			await this.round(signal);
			this.hooks.roundOver?.();
			const next = Math.max(began + this.options.intervalMs, this.pace.readyAt);
			await this.restUntil(next, signal);
		}
		return { refused: this.refused };
	}

	/** Looks at every list once, one after the other. */
	private async round(signal: AbortSignal): Promise<void> {
		const sentAt = this.clock.monotonic();
		const isStopped = () => signal.aborted;
		const found = await this.asked(async () => await this.hooks.find(signal));
		if (isStopped()) return;
		if ('kind' in found) return this.judge(found, sentAt);
		const began = found.date === undefined ? undefined : this.hear(found.date);
		const { trackedLists } = this;
		trackedLists.arrange(found.sources, began ?? this.serviceClock.at(sentAt));
		let well = 0;
		const against: Array<[TrackedList<Followed>, PollResult]> = [];
		for (const tracked of trackedLists.inTurn) {
			if (tracked.dueAt > this.clock.monotonic()) continue;
			const askedAt = this.clock.monotonic();
			tracked.readAt = askedAt;
			const verdict = await this.look(tracked, signal);
			if (isStopped()) return;
			if (verdict.kind === 'finished') {
				well++;
				this.pace.good(tracked.source.key, askedAt, this.clock.monotonic(), 1);
			} else if (AGAINST_ONE.has(verdict.kind) || (isSickAgain(tracked, verdict) && well > 0)) {
				against.push([tracked, verdict]);
			} else {
				this.judge(verdict, askedAt);
				break;
			}
		}
		await this.outbox.roundOver(trackedLists.isRead, signal);
		trackedLists.roundOver(began ?? this.serviceClock.at(sentAt));
		for (const [tracked, verdict] of against) {
			// If nobody fares better, it is not about one of them.
			if (well > 0 || verdict.kind === 'missing' || tracked.told.has('tooMany'))
				this.setBack(tracked, verdict);
			else return this.judge(verdict, sentAt);
		}
	}

	/** Reads a list to its end, and starts what has changed as it comes. */
	private async look(tracked: TrackedList<Followed>, signal: AbortSignal): Promise<PollResult> {
		const { filtered } = tracked.source;
		let began: number | undefined;
		const serviceNow = this.serviceClock.at(this.clock.monotonic());
		if (serviceNow !== undefined) this.trackedLists.begin(tracked, serviceNow);
		const since = tracked.readSince(serviceNow, this.clock.monotonic());
		for (let passes = 1; ; passes++) {
			const pass = { pages: 0, records: 0, news: false, again: false };
			const take = async ({ records, date }: ListPage) => {
				pass.pages++;
				pass.records += records.length;
				if (!filtered) this.requireRoom(tracked, pass.records);
				const at = this.clock.monotonic();
				const now = date === undefined ? this.serviceClock.at(at) : this.hear(date);
				if (passes === 1 && pass.pages === 1) tracked.answered((began = now), at);
				if (now !== undefined) this.trackedLists.begin(tracked, now);
				const seen = { now, at, isFurther: passes > 1 };
				const undated = (fields: readonly string[]) => this.undated(tracked, fields);
				for (let done = 0; done < records.length && !signal.aborted;) {
					// A long answer was parsed in this very turn.
					const isTurnUsed = done > 0 || records.length > MANY_RECORDS;
					if (isTurnUsed) await this.hooks.sleep(0, signal).catch(() => undefined);
					const turnEnds = this.clock.monotonic() + LONGEST_TURN_MS;
					const isOver = () => this.clock.monotonic() >= turnEnds;
					const taken = tracked.takeSome(records, done, seen, undated, isOver);
					done += taken.length;
					pass.again ||= taken.some(({ again }) => again.length > 0);
					pass.news ||= pass.again || taken.some(({ isNews }) => isNews);
					await this.outbox.put(tracked.source.key, taken, signal);
				}
			};
			const verdict = await this.asked(
				async () => await this.hooks.look(tracked.source, since, take, signal),
			);
			if (verdict.kind !== 'finished' || signal.aborted) return verdict;
			const settled = pass.pages <= 1 || !pass.news || passes === MOST_PASSES;
			if (!settled && (filtered || tracked.isFirst || pass.again)) continue;
			if (typeof verdict.result === 'string') {
				this.tell(tracked, {
					kind: 'incomplete',
					source: tracked.source,
					message: verdict.result,
				});
			}
			const byMs = tracked.complete(began);
			if (byMs !== undefined) this.tell(tracked, { kind: 'behind', source: tracked.source, byMs });
			tracked.told.delete('lost');
			tracked.told.delete('tooMany');
			return verdict;
		}
	}

	/** Throws, and tells people, if a list that is compared is too long beside the others. */
	private requireRoom(tracked: TrackedList<Followed>, records: number): void {
		const { maxKnown: most } = this.options;
		// What is known of a list that is too long itself takes no room away from the others.
		const others = this.trackedLists.all.filter(
			(other) => other !== tracked && !other.told.has('tooMany'),
		);
		const beside = others.reduce((sum, { size }) => sum + size, 0);
		if (records + beside <= most) return;
		this.tell(tracked, { kind: 'tooMany', source: tracked.source, most });
		tracked.lost = true;
		throw new TooMany(`There are more than ${most} records to compare`);
	}

	/** Takes in what is wrong with the service as a whole. */
	private judge(verdict: PollResult, sentAt: number): void {
		if (verdict.kind === 'refused') {
			this.refused = verdict.message;
			return;
		}
		const words =
			verdict.kind === 'busy'
				? 'The service asks to slow down'
				: 'The service does not know what was asked for';
		const { message = words } = 'message' in verdict ? verdict : {};
		const asked = 'retryAfterMs' in verdict ? verdict.retryAfterMs : undefined;
		const { report } = this.pace.fault(sentAt, this.clock.monotonic(), 1, message, asked);
		if (report?.kind === 'sick') this.hooks.report(report);
	}

	/** Takes in that a list is gone, or that the service has something against it: it is looked at more rarely. */
	private setBack(tracked: TrackedList<Followed>, verdict: PollResult): void {
		const { source } = tracked;
		const doublings = Math.min(tracked.failures++, MOST_DOUBLINGS);
		tracked.dueAt = this.clock.monotonic() + this.options.intervalMs * 2 ** doublings;
		if (tracked.lost) return;
		tracked.lost = true;
		const message = 'message' in verdict ? (verdict.message ?? '') : '';
		this.hooks.report({ kind: 'lost', source, gone: verdict.kind === 'missing', message });
	}

	/** Reports that the service's clock was set back; not for every answer of two machines whose clocks differ. */
	private setBackBy(byMs: number): void {
		const now = this.clock.monotonic();
		if (now - this.setBackReportedAt < CLOCK_REPORT_EVERY_MS) return;
		this.setBackReportedAt = now;
		this.hooks.report({ kind: 'setBack', byMs });
	}

	private undated(tracked: TrackedList<Followed>, fields: readonly string[]): void {
		const { source } = tracked;
		const creation = source.facets.once.find((once) => once.creation);
		if (creation && this.options.kinds.has(creation.kind)) {
			this.tell(tracked, { kind: 'undated', source, fields });
		}
	}

	/** Tells people something about a list, once. */
	private tell(tracked: TrackedList<Followed>, report: ListReport): void {
		if (tracked.told.has(report.kind)) return;
		tracked.told.add(report.kind);
		this.hooks.report(report);
	}

	/** What was asked, or that it could not be. */
	private async asked<T>(ask: () => Promise<T>): Promise<T | PollResult> {
		try {
			return await ask();
		} catch (error) {
			if (error instanceof TooMany) return { kind: 'failed', message: error.message };
			return { kind: 'sick', message: error instanceof Error ? error.message : 'No answer' };
		}
	}

	private save(): void {
		this.saves++;
		this.hooks.save();
	}

	private hear(date: number): number {
		return this.serviceClock.hear(date, this.clock.monotonic());
	}

	private async restUntil(at: number, signal: AbortSignal): Promise<void> {
		while (!signal.aborted && this.refused === undefined) {
			const wait = at - this.clock.monotonic();
			if (wait <= 0) return;
			const nap = Math.min(Math.ceil(wait), LONGEST_NAP_MS);
			await this.hooks.sleep(nap, signal).catch(() => undefined);
		}
	}
}
