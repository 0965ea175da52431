import type { EndedId, IdReport, SavedId, WatchOptions } from './types';

/** IDs that end within this time of each other are reported together: after a restart, all are polled in turn. */
const QUIET_MS = 30_000;

type SavedEnd = NonNullable<SavedId['end']>;
export type OldEndOptions = Pick<WatchOptions, 'startFrom' | 'reportOlderThanMs'>;

/**
 * Decides about restored IDs that ended before the watcher was created: those that ended before `startFrom` start nothing,
 * and those that ended long ago and start the workflow are reported. An ID whose end has no time counts as ended before
 * `startFrom` unless it was seen outstanding with that option.
 */
export class OldEnds {
	private ignored: EndedId[] = [];
	private late: EndedId[] = [];
	private oldestAt = Infinity;

	/** `createdAt`: wall-clock time at which the watcher was created. */
	constructor(
		private readonly options: OldEndOptions,
		private readonly createdAt: number,
	) {}

	/**
	 * Whether an ID starts nothing; notes it if so. `happenedAt`: when it ended, by our wall clock; undefined if that is
	 * unknown.
	 */
	noteIfIgnored(entry: SavedId, end: SavedEnd, happenedAt: number | undefined): boolean {
		const { startFrom = -Infinity } = this.options;
		if (entry.addedAt >= startFrom) return false;
		const isIgnored =
			happenedAt === undefined ? entry.followedFrom !== startFrom : happenedAt < startFrom;
		if (isIgnored) this.ignored.push(toEndedId(entry, end));
		return isIgnored;
	}

	/** Notes the end of an ID that starts the workflow, if it happened long before the watcher was created. */
	noteStarted(entry: SavedId, end: SavedEnd, happenedAt: number | undefined): void {
		const { createdAt } = this;
		const { reportOlderThanMs } = this.options;
		if (reportOlderThanMs === undefined || entry.addedAt >= createdAt) return;
		if (happenedAt === undefined || happenedAt >= createdAt - reportOlderThanMs) return;
		this.late.push(toEndedId(entry, end));
		this.oldestAt = Math.min(this.oldestAt, happenedAt);
	}

	/** Returns reports on IDs whose start has expired and, once no more follow for a while, on the noted ones. */
	takeReports(expired: SavedId[], now: number): IdReport[] {
		const reports: IdReport[] = [];
		const unclear = expired.map((entry) => toEndedId(entry, entry.end!));
		if (unclear.length > 0) reports.push({ kind: 'startsUnclear', ended: unclear });
		const { ignored, late } = this;
		const lastEnd = [...ignored.slice(-1), ...late.slice(-1)].map(({ endedAt }) => endedAt);
		if (now - Math.max(...lastEnd) < QUIET_MS) return reports;
		this.ignored = [];
		this.late = [];
		if (ignored.length > 0) reports.push({ kind: 'idsIgnored', ended: ignored });
		if (late.length > 0) reports.push({ kind: 'idsLate', ended: late, byMs: now - this.oldestAt });
		return reports;
	}
}

export const toEndedId = (
	entry: SavedId,
	{ outcome, result, endedAt, trouble }: SavedEnd,
): EndedId => ({
	id: entry.id,
	outcome,
	result,
	data: entry.data,
	subject: entry.subject,
	seenOutstanding: entry.seenOutstanding === true,
	addedAt: entry.addedAt,
	endedAt: endedAt,
	polls: entry.polls,
	trouble,
});
