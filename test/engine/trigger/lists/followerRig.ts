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
import { list, NOON } from './listHarness';

/** The pages of a list, or why there are none. */
export type ScriptedRead = PollFailure | Error | { pages: IDataObject[][]; warning?: string };

/** Runs one follower in virtual time; a test says how the service answers each request. */
export class FollowerRig {
	readonly time = new VirtualTime();
	/** The reports, each with the key of its list instead of the list. */
	readonly reports: object[] = [];
	/** When lists were discovered, and when each was read, in milliseconds since the beginning. */
	readonly finds: number[] = [];
	readonly reads: Record<string, number[]> = {};
	/** Durations of the follower's sleeps. */
	readonly sleeps: number[] = [];
	readonly started: string[] = [];
	roundsEnded = 0;
	saves = 0;
	stop: FollowerStop | undefined;
	lists: ListDefinition[] = [list()];
	/** Answers one request for a list, of which `earlier` came before. */
	respond: (key: string, earlier: number) => ScriptedRead = () => ({ pages: [[]] });
	/** Discovers the lists. */
	find: () => Promise<DiscoveredLists | PollFailure> = async () => ({
		lists: this.lists,
		date: this.date(),
	});
	/** Response time per page. */
	pageMs = 0;
	/** The Date header of all answers. */
	date: () => number | undefined = () => NOON + this.time.at;
	random = () => 0;
	emit: () => Promise<unknown> = async () => undefined;
	readonly abort = new AbortController();
	follower!: Follower<ListDefinition>;

	/** Starts the follower, and lets time pass. */
	async run(ms = 0, options: Partial<FollowOptions> = {}, saved?: ListSnapshot): Promise<this> {
		this.follower = new Follower<ListDefinition>(
			{
				discoverLists: async () => {
					this.finds.push(this.time.at);
					return await this.find();
				},
				readList: async ({ key }, _, take) => await this.read(key, take),
				emit: async ({ changes }) => {
					this.started.push(...changes.map(({ kind, id }) => `${kind} ${id}`));
					return await this.emit();
				},
				save: () => void this.saves++,
				report: (report) =>
					void this.reports.push('list' in report ? { ...report, list: report.list?.key } : report),
				onRoundEnd: () => void this.roundsEnded++,
				sleep: async (sleepMs, signal) => {
					this.sleeps.push(sleepMs);
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
		await this.time.pass(ms);
		return this;
	}

	/** The saved state of a list. */
	saved(key = 'people') {
		return this.follower.snapshot().lists.find((source) => source.key === key)!;
	}

	private async read(
		key: string,
		take: (page: ListPage) => Promise<void>,
	): Promise<ListReadResult> {
		const earlier = (this.reads[key] ??= []);
		earlier.push(this.time.at);
		const scripted = this.respond(key, earlier.length - 1);
		if (scripted instanceof Error) throw scripted;
		if ('kind' in scripted) return scripted;
		for (const records of scripted.pages) {
			if (this.pageMs > 0) await this.time.sleep(this.pageMs);
			await take({ records, date: this.date() });
		}
		return { kind: 'complete', warning: scripted.warning };
	}
}
