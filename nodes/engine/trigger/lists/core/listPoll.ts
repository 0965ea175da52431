import type { IDataObject } from 'n8n-workflow';

import type { Clock, PollFailure } from '../../../watch';
import type { OldChanges } from './oldChanges';
import type { Outbox } from './outbox';
import type { ServiceClock } from './serviceClock';
import type { PageContext, TrackedList } from './trackedList';
import type { TrackedLists } from './trackedLists';
import type {
	FollowHooks,
	FollowOptions,
	ListDefinition,
	ListPage,
	ListReadResult,
	ListReport,
} from './types';

/** Limit of passes over a list with several pages: records can move between pages while they are read. */
const MAX_PASSES = 5;
/** Comparing records blocks the event loop at most this long at a time: 10,000 records in one turn took 400 ms. */
const MAX_TURN_MS = 10;
/** Parsing a page with more records than this fills an event-loop turn. */
const LONG_PAGE_RECORDS = 500;

class TooManyRecords extends Error {}

/** One pass over the pages of a list. */
interface Pass {
	number: number;
	pages: number;
	records: number;
	hasChanges: boolean;
	/** Whether records of starts from before the last restart were read again. */
	hasRepeated: boolean;
}

/** The parts of a follower that a poll uses. */
interface FollowerParts<Followed extends ListDefinition> {
	clock: Clock;
	serviceClock: ServiceClock;
	trackedLists: TrackedLists<Followed>;
	outbox: Outbox<Followed>;
	oldChanges: OldChanges<Followed>;
}

/** Polls one list: reads it to its end, in several passes if need be, and submits its changes to the outbox. */
export class ListPoll<Followed extends ListDefinition> {
	constructor(
		private readonly hooks: Pick<FollowHooks<Followed>, 'readList' | 'report' | 'sleep'>,
		private readonly options: Pick<FollowOptions, 'kinds' | 'maxKnown'>,
		private readonly parts: FollowerParts<Followed>,
	) {}

	async run(tracked: TrackedList<Followed>, signal: AbortSignal): Promise<ListReadResult> {
		const { list } = tracked;
		const { clock, serviceClock, trackedLists, oldChanges } = this.parts;
		let firstResponseDate: number | undefined;
		const serviceNow = serviceClock.timeAt(clock.monotonic());
		if (serviceNow !== undefined) trackedLists.setFollowedSince(tracked, serviceNow);
		const since = tracked.beginPoll(serviceNow, clock.monotonic());
		for (let number = 1; ; number++) {
			const pass = { number, pages: 0, records: 0, hasChanges: false, hasRepeated: false };
			const takePage = async ({ records, date }: ListPage) => {
				pass.pages++;
				pass.records += records.length;
				if (!list.isFiltered) this.requireCapacity(tracked, pass.records);
				const monotonicMs = clock.monotonic();
				const serviceTimeMs =
					date === undefined
						? serviceClock.timeAt(monotonicMs)
						: serviceClock.observe(date, monotonicMs);
				if (number === 1 && pass.pages === 1)
					tracked.observeFirstResponse((firstResponseDate = serviceTimeMs), monotonicMs);
				if (serviceTimeMs !== undefined) trackedLists.setFollowedSince(tracked, serviceTimeMs);
				const isIgnored = oldChanges.filterFor(tracked, serviceTimeMs);
				const context = { serviceTimeMs, monotonicMs, isFurtherPass: number > 1, isIgnored };
				await this.processPage(tracked, records, context, pass, signal);
			};
			const result = await orPollFailure(
				async () => await this.hooks.readList(list, since, takePage, signal),
			);
			if (result.kind !== 'complete' || signal.aborted) return result;
			if (this.needsFurtherPass(tracked, pass)) continue;
			const { warning: message } = result;
			if (message) this.reportOnce(tracked, { kind: 'incomplete', list, message });
			const byMs = tracked.completePoll(firstResponseDate);
			if (byMs !== undefined) this.reportOnce(tracked, { kind: 'lateChange', list, byMs });
			tracked.reported.delete('tooManyRecords');
			oldChanges.completeList(tracked);
			return result;
		}
	}

	/** Records of a changing list can move between its pages, so a pass can miss some. */
	private needsFurtherPass(tracked: TrackedList<Followed>, pass: Pass): boolean {
		if (pass.pages <= 1 || !pass.hasChanges || pass.number === MAX_PASSES) return false;
		return tracked.list.isFiltered || tracked.hasNeverBeenRead || pass.hasRepeated;
	}

	/** Compares the records of a page in several event-loop turns, and submits the changes of each turn to the outbox. */
	private async processPage(
		tracked: TrackedList<Followed>,
		records: IDataObject[],
		context: PageContext,
		pass: Pass,
		signal: AbortSignal,
	): Promise<void> {
		const { clock, outbox } = this.parts;
		const onUndated = (fields: readonly string[]) => this.reportUndated(tracked, fields);
		for (let done = 0; done < records.length && !signal.aborted;) {
			// Parsing a long response has already used up this event-loop turn.
			const isTurnUsed = done > 0 || records.length > LONG_PAGE_RECORDS;
			if (isTurnUsed) await this.hooks.sleep(0, signal).catch(() => undefined);
			const turnEnds = clock.monotonic() + MAX_TURN_MS;
			const processed = [];
			do processed.push(tracked.processRecord(records[done++]!, context, onUndated));
			while (done < records.length && clock.monotonic() < turnEnds);
			pass.hasRepeated ||= processed.some(({ repeated }) => repeated.length > 0);
			pass.hasChanges ||= pass.hasRepeated || processed.some(({ isChanged }) => isChanged);
			await outbox.add(tracked.list.key, processed, signal);
		}
	}

	/** Reports and throws if the records of a compared list and the known ones of other lists exceed `maxKnown`. */
	private requireCapacity(tracked: TrackedList<Followed>, records: number): void {
		const { maxKnown: maxRecords } = this.options;
		if (records + this.parts.trackedLists.countKnownOutside(tracked) <= maxRecords) return;
		this.reportOnce(tracked, { kind: 'tooManyRecords', list: tracked.list, maxRecords });
		tracked.isFailureReported = true;
		throw new TooManyRecords(`There are more than ${maxRecords} records to compare`);
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
}

/** Returns the result of a hook, or the failure that it throws. */
export async function orPollFailure<T>(hook: () => Promise<T>): Promise<T | PollFailure> {
	return await hook().catch((error: unknown): PollFailure => {
		const message = error instanceof Error ? error.message : 'No answer';
		return { kind: error instanceof TooManyRecords ? 'failed' : 'unavailable', message };
	});
}
