import type { IDataObject } from 'n8n-workflow';

import { readRecordTime } from '../../../values/recordTime';
import type { Clock } from '../../../watch';
import type { ListSnapshot } from './listSnapshot';
import { lastChangeOf } from './recordAge';
import type { TrackedList } from './trackedList';
import type { FollowOptions, ListDefinition, ListReport } from './types';

/** Prefix of the mark in `TrackedList.reported`: the list was read to its end with this `startFrom`. */
const MARK = 'startFrom ';

/**
 * Decides about changes from before the follower was created: those before `startFrom` start nothing, and much older ones
 * that start the workflow are reported. Without a date, a change counts as before `startFrom` if the first complete poll
 * with that option finds it.
 */
export class OldChanges<Followed extends ListDefinition> {
	private readonly createdAt: number;
	/** The service's time minus our wall clock. */
	private serviceLeadMs: number | undefined;
	private ignoredIds: string[] = [];
	private lateIds: string[] = [];
	private oldestAt = Infinity;
	private isLateReported = false;

	constructor(
		private readonly options: Pick<FollowOptions, 'startFrom' | 'reportOlderThanMs'>,
		private readonly clock: Clock,
	) {
		this.createdAt = clock.now();
	}

	/** Drops the pending starts of a snapshot that were requested before `startFrom`. Expired ones are reported already. */
	dropStarts(snapshot: ListSnapshot | undefined): ListSnapshot | undefined {
		const { startFrom = -Infinity } = this.options;
		if (!snapshot) return undefined;
		const pendingStarts = snapshot.pendingStarts.filter(({ requestedAt, expired, changes }) => {
			const isDropped = requestedAt < startFrom && !expired;
			if (isDropped) this.ignoredIds.push(...changes.map(([, , id]) => id));
			return !isDropped;
		});
		return { ...snapshot, pendingStarts };
	}

	/** Returns the filter for the events of a page's records: whether an event starts nothing. Notes those and late ones. */
	filterFor(
		tracked: TrackedList<Followed>,
		serviceTimeMs: number | undefined,
	): (record: IDataObject, id: string, kind: string) => boolean {
		const { startFrom = -Infinity, reportOlderThanMs = Infinity } = this.options;
		if (serviceTimeMs !== undefined) this.serviceLeadMs ??= serviceTimeMs - this.clock.now();
		const earliest = startFrom + (this.serviceLeadMs ?? 0);
		const lateBefore = this.createdAt + (this.serviceLeadMs ?? 0) - reportOlderThanMs;
		const { wasRead, hasNeverBeenRead } = tracked;
		const isMarked = startFrom === -Infinity || tracked.reported.has(MARK + startFrom);
		return (record, id, kind) => {
			const { latest, exact } = timeOf(record, tracked.list, kind);
			const isUndated = Number.isNaN(latest) || (!exact && latest >= earliest);
			const isIgnored = isUndated ? !isMarked && !hasNeverBeenRead : latest < earliest;
			if (isIgnored && !isMarked) this.ignoredIds.push(id);
			if (!isIgnored && !wasRead && !hasNeverBeenRead && latest < lateBefore) {
				this.lateIds.push(id);
				this.oldestAt = Math.min(this.oldestAt, latest);
			}
			return isIgnored;
		};
	}

	/** Marks a list that was read to its end: from now on, its changes without a date count. */
	completeList({ reported }: TrackedList<Followed>): void {
		const { startFrom } = this.options;
		if (startFrom === undefined || reported.has(MARK + startFrom)) return;
		for (const kind of reported) if (kind.startsWith(MARK)) reported.delete(kind);
		reported.add(MARK + startFrom);
	}

	/** Returns the reports on the changes since the last call. Late changes are reported once. */
	takeReports(): ListReport[] {
		const { ignoredIds, lateIds } = this;
		this.ignoredIds = [];
		const reports: ListReport[] = [];
		if (ignoredIds.length > 0) reports.push({ kind: 'changesIgnored', ids: ignoredIds });
		if (lateIds.length > 0 && !this.isLateReported) {
			this.isLateReported = true;
			const byMs = this.clock.now() + (this.serviceLeadMs ?? 0) - this.oldestAt;
			reports.push({ kind: 'changesLate', ids: lateIds, byMs });
		}
		return reports;
	}
}

/** Returns when an event happened: its own date or, for a kind without one, the stamp of the record's last change. */
function timeOf(
	record: IDataObject,
	list: ListDefinition,
	kind: string,
): { latest: number; exact: boolean } {
	const { oneTimeEvents } = list.changeSchema;
	const eventFields = oneTimeEvents.find((one) => one.kind === kind)?.dateFields;
	const time = eventFields ? readRecordTime(record, eventFields) : lastChangeOf(record, list);
	return time ?? { latest: NaN, exact: false };
}
