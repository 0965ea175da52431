import type { FollowedSettings, ShownRecord } from '../history';
import type { World } from './world';

/**
 * A change by an organizer. `record` selects one of the existing records, modulo their number. The change becomes visible
 * `lateMs` after it was written.
 */
export type ListChange =
	| { kind: 'create'; list: number; lateMs: number }
	/** Adds records that were created long ago. */
	| { kind: 'import'; list: number; count: number }
	| { kind: 'edit' | 'status' | 'checkIn' | 'revert'; record: number; lateMs: number }
	| { kind: 'delete'; record: number }
	/** Adds a deleted record again, with its number. */
	| { kind: 'recreate'; record: number; lateMs: number };

/** State of a record between two writes. Times are the service's, `visibleAtMs` is the machine's. */
export interface RecordVersion {
	content: number;
	status: string;
	checkedInAt?: number;
	writtenAt: number;
	visibleAtMs: number;
}

export interface StoredRecord {
	number: number;
	list: string;
	createdAt: number;
	createdAtMs: number;
	versions: RecordVersion[];
	isDeleted: boolean;
}

/** How a service shows its lists. */
export interface ListSettings {
	followed: FollowedSettings;
	/** Number of the first record. Numbers are unique in a history. */
	firstNumber: number;
	order: 'number' | 'oldest' | 'newest';
	pageSize: number;
	/** Whether a page shows how many records there are. If not, a page that is not full is the last. */
	showsTotal: boolean;
	/** Precision of the times that the service shows. */
	resolutionMs: 1 | 1000;
}

export interface PageOfRecords {
	records: Array<{ record: StoredRecord; version: RecordVersion; shown: ShownRecord }>;
	total: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STATUSES = ['registered', 'confirmed', 'cancelled'];
const IMPORT_AGE_MS = 5 * DAY_MS;

/** The lists of a service with the records that organizers change. Pages shift while they are read. */
export class RecordLists {
	readonly records: StoredRecord[] = [];
	/** Changes to make between the next two pages of a list. */
	betweenPages: ListChange[] = [];

	constructor(
		private readonly world: World,
		private readonly lists: ListSettings[],
		/** The service's time. */
		private readonly now: () => number,
	) {
		for (const { followed } of lists) world.record({ type: 'followed', ...followed });
	}

	/** Adds records that exist before the lists are followed: some hours and some days old, one of them checked in. */
	addInitial(count: number): void {
		for (const list of this.lists)
			for (let index = 0; index < count; index++) {
				const ageMs = index % 2 === 0 ? (index + 1) * HOUR_MS : (index + 1) * 3 * DAY_MS;
				const checkedInAt = index === 1 ? this.now() - ageMs + 1000 : undefined;
				this.add(list, { ageMs, writtenAt: this.now() - ageMs, lateMs: 0, checkedInAt });
			}
	}

	apply(change: ListChange): void {
		const { lists, world } = this;
		if (change.kind === 'create' || change.kind === 'import') {
			const list = lists[change.list % lists.length]!;
			if (change.kind === 'create') return this.add(list, { lateMs: change.lateMs });
			for (let index = 0; index < change.count; index++)
				this.add(list, { ageMs: IMPORT_AGE_MS, lateMs: 0 });
			return;
		}
		const isDeleted = change.kind === 'recreate';
		const candidates = this.records.filter((record) => record.isDeleted === isDeleted);
		const record = candidates[change.record % Math.max(1, candidates.length)];
		if (!record) return;
		if (change.kind === 'delete') {
			record.isDeleted = true;
			const { list, number, createdAtMs: createdAt } = record;
			const visibleAt = Math.round(world.machine.nowMs);
			return world.record({ type: 'changed', list, number, createdAt, visibleAt });
		}
		const previous = record.versions.at(-1)!;
		if (isDeleted) {
			const createdAtMs = Math.round(world.machine.nowMs);
			Object.assign(record, {
				isDeleted: false,
				createdAt: this.now(),
				createdAtMs,
				versions: [],
			});
			const { status, content } = previous;
			const version = { status, content: content + 1, writtenAt: this.now() };
			this.write(record, version, change.lateMs);
		} else this.write(record, changedVersion(record, change.kind, this.now()), change.lateMs);
	}

	/** Returns one page of a list, from 1 on, of the records that were written after `since`. */
	readPage(request: number, listName: string, page: number, since = -Infinity): PageOfRecords {
		if (page > 1) for (const change of this.betweenPages.splice(0, 2)) this.apply(change);
		const list = this.lists.find(({ followed }) => followed.list === listName)!;
		const rows = this.records.flatMap((record) => {
			const version = record.list === listName ? this.visibleVersion(record) : undefined;
			return version && roundDown(version.writtenAt, list) > since
				? [{ record, version, shown: showVersion(list, record, version) }]
				: [];
		});
		if (list.order === 'newest') rows.sort((a, b) => b.version.writtenAt - a.version.writtenAt);
		if (list.order === 'oldest') rows.sort((a, b) => a.version.writtenAt - b.version.writtenAt);
		const records = rows.slice((page - 1) * list.pageSize, page * list.pageSize);
		const isLast = list.showsTotal
			? page * list.pageSize >= rows.length
			: records.length < list.pageSize;
		const shown = records.map((row) => row.shown);
		this.world.record({ type: 'read', request, list: listName, page, isLast, shown });
		return { records, total: rows.length };
	}

	private visibleVersion({ versions, isDeleted }: StoredRecord): RecordVersion | undefined {
		const { nowMs } = this.world.machine;
		return isDeleted ? undefined : versions.findLast(({ visibleAtMs }) => visibleAtMs <= nowMs);
	}

	private add(
		list: ListSettings,
		{
			ageMs = 0,
			writtenAt,
			lateMs,
			checkedInAt,
		}: { ageMs?: number; writtenAt?: number; lateMs: number; checkedInAt?: number },
	): void {
		const { records } = this;
		const number = list.firstNumber + records.length;
		const createdAt = this.now() - ageMs;
		const createdAtMs = Math.round(this.world.machine.nowMs - ageMs);
		const record = {
			number,
			list: list.followed.list,
			createdAt,
			createdAtMs,
			versions: [],
			isDeleted: false,
		};
		records.push(record);
		const version = { content: 0, status: STATUSES[0]!, checkedInAt };
		this.write(record, { ...version, writtenAt: writtenAt ?? this.now() }, lateMs);
	}

	/** Adds a version and records it in the history. */
	private write(
		record: StoredRecord,
		version: Omit<RecordVersion, 'visibleAtMs'>,
		lateMs: number,
	): void {
		const { world } = this;
		const { nowMs } = world.machine;
		const { list, number, createdAtMs: createdAt, versions } = record;
		const settings = this.lists.find(({ followed }) => followed.list === list)!;
		const skew = Math.round((2 * world.random.next() - 1) * settings.followed.skewMs);
		const visibleAtMs = Math.max(versions.at(-1)?.visibleAtMs ?? 0, Math.round(nowMs + lateMs));
		const written = { ...version, writtenAt: version.writtenAt + skew, visibleAtMs };
		versions.push(written);
		world.record({
			type: 'changed',
			list,
			number,
			shown: showVersion(settings, record, written),
			createdAt,
			visibleAt: visibleAtMs,
		});
	}
}

/** Returns what a change makes of a record. */
function changedVersion(
	{ versions }: StoredRecord,
	kind: 'edit' | 'status' | 'checkIn' | 'revert',
	now: number,
): Omit<RecordVersion, 'visibleAtMs'> {
	const version = { ...versions.at(-1)!, writtenAt: now };
	if (kind === 'status')
		version.status = STATUSES[(STATUSES.indexOf(version.status) + 1) % STATUSES.length]!;
	else if (kind === 'checkIn')
		version.checkedInAt = version.checkedInAt === undefined ? now : undefined;
	else if (kind === 'revert' && versions.length > 1) {
		const { content, status } = versions.at(-2)!;
		Object.assign(version, { content, status });
	} else version.content = Math.max(...versions.map(({ content }) => content)) + 1;
	return version;
}

/** Returns a time with the precision that the service shows. */
export const roundDown = (time: number, { resolutionMs }: Pick<ListSettings, 'resolutionMs'>) =>
	Math.floor(time / resolutionMs) * resolutionMs;

const showVersion = (
	settings: ListSettings,
	{ number }: StoredRecord,
	{ content, status, checkedInAt, writtenAt }: RecordVersion,
): ShownRecord => ({
	number,
	content,
	status,
	isIn: checkedInAt !== undefined,
	...(settings.followed.isFiltered && { stamp: roundDown(writtenAt, settings) }),
});
