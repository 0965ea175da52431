import type { IDataObject } from 'n8n-workflow';

import type {
	DiscoveredLists,
	ListReadResult,
	ListPage,
	ListDefinition,
} from '../../../../nodes/engine/trigger/lists/core';
import type { PollFailure } from '../../../../nodes/engine/watch';
import type { VirtualTime } from '../support/virtualTime';
import type {
	FollowHistory,
	ListCondition,
	ServiceCondition,
	SimulatedChange,
} from './listHistory';

/** State of a record between two writes. Names that end in `AtMs` are virtual times; other times are the service's. */
export interface RecordVersion {
	content: number;
	status: string;
	checkedInAt?: number;
	/** When the version was written, by the clock of one of the service's machines. */
	writtenAt: number;
	visibleAtMs: number;
}

export interface SimulatedRecord {
	id: string;
	listIndex: number;
	createdAt: number;
	versions: RecordVersion[];
	deletedAtMs: number;
	/** The versions that the service has returned, in order. */
	servedVersions: RecordVersion[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LIST_KEY_PREFIX = 'list ';
const STATUSES = ['pending', 'confirmed', 'canceled'];
/** UTC offset of the service's dates, unless they end in `Z`. */
const UTC_OFFSET_MS = 9 * HOUR;
const UTC_OFFSET = '+09:00';
/** A record becomes visible at least this long before the end of the overlap. */
const OVERLAP_MARGIN_MS = 2000;

/** A service with its own clock: lists of records, in pages that shift while they are read. */
export class SimulatedService {
	readonly records: SimulatedRecord[] = [];
	condition: ServiceCondition = 'available';
	readonly listConditions: ListCondition[] = ['available', 'available', 'available'];
	/** Changes to make between the next two pages. */
	readonly changesBetweenPages: SimulatedChange[] = [];
	/** When each poll of a list began, and when it succeeded, in virtual time. */
	readonly polls: Array<{ listIndex: number; beganAtMs: number; endedAtMs?: number }> = [];
	/** The time at the service minus virtual time. */
	private readonly clockOffsetMs = Date.UTC(2026, 10, 15) - 7_654_321;

	constructor(
		private readonly time: VirtualTime,
		private readonly history: FollowHistory,
		private readonly random: () => number,
	) {
		for (let listIndex = 0; listIndex < history.listCount; listIndex++) {
			for (let index = 0; index < history.initialRecordCount; index++) {
				// Every other record is some hours old, the others some days.
				const ageMs = index % 2 === 0 ? (index + 1) * HOUR : (index + 1) * 3 * DAY;
				const record = this.createRecord(listIndex, this.now - ageMs, -Infinity);
				// One record is checked in before the list is followed.
				if (index === 1) record.versions[0]!.checkedInAt = record.createdAt + 1000;
			}
		}
	}

	/** The time at the service. */
	get now(): number {
		return this.time.nowMs + this.clockOffsetMs;
	}

	/** Longest delay after its write at which a record may become visible and still lie within the overlap. */
	private get maxLateMs(): number {
		const { overlapMs, skewMs } = this.history;
		return Math.max(0, overlapMs - 2 * skewMs - OVERLAP_MARGIN_MS);
	}

	applyChange(change: SimulatedChange): void {
		const { nowMs } = this.time;
		if (change.kind === 'create') {
			const lateMs = Math.min(change.lateMs, this.maxLateMs);
			this.createRecord(change.listIndex % this.history.listCount, this.now, nowMs + lateMs);
			return;
		}
		const existingRecords = this.records.filter(({ deletedAtMs }) => deletedAtMs > nowMs);
		const record = existingRecords[change.recordNumber % Math.max(1, existingRecords.length)];
		if (!record) return;
		if (change.kind === 'delete') {
			record.deletedAtMs = nowMs;
			return;
		}
		const previous = record.versions.at(-1)!;
		const newVersion: RecordVersion = {
			...previous,
			writtenAt: this.addClockSkew(this.now),
			visibleAtMs: Math.max(previous.visibleAtMs, nowMs + Math.min(change.lateMs, this.maxLateMs)),
		};
		if (change.kind === 'status') {
			newVersion.status = STATUSES[(STATUSES.indexOf(previous.status) + 1) % STATUSES.length]!;
		} else if (change.kind === 'checkIn') {
			newVersion.checkedInAt =
				previous.checkedInAt === undefined ? newVersion.writtenAt : undefined;
		} else if (change.kind === 'revert' && record.versions.length > 1) {
			const { content, status } = record.versions.at(-2)!;
			Object.assign(newVersion, { content, status });
		} else newVersion.content = Math.max(...record.versions.map(({ content }) => content)) + 1;
		record.versions.push(newVersion);
	}

	/** Returns the definitions of the lists that the service shows in the discovery. */
	private createListDefinitions(): ListDefinition[] {
		const { isFiltered } = this.history;
		return Array.from({ length: this.history.listCount }, (_, listIndex) => ({
			key: `${LIST_KEY_PREFIX}${listIndex}`,
			name: `List ${listIndex}`,
			isFiltered,
			changeSchema: {
				oneTimeEvents: [
					{ kind: 'created', dateFields: ['CreatedAt'], isCreation: true as const },
					{ kind: 'checkedIn', dateFields: ['CheckIn'] },
				],
				updated: 'updated',
				ignored: ['Seen'],
				...(isFiltered ? { stamp: 'Stamp' } : { status: { kind: 'status', field: 'Status' } }),
			},
			identify: ({ Id }: IDataObject) => Id,
		})).filter((_, listIndex) => this.listConditions[listIndex] !== 'undiscovered');
	}

	async discoverLists(signal: AbortSignal): Promise<DiscoveredLists | PollFailure> {
		await this.time.sleep(this.random() * 50, signal);
		return (
			this.failIfUnavailable() ?? {
				lists: this.createListDefinitions(),
				date: this.createDateHeader(),
			}
		);
	}

	/** Returns the pages of a list. Records may change and shift between two pages. */
	async readList(
		definition: ListDefinition,
		since: number | undefined,
		acceptPage: (page: ListPage) => Promise<void>,
		signal: AbortSignal,
	): Promise<ListReadResult> {
		const listIndex = Number(definition.key.slice(LIST_KEY_PREFIX.length));
		const poll: SimulatedService['polls'][number] = { listIndex, beganAtMs: this.time.nowMs };
		this.polls.push(poll);
		const servedIds = new Set<string>();
		for (let page = 0; ; page++) {
			await this.time.sleep(this.random() * 100, signal);
			if (page > 0)
				for (const change of this.changesBetweenPages.splice(0, 2)) this.applyChange(change);
			const failure = this.failIfUnavailable(page) ?? this.findListFailure(listIndex);
			if (failure) return failure;
			const { pageSize } = this.history;
			const matchingRecords = this.findRecords(listIndex, since);
			const pageRecords = matchingRecords.slice(page * pageSize, (page + 1) * pageSize);
			const newRecords = pageRecords.filter(({ id }) => !servedIds.has(id));
			for (const { id } of pageRecords) servedIds.add(id);
			const records = newRecords.map((record) => this.formatRecord(record));
			const versions = newRecords.map((record) => this.findVisibleVersion(record)!);
			const date = this.createDateHeader();
			await this.time.sleep(this.random() * 100, signal);
			newRecords.forEach(({ servedVersions }, index) => servedVersions.push(versions[index]!));
			await acceptPage({ records, date });
			if (pageRecords.length < pageSize) break;
		}
		poll.endedAtMs = this.time.nowMs;
		return { kind: 'complete' };
	}

	/** Returns the version of a record that the service shows now; `undefined` if it shows none. */
	private findVisibleVersion({
		versions,
		deletedAtMs,
	}: SimulatedRecord): RecordVersion | undefined {
		const { nowMs } = this.time;
		return deletedAtMs > nowMs
			? versions.filter(({ visibleAtMs }) => visibleAtMs <= nowMs).at(-1)
			: undefined;
	}

	private createRecord(listIndex: number, createdAt: number, visibleAtMs: number): SimulatedRecord {
		const writtenAt = this.addClockSkew(createdAt);
		const record: SimulatedRecord = {
			// Saved state separates IDs by spaces and colons, and escapes with `%`.
			id: `${listIndex}-${this.records.length} é:%`,
			listIndex,
			createdAt: writtenAt,
			versions: [{ content: 0, status: 'pending', writtenAt, visibleAtMs }],
			deletedAtMs: Infinity,
			servedVersions: [],
		};
		this.records.push(record);
		return record;
	}

	/** Returns the visible records of a list that were written after `since`, in the order of the service. */
	private findRecords(listIndex: number, since = -Infinity): SimulatedRecord[] {
		const rows = this.records.flatMap((record) => {
			const version = record.listIndex === listIndex ? this.findVisibleVersion(record) : undefined;
			return version && this.roundToPrecision(version.writtenAt) > since
				? [{ record, version }]
				: [];
		});
		const { recordOrder } = this.history;
		if (recordOrder === 'oldest') rows.sort((a, b) => a.version.writtenAt - b.version.writtenAt);
		if (recordOrder === 'newest') rows.sort((a, b) => b.version.writtenAt - a.version.writtenAt);
		// The remainder gives an arbitrary order, which is the same in every poll.
		if (recordOrder === 'any')
			rows.sort((a, b) => (a.version.writtenAt % 7) - (b.version.writtenAt % 7));
		return rows.map(({ record }) => record);
	}

	/** Returns a record as the service returns it now. */
	private formatRecord(record: SimulatedRecord): IDataObject {
		const version = this.findVisibleVersion(record)!;
		return {
			Id: record.id,
			CreatedAt: this.formatTime(record.createdAt),
			// A compared list has no stamp.
			...(this.history.isFiltered && { Stamp: this.formatTime(version.writtenAt) }),
			...(version.checkedInAt !== undefined && { CheckIn: this.formatTime(version.checkedInAt) }),
			Status: version.status,
			Content: version.content,
			Seen: this.random(),
		};
	}

	private roundToPrecision(time: number): number {
		return this.history.hasWholeSeconds ? Math.floor(time / 1000) * 1000 : time;
	}

	/** Returns a time as the clock of one of the service's machines shows it. */
	private addClockSkew(time: number): number {
		const { skewMs } = this.history;
		return skewMs === 0 ? time : time + Math.round((2 * this.random() - 1) * skewMs);
	}

	/** Formats a time in the format of the service's dates. */
	formatTime(time: number): string | number {
		const { dateFormat, hasWholeSeconds } = this.history;
		const roundedMs = this.roundToPrecision(time);
		if (dateFormat === 'epoch') return hasWholeSeconds ? roundedMs / 1000 : roundedMs;
		const offsetMs = dateFormat === 'zoned' ? 0 : UTC_OFFSET_MS;
		const text = new Date(roundedMs + offsetMs).toISOString().slice(0, hasWholeSeconds ? 19 : 23);
		return text + { zoned: 'Z', offset: UTC_OFFSET, zoneless: '' }[dateFormat];
	}

	/** Returns the Date header of a response, in whole seconds. */
	private createDateHeader(): number | undefined {
		const { dateHeader } = this.history;
		const hasHeader =
			dateHeader === 'always' || (dateHeader === 'sometimes' && this.random() < 0.5);
		return hasHeader ? Math.floor(this.addClockSkew(this.now) / 1000) * 1000 : undefined;
	}

	/** Returns the failure of the whole service, if any; throws if the connection fails. */
	private failIfUnavailable(page = 0): PollFailure | undefined {
		if (this.condition === 'down') return { kind: 'unavailable', message: '503' };
		if (this.condition === 'disconnecting') throw new Error('socket hang up');
		if (this.condition === 'truncating' && page > 0) throw new Error('response was cut off');
		if (this.condition !== 'rateLimited' || this.random() < 0.5) return undefined;
		return this.random() < 0.5
			? { kind: 'rateLimited' }
			: { kind: 'rateLimited', retryAfterMs: 7000 };
	}

	private findListFailure(listIndex: number): PollFailure | undefined {
		const condition = this.listConditions[listIndex];
		if (condition === 'missing') return { kind: 'missing' };
		if (condition === 'unavailable') return { kind: 'unavailable', message: '500' };
		return condition === 'failing' ? { kind: 'failed', message: '422' } : undefined;
	}
}
