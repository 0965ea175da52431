import { never } from './n8nProcess';
import type { N8nProcess } from './n8nProcess';
import type { World } from './world';

/** How n8n's database and executions behave. */
export interface DatabaseOptions {
	maxWriteMs: number;
	ordersWrites: boolean;
	keepsExecutions: boolean;
	/** Percentage of writes that fail; n8n reports no error. */
	failedWritesPercent: number;
	/** Percentage of starts that n8n rejects. */
	rejectedStartsPercent: number;
	/** Percentage of executions that take up to an hour. */
	longRunsPercent: number;
}

const LONG_RUN_MS = 3_600_000;
const SHORT_RUN_MS = 3000;

/** n8n's database for one trigger that is driven without n8n: its state, and the executions with their deduplication keys. */
export class StartDatabase {
	state = '{}';
	private readonly keys = new Set<string>();
	private lastWrite: Promise<unknown> = Promise.resolve();
	private running = new Map<string, Promise<unknown>>();
	private areFaultsOver = false;
	/** Ends the executions that are running. */
	private endRuns!: () => void;
	private readonly runsEnd = new Promise<void>((resolve) => (this.endRuns = resolve));

	constructor(
		private readonly world: World,
		private readonly options: DatabaseOptions,
		private readonly workflow: string,
	) {
		world.record({ type: 'settings', keepsExecutions: options.keepsExecutions });
	}

	/** Lets all further writes and starts succeed, and all executions end: starts wait while the most allowed run. */
	endFaults(): void {
		this.areFaultsOver = true;
		this.endRuns();
	}

	/** Writes the state, as it is now. */
	save(process: N8nProcess, state: string): void {
		const { world, options } = this;
		const { workflow } = this;
		const beganAt = Math.round(world.machine.nowMs);
		world.record({ type: 'saveBegan', workflow, process: process.number });
		const previous = options.ordersWrites ? this.lastWrite : Promise.resolve();
		const write = world.cause(process, 'save', async () => {
			await previous;
			await world.machine.sleep(world.random.next() * options.maxWriteMs);
			await process.ifAlive(undefined);
			if (this.happens(options.failedWritesPercent)) return;
			this.state = state;
			world.record({ type: 'saved', workflow, beganAt, process: process.number });
		});
		// The next process does not wait for the writes of a dead one.
		this.lastWrite = Promise.race([write, process.dead]);
	}

	/** Creates and runs an execution, unless one with its key exists. Joins one that is running. */
	async start(
		process: N8nProcess,
		key: string,
		items: Array<Record<string, unknown>>,
	): Promise<unknown> {
		const { world } = this;
		world.record({ type: 'startRequested', process: process.number, key });
		const name = `${process.number} ${key}`;
		const run = this.running.get(name) ?? this.execute(process, key, items);
		this.running.set(name, run);
		const result = await run.finally(() => this.running.delete(name));
		world.record({ type: 'confirmed', process: process.number, key });
		return result;
	}

	private async execute(
		process: N8nProcess,
		key: string,
		items: Array<Record<string, unknown>>,
	): Promise<unknown> {
		const { world, options } = this;
		const isNew = await world.cause(process, 'start', async () => {
			await world.machine.sleep(world.random.next() * options.maxWriteMs);
			// A killed n8n has created the execution, or not.
			if (process.hasEnded() && world.random.next() < 0.5) return await never();
			if (this.happens(options.rejectedStartsPercent)) throw new Error('not started');
			if (this.keys.has(key)) return false;
			this.keys.add(key);
			world.record({ type: 'started', key, items: structuredClone(items) });
			return true;
		});
		if (!isNew) return undefined;
		const longestMs = this.happens(options.longRunsPercent) ? LONG_RUN_MS : SHORT_RUN_MS;
		const run = world.machine.sleep(world.random.next() * longestMs);
		await (this.areFaultsOver ? run : Promise.race([run, this.runsEnd]));
		await process.ifAlive(undefined);
		if (!options.keepsExecutions) this.keys.delete(key);
		return { finished: true };
	}

	private happens(percent: number): boolean {
		return !this.areFaultsOver && this.world.random.next() * 100 < percent;
	}
}
