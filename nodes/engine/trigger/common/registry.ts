import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import { perProcess } from '../../n8n/perProcess';
import type { Keys } from '../../http/signature';
import type { NewId, Watcher } from '../ids/core';
import { SaveQueue } from './saveQueue';

/** How many stopped triggers are remembered. */
const MAX_STOPS = 100;

/** Which trigger, by the ids of its workflow and node: names can change, these cannot. */
export interface TriggerNode {
	workflow: string;
	node: string;
}

/** Which trigger a context belongs to. */
export const triggerNodeOf = (
	context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>,
): TriggerNode => ({
	workflow: `${context.getWorkflow().id ?? ''}`,
	node: context.getNode().id,
});

/** A trigger that runs in this process. */
export interface RunningTrigger {
	/** What it knows, as it is kept in static data. */
	column(): IDataObject;
	/** When n8n last began to save the static data of its workflow, on the monotonic clock. */
	savedAt(): number;
	/** Ends it, in case n8n starts another one in its place without having closed it. */
	replaced(by: RunningTrigger): void;
	/** Ends it, and whatever took its place. */
	close(): Promise<void>;
}

/** One that watches ids, and takes more of them. */
export interface RunningIdTrigger extends RunningTrigger {
	/** What its callers must know, from a credential that was read so recently; nothing if there is none any more. */
	keys(maxAgeMs?: number): Promise<Keys | undefined>;
	/** Receives the IDs that are submitted to the webhook. */
	readonly watcher: Pick<Watcher, 'add'>;
}

/** Whether a trigger takes ids. */
export const isIdTrigger = (running: RunningTrigger): running is RunningIdTrigger =>
	'watcher' in running;

/** What a trigger left behind when it stopped. */
export interface TriggerStop {
	/** What it knew, as it is kept in static data. */
	column: IDataObject;
	/** Whether it stopped, and n8n was told, because the credential was refused. */
	refused: boolean;
}

const keyOf = ({ workflow, node }: TriggerNode) => JSON.stringify([workflow, node]);

/**
 * Everything that triggers of one process share: n8n runs a node's webhook apart from its trigger, and gives neither to the
 * other. Nothing here outlives the process; what must is in static data.
 */
export class TriggerRegistry {
	/** Whose turn it is to save by request. */
	readonly saves = new SaveQueue();
	private readonly workflows = new Map<string, Map<string, RunningTrigger>>();
	private readonly stops = new Map<string, TriggerStop>();
	private readonly tests = new Map<string, NewId[]>();
	private readonly starts = new Map<string, Promise<unknown>>();

	/** The trigger of a workflow and node, if it watches in this process. */
	running({ workflow, node }: TriggerNode): RunningTrigger | undefined {
		return this.workflows.get(workflow)?.get(node);
	}

	/** Notes that a trigger watches from now on. */
	enter(trigger: TriggerNode, running: RunningTrigger): void {
		this.running(trigger)?.replaced(running);
		this.stops.delete(keyOf(trigger));
		const nodes = this.workflows.get(trigger.workflow) ?? new Map<string, RunningTrigger>();
		this.workflows.set(trigger.workflow, nodes.set(trigger.node, running));
	}

	/** Notes that a trigger has stopped, and what it knew. */
	leave(trigger: TriggerNode, running: RunningTrigger, left: TriggerStop | undefined): void {
		if (this.running(trigger) !== running) return;
		const nodes = this.workflows.get(trigger.workflow);
		nodes?.delete(trigger.node);
		if (nodes?.size === 0) this.workflows.delete(trigger.workflow);
		if (!left) return;
		this.stops.set(keyOf(trigger), left);
		if (this.stops.size > MAX_STOPS) this.stops.delete(this.stops.keys().next().value!);
	}

	/** What the trigger that was here before knew when it stopped; or knows now, if n8n has not closed it. */
	left(trigger: TriggerNode): TriggerStop | undefined {
		const running = this.running(trigger);
		if (running) return { column: running.column(), refused: false };
		return this.stops.get(keyOf(trigger));
	}

	/** When n8n last began to save the static data of a workflow on behalf of one of its triggers, on the monotonic clock. */
	savedAt(workflow: string): number {
		const nodes = this.workflows.get(workflow)?.values() ?? [];
		return Math.max(-Infinity, ...[...nodes].map((running) => running.savedAt()));
	}

	/** What all triggers of a workflow know now, by node: they share one column of the database. */
	columns(workflow: string): Array<[node: string, column: IDataObject]> {
		const nodes = this.workflows.get(workflow) ?? new Map<string, RunningTrigger>();
		return [...nodes].map(([node, running]) => [node, running.column()]);
	}

	/** Leaves ids for the test run that n8n starts next. */
	leaveForTest(trigger: TriggerNode, items: NewId[]): void {
		this.tests.set(keyOf(trigger), items);
	}

	/** Takes the ids that were left for a test run. */
	takeForTest(trigger: TriggerNode): NewId[] {
		const items = this.tests.get(keyOf(trigger)) ?? [];
		this.tests.delete(keyOf(trigger));
		return items;
	}

	/**
	 * Starts a workflow by its key, unless a start with that key is under way, then waits for that one: n8n drops a second
	 * start only once the first has begun to run.
	 */
	async start(key: string, begin: () => Promise<unknown>): Promise<unknown> {
		const underWay = this.starts.get(key);
		if (underWay) return await underWay;
		const started = begin();
		this.starts.set(key, started);
		try {
			return await started;
		} finally {
			this.starts.delete(key);
		}
	}
}

/** The registry of this process. */
export const registry = perProcess('triggers 4', () => new TriggerRegistry());
