import type { IDataObject } from 'n8n-workflow';

import {
	Follower,
	readStoredSnapshot,
	toStoredSnapshot,
} from '../../../../nodes/engine/trigger/lists/core';
import type {
	ChangeSchema,
	FollowOptions,
	ListReport,
	DiscoveredLists,
	ListReadResult,
	ListPage,
	ListDefinition,
	WorkflowStart,
} from '../../../../nodes/engine/trigger/lists/core';
import type { PollFailure } from '../../../../nodes/engine/watch';
import { VirtualTime } from '../support/virtualTime';

/** When everything in these tests begins, at the service, whose clock is an hour ahead of ours. */
export const NOON = Date.UTC(2026, 10, 15, 12);

export const MINUTE = 60_000;
export const HOUR = 3_600_000;

const stamped: ChangeSchema = {
	oneTimeEvents: [{ kind: 'created', dateFields: ['CreatedAt'], isCreation: true }],
	updated: 'updated',
	stamp: 'Stamp',
};
const compared: ChangeSchema = {
	oneTimeEvents: [
		{ kind: 'created', dateFields: ['CreatedAt'], isCreation: true },
		{ kind: 'checkedIn', dateFields: ['CheckIn'] },
	],
	status: { kind: 'status', field: 'Status' },
	updated: 'updated',
};

export const createList = (overrides: Partial<ListDefinition> = {}): ListDefinition => ({
	key: 'people',
	name: 'The people',
	isFiltered: true,
	changeSchema: overrides.isFiltered === false ? compared : stamped,
	identify: ({ Id }) => Id,
	...overrides,
});

/** Returns a time at the service, this many milliseconds after noon. */
export const formatTime = (afterMs: number) => new Date(NOON + afterMs).toISOString();

/** A record that was created, and last changed, at that time. */
export const createRecord = (Id: string, afterMs: number) => ({
	Id,
	CreatedAt: formatTime(afterMs),
	Stamp: formatTime(afterMs),
});

interface HarnessSettings extends Partial<FollowOptions> {
	listDefinitions?: ListDefinition[];
	pageSize?: number;
}

/** Runs one follower after the other in virtual time, against a service and an n8n that the test controls. */
export class FollowerHarness {
	readonly time = new VirtualTime();
	/** The records of each list, by its key. */
	readonly lists: Record<string, IDataObject[]> = { people: [] };
	readonly polls: Array<{ key: string; since?: number; polledAtMs: number }> = [];
	readonly reports: ListReport[] = [];
	/** All starts that the follower requested; one that it repeats is there again. */
	readonly requestedStarts: WorkflowStart[] = [];
	/** Starts that n8n accepted: each key once. */
	readonly acceptedStarts: WorkflowStart[] = [];
	/** The static data that n8n has written. */
	staticData = '{}';
	writeCount = 0;
	keepsKeys = true;
	listDefinitions: ListDefinition[];
	/** Returns the failure with which the service responds to the request for a page, if any. */
	failPage: (key: string, page: number) => PollFailure | undefined = () => undefined;
	/** Runs before a page is read. */
	beforePage: (key: string, page: number) => void = () => undefined;
	/** The `Date` header of the service. */
	date: (page: number) => number | undefined = () => Math.floor(this.now / 1000) * 1000;
	findDate: () => number | undefined = () => this.date(0);
	/** Runs the execution of a start; may take long, or reject. */
	runExecution: (start: WorkflowStart) => Promise<unknown> = async () => 'a run';
	private follower!: Follower<ListDefinition>;
	private abort = new AbortController();
	private isStateChanged = false;
	private readonly keys = new Set<string>();

	constructor(private readonly settings: HarnessSettings = {}) {
		this.listDefinitions = settings.listDefinitions ?? [createList()];
		this.time.wallClockOffsetMs = NOON - HOUR;
	}

	get now(): number {
		return NOON + this.time.nowMs;
	}

	/** The changes that n8n started executions for, in short. A batch is one text. */
	get startedChanges(): string[] {
		return this.acceptedStarts.map(({ changes }) =>
			changes.map(({ kind, id }) => `${kind} ${id}`).join(' + '),
		);
	}

	get serializeState(): string {
		return JSON.stringify(toStoredSnapshot(this.follower.snapshot()));
	}

	/** Starts a follower with the saved state, and lets it poll. */
	async open(waitMs = 1000, saved = this.staticData): Promise<this> {
		const { pageSize = 100, ...options } = this.settings;
		const abort = new AbortController();
		this.abort = abort;
		this.follower = new Follower<ListDefinition>(
			{
				discoverLists: async () => this.discoverLists(),
				readList: async (source, since, take) => await this.poll(source, since, take, pageSize),
				emit: async (start) => await this.emit(start),
				save: () => (this.isStateChanged = true),
				report: (report) => void this.reports.push(report),
				sleep: this.time.sleep,
				clock: this.time.clock,
				random: () => 0,
			},
			{
				kinds: new Set(['created', 'updated', 'status', 'checkedIn']),
				startKeyPrefix: 'w:n',
				...options,
			},
			readStoredSnapshot(JSON.parse(saved)),
		);
		void this.follower.run(abort.signal);
		await this.time.advance(waitMs);
		if (this.staticData === '{}') this.staticData = this.serializeState;
		return this;
	}

	/** Kills the follower; it saves nothing more. */
	kill(): void {
		this.abort.abort(new Error('killed'));
	}

	/** Kills the follower and starts another one later. */
	async restart(awayMs = 5000): Promise<void> {
		this.kill();
		await this.time.advance(awayMs);
		await this.open();
	}

	/** Replaces the record with this ID, or adds the record. */
	upsertRecord(record: IDataObject, key = 'people'): void {
		const records = this.lists[key]!;
		const index = records.findIndex(({ Id }) => Id === record.Id);
		if (index >= 0) records[index] = record;
		else records.push(record);
	}

	/** Returns the lists that exist now. */
	private discoverLists(): DiscoveredLists | PollFailure {
		return { lists: this.listDefinitions, date: this.findDate() };
	}

	private async poll(
		source: ListDefinition,
		since: number | undefined,
		acceptPage: (page: ListPage) => Promise<void>,
		size: number,
	): Promise<ListReadResult> {
		const { key } = source;
		this.polls.push({ key, since, polledAtMs: this.time.nowMs });
		const returnedIds = new Set<unknown>();
		for (let page = 0; ; page++) {
			await this.time.sleep(10);
			this.beforePage(key, page);
			const failure = this.failPage(key, page);
			if (failure) return failure;
			const matchingRecords = this.lists[key]!.filter(
				({ Stamp }) => since === undefined || parseStamp(String(Stamp)) > since,
			);
			const pageRecords = matchingRecords.slice(page * size, (page + 1) * size);
			await acceptPage({
				records: pageRecords.filter(({ Id }) => !returnedIds.has(Id)),
				date: this.date(page),
			});
			for (const { Id } of pageRecords) returnedIds.add(Id);
			if (pageRecords.length < size) return { kind: 'complete' };
		}
	}

	private async emit(start: WorkflowStart): Promise<unknown> {
		this.requestedStarts.push(start);
		if (this.isStateChanged) {
			this.isStateChanged = false;
			this.writeCount++;
			this.staticData = this.serializeState;
		}
		if (this.keys.has(start.key)) return undefined;
		const execution = this.runExecution(start);
		this.keys.add(start.key);
		this.acceptedStarts.push(start);
		try {
			return await execution;
		} catch (error) {
			this.keys.delete(start.key);
			this.acceptedStarts.splice(this.acceptedStarts.indexOf(start), 1);
			throw error;
		} finally {
			if (!this.keepsKeys) this.keys.delete(start.key);
		}
	}
}

/** The service knows of which zone its dates are, even if they do not say. */
const parseStamp = (stamp: string) => Date.parse(stamp.endsWith('Z') ? stamp : `${stamp}Z`);

/** A run that never ends. */
export const neverEnd = async () => await new Promise<never>(() => undefined);
