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

/** Time at the service when each test begins. The clock of the service is an hour ahead of the local clock. */
export const NOON = Date.UTC(2026, 10, 15, 12);

export const MINUTE = 60_000;
export const HOUR = 3_600_000;

const stampedSchema: ChangeSchema = {
	oneTimeEvents: [{ kind: 'created', dateFields: ['CreatedAt'], isCreation: true }],
	updated: 'updated',
	stamp: 'Stamp',
};
const comparedSchema: ChangeSchema = {
	oneTimeEvents: [
		{ kind: 'created', dateFields: ['CreatedAt'], isCreation: true },
		{ kind: 'checkedIn', dateFields: ['CheckIn'] },
	],
	status: { kind: 'status', field: 'Status' },
	updated: 'updated',
};

/** Creates the definition of a list. The records of a filtered list have a stamp, those of a compared one have none. */
export const createList = (overrides: Partial<ListDefinition> = {}): ListDefinition => ({
	key: 'people',
	name: 'The people',
	isFiltered: true,
	changeSchema: overrides.isFiltered === false ? comparedSchema : stampedSchema,
	identify: ({ Id }) => Id,
	...overrides,
});

/** Formats the time at the service that is this many milliseconds after noon. */
export const formatTime = (afterMs: number) => new Date(NOON + afterMs).toISOString();

/** Creates a record that was created, and last changed, this many milliseconds after noon. */
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
	/** All starts that the follower requested, with repetitions. */
	readonly requestedStarts: WorkflowStart[] = [];
	/** Starts that n8n accepted, each key once. */
	readonly acceptedStarts: WorkflowStart[] = [];
	/** The static data that n8n has written. */
	staticData = '{}';
	/** Whether n8n keeps the deduplication key of a start after the execution has ended. */
	keepsKeys = true;
	listDefinitions: ListDefinition[];
	/** Returns the failure with which the service responds to the request for a page, if any. */
	failPage: (key: string, page: number) => PollFailure | undefined = () => undefined;
	/** Runs before a page is read. */
	beforePage: (key: string, page: number) => void = () => undefined;
	/** Returns the Date header with which the service responds to the request for a page. */
	dateHeader: (page: number) => number | undefined = () => Math.floor(this.now / 1000) * 1000;
	/** Returns the Date header with which the service responds to the discovery of lists. */
	discoveryDateHeader: () => number | undefined = () => this.dateHeader(0);
	/** Runs the execution of a start; may take long, or reject. */
	runExecution: (start: WorkflowStart) => Promise<unknown> = async () => 'a run';
	private follower!: Follower<ListDefinition>;
	private abort = new AbortController();
	private isStateChanged = false;
	/** The deduplication keys that n8n has stored. */
	private readonly storedKeys = new Set<string>();

	constructor(private readonly settings: HarnessSettings = {}) {
		this.listDefinitions = settings.listDefinitions ?? [createList()];
		this.time.wallClockOffsetMs = NOON - HOUR;
	}

	/** The time at the service. */
	get now(): number {
		return NOON + this.time.nowMs;
	}

	/** The changes for which n8n started executions, as `kind id`. A batch is one text. */
	get startedChanges(): string[] {
		return this.acceptedStarts.map(({ changes }) =>
			changes.map(({ kind, id }) => `${kind} ${id}`).join(' + '),
		);
	}

	get serializedState(): string {
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
				readList: async (definition, since, acceptPage) =>
					await this.poll(definition, since, acceptPage, pageSize),
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
		// n8n saves the static data when the activation of a trigger has succeeded.
		if (this.staticData === '{}') this.staticData = this.serializedState;
		return this;
	}

	/** Kills the follower; it saves nothing more. */
	kill(): void {
		this.abort.abort(new Error('killed'));
	}

	/** Kills the follower, and starts another one after the downtime. */
	async restart(downtimeMs = 5000): Promise<void> {
		this.kill();
		await this.time.advance(downtimeMs);
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
		return { lists: this.listDefinitions, date: this.discoveryDateHeader() };
	}

	/** Reads a list page by page, as the service would return it. */
	private async poll(
		definition: ListDefinition,
		since: number | undefined,
		acceptPage: (page: ListPage) => Promise<void>,
		pageSize: number,
	): Promise<ListReadResult> {
		const { key } = definition;
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
			const pageRecords = matchingRecords.slice(page * pageSize, (page + 1) * pageSize);
			await acceptPage({
				records: pageRecords.filter(({ Id }) => !returnedIds.has(Id)),
				date: this.dateHeader(page),
			});
			for (const { Id } of pageRecords) returnedIds.add(Id);
			if (pageRecords.length < pageSize) return { kind: 'complete' };
		}
	}

	/** Does as n8n does with a requested start: saves changed static data, and starts each key once. */
	private async emit(start: WorkflowStart): Promise<unknown> {
		this.requestedStarts.push(start);
		if (this.isStateChanged) {
			this.isStateChanged = false;
			this.staticData = this.serializedState;
		}
		if (this.storedKeys.has(start.key)) return undefined;
		const execution = this.runExecution(start);
		this.storedKeys.add(start.key);
		this.acceptedStarts.push(start);
		try {
			return await execution;
		} catch (error) {
			this.storedKeys.delete(start.key);
			this.acceptedStarts.splice(this.acceptedStarts.indexOf(start), 1);
			throw error;
		} finally {
			if (!this.keepsKeys) this.storedKeys.delete(start.key);
		}
	}
}

/** Parses a stamp. The service knows that a stamp without a zone is in UTC. */
const parseStamp = (stamp: string) => Date.parse(stamp.endsWith('Z') ? stamp : `${stamp}Z`);

/** Runs an execution that never ends. */
export const neverEnd = async () => await new Promise<never>(() => undefined);
