import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import type { SubmissionKeys } from '../../http/signature';
import { perProcess } from '../../n8n/perProcess';
import type { NewId, Watcher } from '../../watch';
import { SaveQueue } from './saveQueue';
import { UnconfirmedSaves } from './unconfirmedSaves';

/** How many stopped triggers keep their state. */
const MAX_STOPPED_STATES = 100;

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

export const isIdTrigger = (trigger: RegisteredTrigger): trigger is RegisteredIdTrigger =>
	'watcher' in trigger;

/** State of a trigger when it stopped. */
export interface StoppedTriggerState {
	/** Its state for static data. */
	storedState: IDataObject;
	/** Whether the trigger stopped by itself, so that n8n starts it again soon. */
	isRestartDue: boolean;
	/** Whether the trigger stopped because the service rejected the credential, and reported that to n8n. */
	wasRejectionReported: boolean;
}

const triggerKeyOf = ({ workflowId, nodeId }: TriggerNode) => JSON.stringify([workflowId, nodeId]);

/**
 * State shared by all triggers of one process. n8n 2.41.1 runs a node's webhook apart from its trigger, and gives neither
 * access to the other. Nothing here outlives the process. State that must outlive it is in static data.
 */
export class TriggerRegistry {
	/** Serializes the saves that webhook requests cause. */
	readonly saveQueue = new SaveQueue();
	private readonly saves = new Map<string, UnconfirmedSaves>();
	private readonly triggersByWorkflow = new Map<string, Map<string, RegisteredTrigger>>();
	private readonly stoppedStates = new Map<string, TriggerNode & StoppedTriggerState>();
	private readonly testIds = new Map<string, NewId[]>();
	private readonly workflowStarts = new Map<string, Promise<unknown>>();

	/** Returns the trigger of a node, if it runs in this process. */
	find({ workflowId, nodeId }: TriggerNode): RegisteredTrigger | undefined {
		return this.triggersByWorkflow.get(workflowId)?.get(nodeId);
	}

	/** Records that a trigger runs, and ends the one that it replaces. */
	recordRunning(node: TriggerNode, trigger: RegisteredTrigger): void {
		this.find(node)?.replaceWith(trigger);
		this.stoppedStates.delete(triggerKeyOf(node));
		const triggersByNode =
			this.triggersByWorkflow.get(node.workflowId) ?? new Map<string, RegisteredTrigger>();
		this.triggersByWorkflow.set(node.workflowId, triggersByNode.set(node.nodeId, trigger));
	}

	/** Records that a trigger has stopped, with its state. Does nothing if another trigger has replaced this one. */
	recordStopped(
		node: TriggerNode,
		trigger: RegisteredTrigger,
		state: StoppedTriggerState | undefined,
	): void {
		if (this.find(node) !== trigger) return;
		const triggersByNode = this.triggersByWorkflow.get(node.workflowId);
		triggersByNode?.delete(node.nodeId);
		if (triggersByNode?.size === 0) {
			this.triggersByWorkflow.delete(node.workflowId);
			if (state?.isRestartDue !== true) this.forgetRestarts(node.workflowId);
		}
		if (!state) return;
		this.stoppedStates.set(triggerKeyOf(node), { ...node, ...state });
		if (this.stoppedStates.size > MAX_STOPPED_STATES)
			this.stoppedStates.delete(this.stoppedStates.keys().next().value!);
	}

	/** Returns the state in which the node's previous trigger stopped, or its present state if n8n has not closed it. */
	lastStateOf(node: TriggerNode): StoppedTriggerState | undefined {
		const trigger = this.find(node);
		if (trigger) {
			const storedState = trigger.storedState();
			return { storedState, isRestartDue: false, wasRejectionReported: false };
		}
		return this.stoppedStates.get(triggerKeyOf(node));
	}

	/** Returns the unconfirmed saves of a workflow. */
	savesOf(workflowId: string): UnconfirmedSaves {
		const saves = this.saves.get(workflowId) ?? new UnconfirmedSaves();
		this.saves.set(workflowId, saves);
		return saves;
	}

	/**
	 * Returns the present state of all triggers of a workflow, by node. The triggers share one column of the database, so the
	 * save of one must not set back another that has failed meanwhile.
	 */
	storedStates(workflowId: string): Array<[nodeId: string, state: IDataObject]> {
		const states = new Map<string, IDataObject>();
		for (const stopped of this.stoppedStatesOf(workflowId))
			if (stopped.isRestartDue) states.set(stopped.nodeId, stopped.storedState);
		for (const [nodeId, trigger] of this.triggersByWorkflow.get(workflowId) ?? [])
			states.set(nodeId, trigger.storedState());
		return [...states];
	}

	/** n8n has closed the workflow: another process may run it next, and the states of this one are then outdated. */
	private forgetRestarts(workflowId: string): void {
		for (const stopped of this.stoppedStatesOf(workflowId)) stopped.isRestartDue = false;
	}

	private stoppedStatesOf(workflowId: string): Array<TriggerNode & StoppedTriggerState> {
		return [...this.stoppedStates.values()].filter((state) => state.workflowId === workflowId);
	}

	/** Stores IDs for the test run that n8n starts next. */
	storeTestIds(node: TriggerNode, ids: NewId[]): void {
		this.testIds.set(triggerKeyOf(node), ids);
	}

	/** Removes and returns the IDs stored for a test run. */
	takeTestIds(node: TriggerNode): NewId[] {
		const ids = this.testIds.get(triggerKeyOf(node)) ?? [];
		this.testIds.delete(triggerKeyOf(node));
		return ids;
	}

	/**
	 * Starts a workflow by its deduplication key. If a start with that key is under way, waits for that start instead,
	 * because n8n 2.41.1 drops a second start only once the first has begun to run.
	 */
	async joinOrBeginStart(key: string, begin: () => Promise<unknown>): Promise<unknown> {
		const underWay = this.workflowStarts.get(key);
		if (underWay) return await underWay;
		const start = begin();
		this.workflowStarts.set(key, start);
		try {
			return await start;
		} finally {
			this.workflowStarts.delete(key);
		}
	}
}

/**
 * The registry of this process. Another version of the pack may share the registry, so a change of its methods needs another
 * name.
 */
export const registry = perProcess('triggers 11', () => new TriggerRegistry());
