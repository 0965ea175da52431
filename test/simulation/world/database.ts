import { never } from './n8nProcess';
import type { N8nProcess } from './n8nProcess';
import type { World } from './world';

/** Faults of single saves of static data. n8n swallows the error and keeps the data marked as changed. */
export const saveFaults = [
	/** The database does not write. */
	'failed',
	/** The database writes, but the confirmation does not arrive. */
	'unconfirmed',
] as const;

/** A fault at a save, counted from 1 in the order in which saves begin. */
export interface PlannedSaveFault {
	save: number;
	fault: (typeof saveFaults)[number];
}

export interface DatabaseOptions {
	/** Longest time that a write takes. */
	maxWriteMs: number;
	/** Whether a write begins when the previous one has ended, as with SQLite. With PostgreSQL a later one can end first. */
	ordersWrites: boolean;
	/** Whether n8n keeps successful executions, and with them their deduplication keys. */
	keepsExecutions: boolean;
	saveFaults?: PlannedSaveFault[];
	/** Starts that n8n rejects, counted from 1. */
	rejectedStarts?: number[];
}

const HOUR_MS = 3_600_000;
/** Time by the wall clock after which n8n prunes an execution. Documents demand at least 72 hours. */
const PRUNE_AFTER_MS = 73 * HOUR_MS;

/** State of the database at one moment. */
interface DatabaseCopy {
	staticData: ReadonlyMap<string, string>;
	keys: ReadonlyMap<string, number>;
	copiedAt: number;
}

/** n8n's database as far as triggers depend on it: the column of static data, and executions with their deduplication keys. */
export class Database {
	private staticData = new Map<string, string>();
	/** Deduplication keys, with the wall-clock time of their executions. */
	private keys = new Map<string, number>();
	private lastWrite: Promise<unknown> = Promise.resolve();
	private saveCount = 0;
	private startCount = 0;
	private areFaultsOver = false;
	/** How often a backup replaced the database. No write from before reaches it afterwards. */
	private restoreCount = 0;

	constructor(
		private readonly world: World,
		private readonly options: DatabaseOptions,
	) {
		const { keepsExecutions } = options;
		world.record({ type: 'settings', keepsExecutions });
	}

	endFaults(): void {
		this.areFaultsOver = true;
	}

	readStaticData(workflow: string): string {
		return this.staticData.get(workflow) ?? '{}';
	}

	/** Writes the static data of a workflow. Returns whether the process gets a confirmation. */
	async saveStaticData(process: N8nProcess, workflow: string, content: string): Promise<boolean> {
		const { world, options } = this;
		const save = ++this.saveCount;
		const planned = options.saveFaults?.find((each) => each.save === save)?.fault;
		const fault = this.areFaultsOver ? undefined : planned;
		if (fault) world.faultCount++;
		const beganAt = Math.round(world.machine.nowMs);
		world.record({ type: 'saveBegan', workflow, process: process.number, save });
		const previous = options.ordersWrites ? this.lastWrite : Promise.resolve();
		const write = world.cause(process, 'save', async () => {
			await previous;
			await this.takeTime();
			await process.ifAlive(undefined);
			if (fault === 'failed') return;
			this.staticData.set(workflow, content);
			world.record({ type: 'saved', workflow, beganAt, process: process.number, save });
		});
		// The next process does not wait for the writes of a dead one.
		this.lastWrite = Promise.race([write, process.dead]);
		await write;
		return fault === undefined;
	}

	/** Creates an execution, unless one with its key exists. Returns whether it did. Throws if n8n rejects the start. */
	async createExecution(
		process: N8nProcess,
		{ key, items, trigger }: { key: string; items: object[]; trigger: string },
	): Promise<boolean> {
		const { world } = this;
		world.record({ type: 'startRequested', process: process.number, key, trigger });
		const isRejected =
			!this.areFaultsOver && this.options.rejectedStarts?.includes(++this.startCount) === true;
		if (isRejected) world.faultCount++;
		return await world.cause(process, 'start', async () => {
			const { restoreCount } = this;
			const requestedAt = world.machine.clock.now();
			await this.takeTime();
			if (this.restoreCount > restoreCount) return await never();
			// A write of a killed process takes effect, but not days later, when the machine was off meanwhile.
			const passedMs = world.machine.clock.now() - requestedAt;
			if (process.hasEnded() && passedMs > HOUR_MS) return await never();
			if (isRejected) throw new Error('The database is too slow');
			this.prune();
			if (this.keys.has(key)) return false;
			this.keys.set(key, world.machine.clock.now());
			const copy = structuredClone(items) as Array<Record<string, unknown>>;
			world.record({ type: 'started', key, items: copy, trigger });
			return true;
		});
	}

	/** Ends an execution. n8n deletes it at once if it keeps no successful ones. */
	endExecution(key: string): void {
		if (!this.options.keepsExecutions) this.deleteKey(key);
	}

	copy(): DatabaseCopy {
		this.world.record({ type: 'copied' });
		const copiedAt = Math.round(this.world.machine.nowMs);
		return { staticData: new Map(this.staticData), keys: new Map(this.keys), copiedAt };
	}

	restore({ staticData, keys, copiedAt }: DatabaseCopy): void {
		this.restoreCount++;
		this.staticData = new Map(staticData);
		this.keys = new Map(keys);
		this.world.record({ type: 'restored', copiedAt });
	}

	private prune(): void {
		const now = this.world.machine.clock.now();
		for (const [key, startedAt] of this.keys)
			if (now - startedAt >= PRUNE_AFTER_MS) this.deleteKey(key);
	}

	private deleteKey(key: string): void {
		if (this.keys.delete(key)) this.world.record({ type: 'pruned', key });
	}

	private async takeTime(): Promise<void> {
		const { machine, random } = this.world;
		await machine.sleep(random.next() * this.options.maxWriteMs);
	}
}
