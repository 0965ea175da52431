import type { IDataObject } from 'n8n-workflow';

import type {
	DiscoveredLists,
	ListReadResult,
	ListPage,
	ListDefinition,
} from '../../../../nodes/engine/trigger/lists/core';
import type { PollFailure } from '../../../../nodes/engine/watch';
import type { VirtualTime } from '../support/virtualTime';
import type { SimulatedChange, FollowHistory, HistoryEvent, ServiceCondition } from './listHistory';

/** State of a record between two writes. */
export interface RecordVersion {
	content: number;
	status: string;
	checkedInAt?: number;
	/** When it was written, by the service's true clock, and when it became visible. */
	writtenAt: number;
	visibleAt: number;
}

export interface SimulatedRecord {
	id: string;
	list: number;
	createdAt: number;
	versions: RecordVersion[];
	deletedAt: number;
	/** The versions that were returned, in order. */
	servedVersions: RecordVersion[];
}

const DAY = 24 * 3_600_000;
const STATES = ['pending', 'confirmed', 'canceled'];
/** Zone of dates that the service stores without one. */
const LOCAL_MS = 9 * 3_600_000;

/** A service with its own clock: lists of records, in pages that shift while they are read. */
export class SimulatedService {
	readonly records: SimulatedRecord[] = [];
	condition: ServiceCondition = 'available';
	readonly listStates: Array<Extract<HistoryEvent, { kind: 'list' }>['state']> = [
		'available',
		'available',
		'available',
	];
	/** Changes to make between the next two pages. */
	readonly changesBetweenPages: SimulatedChange[] = [];
	/** When each poll of a list began, when it succeeded, and the time from which it read. */
	readonly polls: Array<{
		list: number;
		activation: number;
		beganAtMs: number;
		since?: number;
		endedAt?: number;
	}> = [];
	private readonly clockOffsetMs = Date.UTC(2026, 10, 15) - 7_654_321;

	constructor(
		private readonly time: VirtualTime,
		private readonly history: FollowHistory,
		private readonly random: () => number,
	) {
		for (let list = 0; list < history.lists; list++) {
			for (let index = 0; index < history.initialRecords; index++) {
				const age = index % 2 === 0 ? (index + 1) * 3_600_000 : (index + 1) * 3 * DAY;
				const { versions, createdAt } = this.createRecord(list, this.now - age, -Infinity);
				if (index === 1) versions[0]!.checkedInAt = createdAt + 1000;
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
		return Math.max(0, overlapMs - 2 * skewMs - 2000);
	}

	applyChange(change: SimulatedChange): void {
		const { nowMs } = this.time;
		if (change.kind === 'create') {
			const lateMs = Math.min(change.lateMs, this.maxLateMs);
			this.createRecord(change.list % this.history.lists, this.now, nowMs + lateMs);
			return;
		}
		const existing = this.records.filter(({ deletedAt }) => deletedAt > nowMs);
		const record = existing[change.pick % Math.max(1, existing.length)];
		if (!record) return;
		if (change.kind === 'delete') {
			record.deletedAt = nowMs;
			return;
		}
		const previous = record.versions.at(-1)!;
		const visibleAt = Math.max(previous.visibleAt, nowMs + Math.min(change.lateMs, this.maxLateMs));
		const newVersion: RecordVersion = {
			...previous,
			writtenAt: this.skewClock(this.now),
			visibleAt,
		};
		if (change.kind === 'status') {
			newVersion.status = STATES[(STATES.indexOf(previous.status) + 1) % STATES.length]!;
		} else if (change.kind === 'checkIn') {
			newVersion.checkedInAt =
				previous.checkedInAt === undefined ? newVersion.writtenAt : undefined;
		} else if (change.kind === 'revert' && record.versions.length > 1) {
			const { content, status } = record.versions.at(-2)!;
			Object.assign(newVersion, { content, status });
		} else newVersion.content = Math.max(...record.versions.map(({ content }) => content)) + 1;
		record.versions.push(newVersion);
	}

	/** Definitions of the lists for a trigger. */
	listDefinitions(): ListDefinition[] {
		const { isFiltered } = this.history;
		return Array.from({ length: this.history.lists }, (_, list) => ({
			key: `list ${list}`,
			name: `List ${list}`,
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
		})).filter((_, list) => this.listStates[list] !== 'undiscovered');
	}

	async discoverLists(signal: AbortSignal): Promise<DiscoveredLists | PollFailure> {
		await this.time.sleep(this.random() * 50, signal);
		return this.serviceFailure() ?? { lists: this.listDefinitions(), date: this.dateHeader() };
	}

	async pollList(
		activation: number,
		source: ListDefinition,
		since: number | undefined,
		acceptPage: (page: ListPage) => Promise<void>,
		signal: AbortSignal,
	): Promise<ListReadResult> {
		const list = Number(source.key.slice(5));
		const poll: SimulatedService['polls'][number] = {
			list,
			activation,
			beganAtMs: this.time.nowMs,
			since,
		};
		this.polls.push(poll);
		const servedIds = new Set<string>();
		for (let page = 0; ; page++) {
			await this.time.sleep(this.random() * 100, signal);
			if (page > 0)
				for (const change of this.changesBetweenPages.splice(0, 2)) this.applyChange(change);
			const failure = this.serviceFailure(page) ?? this.listFailure(list);
			if (failure) return failure;
			const { pageSize } = this.history;
			const pageRecords = this.recordsOf(list, since).slice(page * pageSize, (page + 1) * pageSize);
			const newRecords = pageRecords.filter(({ id }) => !servedIds.has(id));
			for (const { id } of pageRecords) servedIds.add(id);
			const records = newRecords.map((record) => this.toServiceRecord(record));
			const versions = newRecords.map((record) => this.visibleVersion(record)!);
			const date = this.dateHeader();
			await this.time.sleep(this.random() * 100, signal);
			newRecords.forEach(({ servedVersions }, index) => servedVersions.push(versions[index]!));
			await acceptPage({ records, date });
			if (pageRecords.length < pageSize) break;
		}
		poll.endedAt = this.time.nowMs;
		return { kind: 'complete' };
	}

	/** The currently visible version of a record. */
	visibleVersion({ versions, deletedAt }: SimulatedRecord): RecordVersion | undefined {
		const { nowMs } = this.time;
		return deletedAt > nowMs
			? versions.filter(({ visibleAt }) => visibleAt <= nowMs).at(-1)
			: undefined;
	}

	private createRecord(list: number, created: number, visibleAt: number): SimulatedRecord {
		const writtenAt = this.skewClock(created);
		const record: SimulatedRecord = {
			id: `${list}-${this.records.length} é:%`,
			list,
			createdAt: writtenAt,
			versions: [{ content: 0, status: 'pending', writtenAt, visibleAt }],
			deletedAt: Infinity,
			servedVersions: [],
		};
		this.records.push(record);
		return record;
	}

	private recordsOf(list: number, since = -Infinity): SimulatedRecord[] {
		const rows = this.records.flatMap((record) => {
			const version = record.list === list ? this.visibleVersion(record) : undefined;
			return version && this.roundToPrecision(version.writtenAt) > since
				? [{ record, version }]
				: [];
		});
		const { order } = this.history;
		if (order === 'oldest') rows.sort((a, b) => a.version.writtenAt - b.version.writtenAt);
		if (order === 'newest') rows.sort((a, b) => b.version.writtenAt - a.version.writtenAt);
		if (order === 'any') rows.sort((a, b) => (a.version.writtenAt % 7) - (b.version.writtenAt % 7));
		return rows.map(({ record }) => record);
	}

	private toServiceRecord(record: SimulatedRecord): IDataObject {
		const version = this.visibleVersion(record)!;
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

	/** A time by the clock of one of the machines. */
	private skewClock(time: number): number {
		const { skewMs } = this.history;
		return skewMs === 0 ? time : time + Math.round((2 * this.random() - 1) * skewMs);
	}

	formatTime(time: number): string | number {
		const { dates, hasWholeSeconds } = this.history;
		const roundedMs = this.roundToPrecision(time);
		if (dates === 'epoch') return hasWholeSeconds ? roundedMs / 1000 : roundedMs;
		const offsetMs = dates === 'zoned' ? 0 : LOCAL_MS;
		const text = new Date(roundedMs + offsetMs).toISOString().slice(0, hasWholeSeconds ? 19 : 23);
		return text + { zoned: 'Z', offset: '+09:00', zoneless: '' }[dates];
	}

	private dateHeader(): number | undefined {
		const { dateHeader } = this.history;
		const hasHeader =
			dateHeader === 'always' || (dateHeader === 'sometimes' && this.random() < 0.5);
		return hasHeader ? Math.floor(this.skewClock(this.now) / 1000) * 1000 : undefined;
	}

	private serviceFailure(page = 0): PollFailure | undefined {
		if (this.condition === 'down') return { kind: 'unavailable', message: '503' };
		if (this.condition === 'disconnecting') throw new Error('socket hang up');
		if (this.condition === 'truncating' && page > 0) throw new Error('broke off');
		if (this.condition !== 'rateLimited' || this.random() < 0.5) return undefined;
		return this.random() < 0.5
			? { kind: 'rateLimited' }
			: { kind: 'rateLimited', retryAfterMs: 7000 };
	}

	private listFailure(list: number): PollFailure | undefined {
		if (this.listStates[list] === 'missing') return { kind: 'missing' };
		if (this.listStates[list] === 'unavailable') return { kind: 'unavailable', message: '500' };
		return this.listStates[list] === 'failing' ? { kind: 'failed', message: '422' } : undefined;
	}
}
