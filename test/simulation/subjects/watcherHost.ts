import type { EndedId, IdSnapshot, PollResult, Watcher } from '../../../nodes/engine/watch';
import { Database } from '../world/database';
import type { N8nProcess } from '../world/n8nProcess';
import type { PackCores } from '../world/packBundle';
import type { World } from '../world/world';
import type { WorldPlan } from './worldPlan';

/** A trigger without n8n's contexts: a watcher, and the static data that n8n writes for it. */
interface OpenWatcher {
	watcher: Watcher;
	abort: AbortController;
	/** Whether the state has changed since n8n began to save it. */
	isChanged: boolean;
}

export interface WatcherHostOptions {
	node: string;
	enteredIds: string[];
	intervalMs: number;
	maxInFlight: number;
	/** Time after which an ID is no longer watched. */
	maxWaitMs?: number;
	/** Polls the service, until the signal cancels the request. */
	poll: (process: N8nProcess, id: string, signal: AbortSignal) => Promise<PollResult>;
	/** Returns the time before which the service wants no request of a process. */
	pausedUntil: (process: N8nProcess) => number;
}

const WORKFLOW = 'approvals';
const STARTUP_MS = 2000;
const REACTIVATE_MS = 10_000;
const MAX_EXECUTION_MS = 3000;

/** Stands for n8n and for the trigger around a watcher: opens it, saves its state, starts executions and receives IDs. */
export class WatcherHost {
	readonly database: Database;
	private readonly open = new WeakMap<N8nProcess, OpenWatcher>();

	constructor(
		private readonly world: World,
		private readonly watch: PackCores['watch'],
		private readonly plan: WorldPlan,
		private readonly options: WatcherHostOptions,
	) {
		// The trigger around the watcher handles writes that overtake each other.
		this.database = new Database(world, { ...plan, ordersWrites: true });
	}

	async start(): Promise<void> {
		const process = this.world.startProcess();
		await this.sleep(process, STARTUP_MS);
		this.activate(process);
	}

	async publishAgain(pauseMs: number): Promise<void> {
		const { process } = this.world;
		const present = process && this.open.get(process);
		if (!present) return;
		present.abort.abort(new Error('closed'));
		this.open.delete(process);
		if (pauseMs > 0) await this.sleep(process, pauseMs);
		this.activate(process, present.watcher.snapshot());
	}

	async stop(): Promise<void> {
		const { process } = this.world;
		if (!process) return;
		this.open.get(process)?.abort.abort(new Error('closed'));
		this.open.delete(process);
		await this.sleep(process, MAX_EXECUTION_MS + this.plan.maxWriteMs);
		this.world.endProcess(process, false);
	}

	takeOver(overlapMs: number): void {
		const { process, machine } = this.world;
		void this.start();
		if (process) machine.schedule(overlapMs, () => this.world.killProcess(process, 0));
	}

	/** Submits an ID. Resolves with the status of the response. */
	async post(id: string): Promise<number> {
		const { world } = this;
		const { process } = world;
		const present = process && this.open.get(process);
		if (!present?.watcher.add([{ id, data: { ownId: id } }]).ok) return process ? 503 : 0;
		const isSaved = await this.save(process!, present);
		return await world.cause(process!, 'webhook response', () => (isSaved ? 200 : 503));
	}

	private activate(process: N8nProcess, snapshot?: IdSnapshot): void {
		const { world, options, plan, watch } = this;
		const abort = new AbortController();
		const saved: unknown = snapshot ?? JSON.parse(this.database.readStaticData(WORKFLOW));
		const opened = { abort, isChanged: false } as OpenWatcher;
		const reportIfClosed = (act: string) => {
			if (abort.signal.aborted) world.record({ type: 'misbehaved', detail: `${act} when closed` });
		};
		// The trigger around the watcher knows the pauses of the process from before the activation.
		const pausedUntil = options.pausedUntil(process);
		opened.watcher = new watch.Watcher(
			{
				sleep: async (ms, signal) => {
					await world.machine.sleep(ms, signal);
					await world.cause(process, 'timer', () => undefined);
				},
				clock: world.machine.clock,
				random: () => world.random.next(),
				pollId: async ({ id }, signal) => {
					reportIfClosed('polled');
					const retryAfterMs = pausedUntil - world.machine.nowMs;
					if (retryAfterMs > 0) return { kind: 'rateLimited', retryAfterMs };
					return await options.poll(process, id, signal);
				},
				emit: async (ended) => {
					reportIfClosed('emitted');
					return await this.execute(process, opened, ended);
				},
				save: () => {
					reportIfClosed('saved');
					opened.isChanged = true;
				},
				report: (report) => {
					if (report.kind !== 'startsUnclear' || process.hasEnded()) return;
					const description = report.ended.map(({ id }) => id).join(', ');
					const trigger = options.node;
					world.record({ type: 'reported', message: 'Unclear', description, trigger });
				},
			},
			{
				intervalMs: options.intervalMs,
				maxInFlight: options.maxInFlight,
				maxWaitMs: options.maxWaitMs,
				...(!plan.keepsExecutions && { repeatStartsForMs: 0 }),
			},
			watch.readSnapshot(isEmpty(saved) ? undefined : saved),
			options.enteredIds.map((id) => ({ id })),
		);
		this.open.set(process, opened);
		void this.run(process, opened);
		void this.save(process, opened);
	}

	/** Runs a watcher until n8n closes it. If the service rejects the credential, n8n activates it again. */
	private async run(process: N8nProcess, opened: OpenWatcher): Promise<void> {
		const { credentialRejectionMessage } = await opened.watcher.run(opened.abort.signal);
		if (process.hasEnded()) return;
		if (credentialRejectionMessage === undefined) {
			const { aborted } = opened.abort.signal;
			if (!aborted) this.world.record({ type: 'misbehaved', detail: 'stopped by itself' });
			return;
		}
		await this.sleep(process, REACTIVATE_MS);
		if (this.open.get(process) === opened) this.activate(process, opened.watcher.snapshot());
	}

	private async execute(process: N8nProcess, opened: OpenWatcher, ended: EndedId): Promise<void> {
		const { id, outcome, data } = ended;
		void this.save(process, opened);
		const key = `${WORKFLOW}:${this.options.node}:${id}`;
		const start = {
			key,
			items: [{ ...(data as object | undefined), id, outcome }],
			trigger: this.options.node,
		};
		if (!(await this.database.createExecution(process, start))) return;
		await this.sleep(process, this.world.random.next() * MAX_EXECUTION_MS);
		this.database.endExecution(key);
	}

	/** Saves the state if it has changed, as n8n does. Resolves with whether the database confirmed it. */
	private async save(process: N8nProcess, opened: OpenWatcher): Promise<boolean> {
		if (!opened.isChanged) return true;
		const content = JSON.stringify(opened.watcher.snapshot());
		const isConfirmed = await this.database.saveStaticData(process, WORKFLOW, content);
		if (isConfirmed) opened.isChanged = false;
		return isConfirmed;
	}

	private async sleep(process: N8nProcess, ms: number): Promise<void> {
		await this.world.machine.sleep(ms);
		await process.ifAlive(undefined);
	}
}

const isEmpty = (value: unknown) => Object.keys(value as object).length === 0;
