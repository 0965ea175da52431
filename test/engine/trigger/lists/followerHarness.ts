import type { IDataObject } from 'n8n-workflow';

import { Follower } from '../../../../nodes/engine/trigger/lists/core';
import type {
	FollowerStop,
	FollowOptions,
	DiscoveredLists,
	ListDefinition,
	ListPage,
	ListReadResult,
	ListSnapshot,
} from '../../../../nodes/engine/trigger/lists/core';
import type { PollFailure } from '../../../../nodes/engine/watch';
import { VirtualTime } from '../support/virtualTime';
import { createList, NOON } from './listHarness';

/** The response to one read of a list: its pages, or the failure. An `Error` is thrown. */
export type ScriptedRead = PollFailure | Error | { pages: IDataObject[][]; warning?: string };

/** Runs one follower in virtual time; the test defines the response to each request. */
export class FollowerHarness {
	readonly time = new VirtualTime();
	/** The reports, each with the key of its list instead of the list. */
	readonly reports: object[] = [];
	/** When lists were discovered, and when each was read, in milliseconds since the beginning. */
	readonly discoveryTimesMs: number[] = [];
	readonly readTimesMs: Record<string, number[]> = {};
	/** Durations of the follower's sleeps. */
	readonly sleepsMs: number[] = [];
	readonly startedChanges: string[] = [];
	endedRoundCount = 0;
	saveCount = 0;
	/** Why the follower stopped; `undefined` while it runs. */
	stop: FollowerStop | undefined;
	lists: ListDefinition[] = [createList()];
	/** Returns the response to a request for a list, for which `earlierReads` requests came before. */
	respondToRead: (key: string, earlierReads: number) => ScriptedRead = () => ({ pages: [[]] });
	discoverLists: () => Promise<DiscoveredLists | PollFailure> = async () => ({
		lists: this.lists,
		date: this.dateHeader(),
	});
	/** Response time per page. */
	pageMs = 0;
	/** Returns the Date header of each response. */
	dateHeader: () => number | undefined = () => NOON + this.time.nowMs;
	random = () => 0;
	/** Resolves when n8n has ended the execution of a start. */
	emit: () => Promise<unknown> = async () => undefined;
	readonly abort = new AbortController();
	follower!: Follower<ListDefinition>;

	/** Starts the follower, and lets time pass. */
	async run(ms = 0, options: Partial<FollowOptions> = {}, saved?: ListSnapshot): Promise<this> {
		this.follower = new Follower<ListDefinition>(
			{
				discoverLists: async () => {
					this.discoveryTimesMs.push(this.time.nowMs);
					return await this.discoverLists();
				},
				readList: async ({ key }, _, acceptPage) => await this.read(key, acceptPage),
				emit: async ({ changes }) => {
					this.startedChanges.push(...changes.map(({ kind, id }) => `${kind} ${id}`));
					return await this.emit();
				},
				save: () => void this.saveCount++,
				report: (report) =>
					void this.reports.push('list' in report ? { ...report, list: report.list?.key } : report),
				onRoundEnd: () => void this.endedRoundCount++,
				sleep: async (sleepMs, signal) => {
					this.sleepsMs.push(sleepMs);
					await this.time.sleep(sleepMs, signal);
				},
				clock: this.time.clock,
				random: () => this.random(),
			},
			{
				kinds: new Set(['created', 'updated', 'status', 'checkedIn']),
				startKeyPrefix: 'w:n',
				...options,
			},
			saved,
		);
		void this.follower.run(this.abort.signal).then((stop) => (this.stop = stop));
		await this.time.advance(ms);
		return this;
	}

	/** Returns the state of a list as the follower would save it. */
	readSavedList(key = 'people') {
		return this.follower.snapshot().lists.find((list) => list.key === key)!;
	}

	private async read(
		key: string,
		acceptPage: (page: ListPage) => Promise<void>,
	): Promise<ListReadResult> {
		const readTimes = (this.readTimesMs[key] ??= []);
		readTimes.push(this.time.nowMs);
		const response = this.respondToRead(key, readTimes.length - 1);
		if (response instanceof Error) throw response;
		if ('kind' in response) return response;
		for (const records of response.pages) {
			if (this.pageMs > 0) await this.time.sleep(this.pageMs);
			await acceptPage({ records, date: this.dateHeader() });
		}
		return { kind: 'complete', warning: response.warning };
	}
}
