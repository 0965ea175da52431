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
export interface Version {
	content: number;
	status: string;
	checkIn?: number;
	/** When it was written, by the service's true clock, and when it became visible. */
	stamp: number;
	visibleAt: number;
}

export interface SimulatedRecord {
	id: string;
	list: number;
	created: number;
	versions: Version[];
	deletedAt: number;
	/** The versions that were returned, in order. */
	served: Version[];
}

const DAY = 24 * 3_600_000;
const STATES = ['pending', 'confirmed', 'canceled'];
/** Zone of dates that the service stores without one. */
const LOCAL_MS = 9 * 3_600_000;

/** A service with its own clock: lists of records, in pages that shift while they are read. */
export class Service {
	readonly records: SimulatedRecord[] = [];
	condition: ServiceCondition = 'fine';
	readonly state: Array<Extract<HistoryEvent, { kind: 'list' }>['is']> = [
		'there',
		'there',
		'there',
	];
	/** Changes to make between the next two pages. */
	readonly between: SimulatedChange[] = [];
	/** When each poll of a list began, when it succeeded, and the time from which it read. */
	readonly polls: Array<{
		list: number;
		activation: number;
		at: number;
		since?: number;
		endedAt?: number;
	}> = [];
	private readonly ahead = Date.UTC(2026, 10, 15) - 7_654_321;

	constructor(
		private readonly time: VirtualTime,
		private readonly history: FollowHistory,
		private readonly random: () => number,
	) {
		for (let list = 0; list < history.lists; list++) {
			for (let index = 0; index < history.initial; index++) {
				const age = index % 2 === 0 ? (index + 1) * 3_600_000 : (index + 1) * 3 * DAY;
				const { versions, created } = this.make(list, this.now - age, -Infinity);
				if (index === 1) versions[0]!.checkIn = created + 1000;
			}
		}
	}

	/** The time at the service. */
	get now(): number {
		return this.time.at + this.ahead;
	}

	/** Longest delay after its write at which a record may become visible and still lie within the overlap. */
	private get latest(): number {
		const { overlapMs, skewMs } = this.history;
		return Math.max(0, overlapMs - 2 * skewMs - 2000);
	}

	applyChange(deed: SimulatedChange): void {
		const { at } = this.time;
		if (deed.kind === 'create') {
			const late = Math.min(deed.lateMs, this.latest);
			this.make(deed.list % this.history.lists, this.now, at + late);
			return;
		}
		const there = this.records.filter(({ deletedAt }) => deletedAt > at);
		const record = there[deed.pick % Math.max(1, there.length)];
		if (!record) return;
		if (deed.kind === 'delete') {
			record.deletedAt = at;
			return;
		}
		const before = record.versions.at(-1)!;
		const visibleAt = Math.max(before.visibleAt, at + Math.min(deed.lateMs, this.latest));
		const next: Version = { ...before, stamp: this.skewed(this.now), visibleAt };
		if (deed.kind === 'status') {
			next.status = STATES[(STATES.indexOf(before.status) + 1) % STATES.length]!;
		} else if (deed.kind === 'checkIn') {
			next.checkIn = before.checkIn === undefined ? next.stamp : undefined;
		} else if (deed.kind === 'revert' && record.versions.length > 1) {
			const { content, status } = record.versions.at(-2)!;
			Object.assign(next, { content, status });
		} else next.content = Math.max(...record.versions.map(({ content }) => content)) + 1;
		record.versions.push(next);
	}

	/** Definitions of the lists for a trigger. */
	sources(): ListDefinition[] {
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
		})).filter((_, list) => this.state[list] !== 'unnamed');
	}

	async find(signal: AbortSignal): Promise<DiscoveredLists | PollFailure> {
		await this.time.sleep(this.random() * 50, signal);
		return this.trouble() ?? { lists: this.sources(), date: this.date() };
	}

	async pollList(
		activation: number,
		source: ListDefinition,
		since: number | undefined,
		take: (page: ListPage) => Promise<void>,
		signal: AbortSignal,
	): Promise<ListReadResult> {
		const list = Number(source.key.slice(5));
		const look: Service['polls'][number] = { list, activation, at: this.time.at, since };
		this.polls.push(look);
		const seen = new Set<string>();
		for (let page = 0; ; page++) {
			await this.time.sleep(this.random() * 100, signal);
			if (page > 0) for (const deed of this.between.splice(0, 2)) this.applyChange(deed);
			const trouble = this.trouble(page) ?? this.against(list);
			if (trouble) return trouble;
			const { pageSize } = this.history;
			const given = this.list(list, since).slice(page * pageSize, (page + 1) * pageSize);
			const fresh = given.filter(({ id }) => !seen.has(id));
			for (const { id } of given) seen.add(id);
			const records = fresh.map((record) => this.written(record));
			const versions = fresh.map((record) => this.visible(record)!);
			const date = this.date();
			await this.time.sleep(this.random() * 100, signal);
			fresh.forEach(({ served }, index) => served.push(versions[index]!));
			await take({ records, date });
			if (given.length < pageSize) break;
		}
		look.endedAt = this.time.at;
		return { kind: 'complete' };
	}

	/** The currently visible version of a record. */
	visible({ versions, deletedAt }: SimulatedRecord): Version | undefined {
		const { at } = this.time;
		return deletedAt > at ? versions.filter(({ visibleAt }) => visibleAt <= at).at(-1) : undefined;
	}

	private make(list: number, created: number, visibleAt: number): SimulatedRecord {
		const stamp = this.skewed(created);
		const kept: SimulatedRecord = {
			id: `${list}-${this.records.length} é:%`,
			list,
			created: stamp,
			versions: [{ content: 0, status: 'pending', stamp, visibleAt }],
			deletedAt: Infinity,
			served: [],
		};
		this.records.push(kept);
		return kept;
	}

	private list(list: number, since = -Infinity): SimulatedRecord[] {
		const rows = this.records.flatMap((record) => {
			const version = record.list === list ? this.visible(record) : undefined;
			return version && this.rounded(version.stamp) > since ? [{ record, version }] : [];
		});
		const { order } = this.history;
		if (order === 'oldest') rows.sort((a, b) => a.version.stamp - b.version.stamp);
		if (order === 'newest') rows.sort((a, b) => b.version.stamp - a.version.stamp);
		if (order === 'any') rows.sort((a, b) => (a.version.stamp % 7) - (b.version.stamp % 7));
		return rows.map(({ record }) => record);
	}

	private written(record: SimulatedRecord): IDataObject {
		const version = this.visible(record)!;
		return {
			Id: record.id,
			CreatedAt: this.text(record.created),
			// A compared list has no stamp.
			...(this.history.isFiltered && { Stamp: this.text(version.stamp) }),
			...(version.checkIn !== undefined && { CheckIn: this.text(version.checkIn) }),
			Status: version.status,
			Content: version.content,
			Seen: this.random(),
		};
	}

	private rounded(time: number): number {
		return this.history.coarse ? Math.floor(time / 1000) * 1000 : time;
	}

	/** A time by the clock of one of the machines. */
	private skewed(time: number): number {
		const { skewMs } = this.history;
		return skewMs === 0 ? time : time + Math.round((2 * this.random() - 1) * skewMs);
	}

	text(time: number): string | number {
		const { dates, coarse } = this.history;
		const rounded = this.rounded(time);
		if (dates === 'epoch') return coarse ? rounded / 1000 : rounded;
		const shift = dates === 'zoned' ? 0 : LOCAL_MS;
		const text = new Date(rounded + shift).toISOString().slice(0, coarse ? 19 : 23);
		return text + { zoned: 'Z', offset: '+09:00', zoneless: '' }[dates];
	}

	private date(): number | undefined {
		const { dateHeader } = this.history;
		const tells = dateHeader === 'always' || (dateHeader === 'sometimes' && this.random() < 0.5);
		return tells ? Math.floor(this.skewed(this.now) / 1000) * 1000 : undefined;
	}

	private trouble(page = 0): PollFailure | undefined {
		if (this.condition === 'down') return { kind: 'unavailable', message: '503' };
		if (this.condition === 'hangs up') throw new Error('socket hang up');
		if (this.condition === 'breaks off' && page > 0) throw new Error('broke off');
		if (this.condition !== 'busy' || this.random() < 0.5) return undefined;
		return this.random() < 0.5
			? { kind: 'rateLimited' }
			: { kind: 'rateLimited', retryAfterMs: 7000 };
	}

	private against(list: number): PollFailure | undefined {
		if (this.state[list] === 'gone') return { kind: 'missing' };
		if (this.state[list] === 'ill') return { kind: 'unavailable', message: '500' };
		return this.state[list] === 'broken' ? { kind: 'failed', message: '422' } : undefined;
	}
}
