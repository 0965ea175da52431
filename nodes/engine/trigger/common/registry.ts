import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import type { SubmissionKeys } from '../../http/signature';
import { perProcess } from '../../n8n/perProcess';
import type { NewId, Watcher } from '../../watch';
import { SaveQueue } from './saveQueue';

/** How many stopped triggers keep their state. */
const MAX_STOPS = 100;

/** Identifies a trigger by the IDs of its workflow and node, since names can change. */
export interface TriggerNode {
	workflowId: string;
	nodeId: string;
}

export const triggerNodeOf = (
	context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>,
): TriggerNode => ({
	workflowId: `${context.getWorkflow().id ?? ''}`,
	nodeId: context.getNode().id,
});

/** A trigger that runs in this process. */
export interface RegisteredTrigger {
	/** Returns the trigger's state for static data. */
	storedState(): IDataObject;
	/** Returns the monotonic time at which n8n last began to save the static data of its workflow. */
	savedAt(): number;
	/** Ends the trigger when n8n starts another one for the same node without having closed this one. */
	replaceWith(successor: RegisteredTrigger): void;
	/** Ends the trigger and its successor. */
	close(): Promise<void>;
}

/** A running trigger that watches IDs and accepts more. */
export interface RegisteredIdTrigger extends RegisteredTrigger {
	/**
	 * Returns the keys that callers must have, from a credential that was read at most `maxAgeMs` ago; undefined if the
	 * credential was deleted.
	 */
	keys(maxAgeMs?: number): Promise<SubmissionKeys | undefined>;
	/** Receives the IDs that are submitted to the webhook. */
	readonly watcher: Pick<Watcher, 'add'>;
}

export const isIdTrigger = (running: RegisteredTrigger): running is RegisteredIdTrigger =>
	'watcher' in running;

/** State of a trigger when it stopped. */
export interface PreviousTrigger {
	/** Its state for static data. */
	storedState: IDataObject;
	/** Whether the trigger stopped because the service rejected the credential, and reported that to n8n. */
	wasRejected: boolean;
}

const keyOf = ({ workflowId, nodeId }: TriggerNode) => JSON.stringify([workflowId, nodeId]);

/**
 * State shared by all triggers of one process. n8n 2.41.1 runs a node's webhook apart from its trigger, and gives neither
 * access to the other. Nothing here outlives the process. State that must outlive it is in static data.
 */
export class TriggerRegistry {
	/** Serializes the saves that webhook requests cause. */
	readonly saveQueue = new SaveQueue();
	private readonly workflows = new Map<string, Map<string, RegisteredTrigger>>();
	private readonly stops = new Map<string, PreviousTrigger>();
	private readonly tests = new Map<string, NewId[]>();
	private readonly workflowStarts = new Map<string, Promise<unknown>>();

	/** Returns the trigger of a node, if it runs in this process. */
	running({ workflowId, nodeId }: TriggerNode): RegisteredTrigger | undefined {
		return this.workflows.get(workflowId)?.get(nodeId);
	}

	/** Records that a trigger runs, and ends the one that it replaces. */
	recordRunning(trigger: TriggerNode, running: RegisteredTrigger): void {
		this.running(trigger)?.replaceWith(running);
		this.stops.delete(keyOf(trigger));
		const nodes = this.workflows.get(trigger.workflowId) ?? new Map<string, RegisteredTrigger>();
		this.workflows.set(trigger.workflowId, nodes.set(trigger.nodeId, running));
	}

	/** Records that a trigger has stopped, with its state. Does nothing if another trigger has replaced this one. */
	recordStopped(
		trigger: TriggerNode,
		running: RegisteredTrigger,
		stop: PreviousTrigger | undefined,
	): void {
		if (this.running(trigger) !== running) return;
		const nodes = this.workflows.get(trigger.workflowId);
		nodes?.delete(trigger.nodeId);
		if (nodes?.size === 0) this.workflows.delete(trigger.workflowId);
		if (!stop) return;
		this.stops.set(keyOf(trigger), stop);
		if (this.stops.size > MAX_STOPS) this.stops.delete(this.stops.keys().next().value!);
	}

	/** Returns the state in which the node's previous trigger stopped, or its present state if n8n has not closed it. */
	previousTriggerOf(trigger: TriggerNode): PreviousTrigger | undefined {
		const running = this.running(trigger);
		if (running) return { storedState: running.storedState(), wasRejected: false };
		return this.stops.get(keyOf(trigger));
	}

	/** Returns the monotonic time at which n8n last began to save the static data of a workflow for one of its triggers. */
	savedAt(workflow: string): number {
		const nodes = this.workflows.get(workflow)?.values() ?? [];
		return Math.max(-Infinity, ...[...nodes].map((running) => running.savedAt()));
	}

	/** Returns the present state of all triggers of a workflow, by node. The triggers share one column of the database. */
	storedStates(workflow: string): Array<[nodeId: string, state: IDataObject]> {
		const nodes = this.workflows.get(workflow) ?? new Map<string, RegisteredTrigger>();
		return [...nodes].map(([nodeId, running]) => [nodeId, running.storedState()]);
	}

	/** Stores IDs for the test run that n8n starts next. */
	storeTestIds(trigger: TriggerNode, items: NewId[]): void {
		this.tests.set(keyOf(trigger), items);
	}

	/** Removes and returns the IDs stored for a test run. */
	takeTestIds(trigger: TriggerNode): NewId[] {
		const items = this.tests.get(keyOf(trigger)) ?? [];
		this.tests.delete(keyOf(trigger));
		return items;
	}

	/**
	 * Starts a workflow by its deduplication key. If a start with that key is under way, waits for that start instead,
	 * because n8n 2.41.1 drops a second start only once the first has begun to run.
	 */
	async startWorkflowOnce(key: string, begin: () => Promise<unknown>): Promise<unknown> {
		const underWay = this.workflowStarts.get(key);
		if (underWay) return await underWay;
		const started = begin();
		this.workflowStarts.set(key, started);
		try {
			return await started;
		} finally {
			this.workflowStarts.delete(key);
		}
	}
}

/**
 * The registry of this process. Another version of the pack may share the registry, so a change of its methods needs another
 * name.
 */
export const registry = perProcess('triggers 6', () => new TriggerRegistry());
