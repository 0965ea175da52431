import type * as ListCore from '../../../nodes/engine/trigger/lists/core';
import { definitionOf, settingsFor, WORKFLOW } from './coreListPlan';
import type { CoreListPlan, CoreStep } from './coreListPlan';
import { CoreListService } from './coreListService';
import type { N8nProcess } from './n8nProcess';
import type { PackBundle } from './packBundle';
import { RecordLists } from './recordLists';
import type { ListSettings } from './recordLists';
import { StartDatabase } from './startDatabase';
import { World } from './world';

type Follower = ListCore.Follower<ListCore.ListDefinition>;

const FIRST_STEP_MS = 8000;
const LONGEST_PAUSE_MS = 60_000;
/** The last changes are read while faults and crashes still happen. */
const AFTER_LAST_STEP_MS = 65_000;

/** Plays a plan with the core of list triggers, a service and a database, without n8n and HTTP. */
export class CoreListHistory {
	private readonly world: World;
	private readonly lists: RecordLists;
	private readonly settings: ListSettings[];
	private readonly service: CoreListService;
	private readonly database: StartDatabase;
	private process: N8nProcess | undefined;
	private closing = new AbortController();
	private follower: Follower | undefined;
	private stateAtActivation = '{}';
	/** State that a closed trigger leaves in its process. */
	private stateAtClose: string | undefined;
	private areFaultsOver = false;

	constructor(
		private readonly plan: CoreListPlan,
		private readonly bundle: PackBundle,
	) {
		this.world = new World({ seed: plan.seed, bundle, crashes: plan.crashes });
		const { machine } = this.world;
		const clockOffsetMs = machine.wallClockOffsetMs + plan.clockAheadMs;
		const now = () => Math.floor(machine.nowMs + clockOffsetMs);
		this.settings = Array.from({ length: plan.listCount }, (_, index) => settingsFor(plan, index));
		this.lists = new RecordLists(this.world, this.settings, now);
		this.service = new CoreListService(this.world, plan, now);
		this.database = new StartDatabase(this.world, plan, WORKFLOW);
	}

	async play(): Promise<World> {
		const { world, plan } = this;
		const { machine } = world;
		const restoreGlobals = machine.install();
		try {
			this.lists.addInitial(plan.initialCount);
			world.onKill = (downtimeMs) => {
				this.stateAtClose = undefined;
				machine.schedule(this.areFaultsOver ? 0 : downtimeMs, () => this.startN8n());
			};
			this.startN8n();
			await machine.advance(FIRST_STEP_MS);
			for (const { afterMs, step } of plan.steps) {
				await machine.advance(afterMs);
				await this.take(step);
			}
			await machine.advance(AFTER_LAST_STEP_MS);
			await this.endFaults();
			await machine.advance(plan.calmMs);
			world.record({ type: 'ended' });
		} finally {
			this.closing.abort();
			world.end();
			restoreGlobals();
		}
		return world;
	}

	private async take(step: CoreStep): Promise<void> {
		const { world, lists } = this;
		if (step.kind === 'change') lists.apply(step.change);
		else if (step.kind === 'betweenPages') lists.betweenPages.push(step.change);
		else if (step.kind === 'clock') world.stepClock(step.byMs);
		else if (!world.process) return;
		else if (step.kind === 'kill') {
			world.kill(step.downtimeMs);
			await world.machine.advance(step.downtimeMs);
		} else {
			const { process } = this;
			this.closing.abort(new Error('closed'));
			await world.machine.advance(0);
			this.stateAtClose = this.currentState();
			await world.machine.advance(step.downtimeMs);
			if (process !== this.process || process?.hasEnded()) return;
			world.record({ type: 'reopened' });
			this.open(step.isStale ? this.stateAtActivation : this.database.state);
		}
	}

	private async endFaults(): Promise<void> {
		const { world, service, database } = this;
		for (const change of this.lists.betweenPages.splice(0)) this.lists.apply(change);
		this.areFaultsOver = true;
		service.endFaults();
		database.endFaults();
		world.crashes.end();
		this.startN8n();
		world.record({ type: 'faultsEnded' });
		await Promise.resolve();
	}

	private startN8n(): void {
		if (this.world.process) return;
		this.process = this.world.startProcess();
		this.open(this.database.state);
	}

	private currentState(): string {
		return JSON.stringify(this.core.toStoredSnapshot(this.follower!.snapshot()));
	}

	private get core(): typeof ListCore {
		return this.bundle.loadCores().lists;
	}

	/** Activates the trigger with the newer of the database's state and the state in the process. */
	private open(saved: string): void {
		const { world, plan, core, service, database } = this;
		const { machine } = world;
		const process = this.process!;
		const closing = (this.closing = new AbortController());
		let isChanged = false;
		let isActivated = false;
		const save = () => {
			isChanged = false;
			database.save(process, this.currentState());
		};
		const activate = () => {
			if (isActivated) return;
			isActivated = true;
			this.stateAtActivation = this.currentState();
			save();
		};
		const requireOpen = (detail: string) => {
			if (closing.signal.aborted) world.record({ type: 'misbehaved', detail });
		};
		const read = (text: string | undefined) =>
			text === undefined ? undefined : core.readStoredSnapshot(JSON.parse(text));
		const snapshot = core.newerSnapshot(read(this.stateAtClose), read(saved));
		const follower = new core.Follower<ListCore.ListDefinition>(
			{
				discoverLists: async () => {
					requireOpen('requests after its end');
					const findings = await service.send(process, '/core/lists', undefined, () => ({
						lists: this.definitions(),
						date: service.dateHeader(plan.skewMs),
					}));
					if ('lists' in findings)
						world.record({ type: 'discovered', lists: findings.lists.map(({ key }) => key) });
					return findings as ListCore.DiscoveredLists;
				},
				readList: async (list, since, onPage) => {
					requireOpen('requests after its end');
					return await this.readPages(process, list, since, onPage);
				},
				emit: async ({ key, changes }) => {
					requireOpen('starts after its end');
					if (isChanged) save();
					const items = changes.map(({ kind, record }) => ({ change: kind, ...record }));
					return await database.start(process, key, items);
				},
				save: () => {
					requireOpen('saves after its end');
					isChanged = true;
				},
				report: (report) => {
					const description = 'ids' in report ? report.ids.join(', ') : '';
					if (report.kind === 'startsUnclear')
						world.record({ type: 'reported', message: report.kind, description });
				},
				onRoundEnd: activate,
				sleep: async (ms, signal) => {
					await machine.sleep(ms, signal);
					await process.ifAlive(undefined);
				},
				clock: machine.clock,
				random: () => world.random.next(),
			},
			{
				kinds: new Set(plan.kinds),
				startKeyPrefix: 'workflow:node',
				intervalMs: plan.intervalMs,
				overlapMs: plan.overlapMs,
				batchesChanges: plan.batchesChanges,
				includeExisting: plan.includeExisting,
				maxUnconfirmed: plan.maxUnconfirmed,
				longestPauseMs: LONGEST_PAUSE_MS,
				...(!plan.keepsExecutions && { repeatStartsForMs: 0 }),
			},
			snapshot,
		);
		this.follower = follower;
		const end = (detail: string) => {
			if (!closing.signal.aborted) world.record({ type: 'misbehaved', detail });
		};
		follower.run(closing.signal).then(
			() => end('stops by itself'),
			(error: unknown) => end(`fails: ${String(error)}`),
		);
		if (snapshot) activate();
	}

	/**
	 * Returns the lists that the service names. A list is missing only once n8n has saved that it is followed: the pack never
	 * omits a list that the user selected, and a list that is discovered late is followed from the round before.
	 */
	private definitions(): ListCore.ListDefinition[] {
		const { database, service } = this;
		return this.settings
			.filter(({ followed }, index) => {
				const isFollowed = database.state.includes(followed.list);
				return !isFollowed || !service.isUndiscovered(index);
			})
			.map((settings) => definitionOf(this.plan, settings));
	}

	/** Reads a list page by page, as the trigger's reader does: a record that a page repeats is not passed on again. */
	private async readPages(
		process: N8nProcess,
		{ key }: ListCore.ListDefinition,
		since: number | undefined,
		onPage: (page: ListCore.ListPage) => Promise<void>,
	): Promise<ListCore.ListReadResult> {
		const { service, lists, plan } = this;
		const index = this.settings.findIndex(({ followed }) => followed.list === key);
		const settings = this.settings[index]!;
		const seen = new Set<unknown>();
		for (let page = 1; ; page++) {
			const path = `/core/${key}?page=${page}&since=${since}`;
			const response = await service.send(process, path, index, (request) => {
				const read = lists.readPage(request, key, page, since);
				return { records: service.format(read, settings), date: service.dateHeader(plan.skewMs) };
			});
			if ('kind' in response) return response as ListCore.ListReadResult;
			const { records, date } = response;
			await onPage({ records: records.filter(({ Id }) => !seen.has(Id)), date });
			for (const { Id } of records) seen.add(Id);
			if (records.length < settings.pageSize) return { kind: 'complete' };
		}
	}
}
