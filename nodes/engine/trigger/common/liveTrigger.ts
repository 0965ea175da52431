import type { IDataObject, INodeExecutionData, ITriggerResponse } from 'n8n-workflow';

import { emitOnce, storableKey } from '../../n8n/emit';
import { hadWorkflowStarted } from '../../n8n/errorNames';
import { FirstResponse } from './firstResponse';
import { credentialRejectedError } from './messages';
import { registry, triggerNodeOf } from './registry';
import type { StoppedTriggerState, RegisteredTrigger, TriggerNode } from './registry';
import { CredentialRejections } from './rejections';
import { saveAsFailedExecution, toActivationError, toTriggerError } from './reportErrors';
import { isPublishing } from './triggerSetup';
import type { TriggerSetup } from './triggerSetup';
import { UnrecognizedState } from './unrecognizedState';

/**
 * A trigger of a published workflow, for IDs or lists. Handles activation, saving, starting the workflow and closing, as n8n
 * requires.
 */
export abstract class LiveTrigger implements RegisteredTrigger {
	protected readonly node: TriggerNode;
	/** State of the previous trigger of this node in this process. */
	protected readonly previous: StoppedTriggerState | undefined;
	protected readonly stopController = new AbortController();
	protected readonly firstResponse = new FirstResponse();
	protected readonly credentialRejections: CredentialRejections;
	/** The workflow's static data, shared by all of its triggers. */
	protected readonly staticData: IDataObject;
	/** Stored state that this version does not recognize. */
	protected readonly unrecognizedState: UnrecognizedState;
	private runEnd: Promise<void> = Promise.resolve();
	private successor: RegisteredTrigger | undefined;

	protected constructor(private readonly triggerSetup: TriggerSetup) {
		this.node = triggerNodeOf(triggerSetup.context);
		this.previous = registry.lastStateOf(this.node);
		this.credentialRejections = new CredentialRejections(
			triggerSetup.connection,
			this.previous?.wasRejectionReported === true,
		);
		registry.savesOf(this.node.workflowId).observe(triggerSetup.context);
		this.staticData = triggerSetup.context.getWorkflowStaticData('global');
		this.unrecognizedState = new UnrecognizedState([
			this.previous?.storedState,
			this.staticData[this.node.nodeId],
		]);
	}

	abstract storedState(): IDataObject;

	/**
	 * Runs until the signal is aborted. If the service rejects the credential, resolves with its message as
	 * `credentialRejectionMessage`.
	 */
	protected abstract run(signal: AbortSignal): Promise<{ credentialRejectionMessage?: string }>;

	/**
	 * How long activation waits for the first response; `FirstResponse` adds three seconds. Undefined if there is nothing to poll.
	 */
	protected abstract get firstResponseWaitMs(): number | undefined;

	/**
	 * Whether the state that n8n saves after activation must include the first response. n8n does not save again before the
	 * first start.
	 */
	protected get needsFirstResponse(): boolean {
		return false;
	}

	/** Whether activation waits for the first round even if no user waits for it. */
	protected get waitsForFirstRound(): boolean {
		return this.needsFirstResponse;
	}

	/** Activates the trigger. If a user publishes the workflow, a rejected credential fails the activation. */
	async start(): Promise<ITriggerResponse> {
		registry.recordRunning(this.node, this);
		saveAsFailedExecution(this.triggerSetup, this.unrecognizedState.takeReport());
		this.runEnd = this.run(this.stopController.signal).then(
			({ credentialRejectionMessage }) => this.end(credentialRejectionMessage),
			(error: unknown) => this.end(undefined, error),
		);
		const { firstResponseWaitMs } = this;
		const isUserWaiting =
			isPublishing(this.triggerSetup.context) && !this.credentialRejections.isReported;
		if (isUserWaiting && firstResponseWaitMs !== undefined) {
			await this.firstResponse.waitOrThrow(this.runEnd, firstResponseWaitMs);
		} else if (this.waitsForFirstRound && firstResponseWaitMs !== undefined) {
			await this.firstResponse.waitSilently(this.runEnd, firstResponseWaitMs);
		}
		return { closeFunction: async () => await this.close() };
	}

	replaceWith(successor: RegisteredTrigger): void {
		this.successor = successor;
		this.stopController.abort();
	}

	async close(): Promise<void> {
		this.stopController.abort();
		await this.runEnd;
		// n8n 2.41.1 may keep the close function of this trigger instead of its successor's.
		await this.successor?.close();
	}

	/** Assigns the state to static data; n8n saves it with the next start. */
	protected writeStaticData(): void {
		const { workflowId, nodeId } = this.node;
		// n8n 2.41.1 saves the static data of a workflow as one column, and can give each trigger its own copy. So the state
		// of the other triggers is written, too.
		for (const [key, state] of registry.storedStates(workflowId)) this.staticData[key] = state;
		this.staticData[nodeId] = this.storedState();
	}

	/**
	 * Starts the workflow, unless a start with this key has started it. Resolves when the run has ended, or at once if n8n
	 * has the key already.
	 */
	protected async startWorkflowOnce(key: string, items: INodeExecutionData[]): Promise<void> {
		const { context } = this.triggerSetup;
		const storedKey = storableKey(key);
		await registry.joinOrBeginStart(storedKey, async () => {
			const { draining } = registry.savesOf(this.node.workflowId);
			if (draining) {
				await draining;
				this.stopController.signal.throwIfAborted();
				// A save that ended meanwhile marked newer static data as saved, too.
				this.writeStaticData();
			}
			await emitOnce(context, storedKey, items).catch(ignoreIfStarted);
		});
	}

	private end(credentialRejectionMessage: string | undefined, error?: unknown): void {
		const stopped = this.stopController.signal.aborted;
		const reportsToN8n = !stopped && !this.firstResponse.reportsFailure;
		// A trigger that needs its first response and did not get it has begun nothing, so the next trigger gets no state
		// from it.
		const neverActivated = this.needsFirstResponse && this.firstResponse.reportsFailure;
		const lastState = {
			storedState: this.storedState(),
			isRestartDue: !stopped,
			wasRejectionReported: reportsToN8n && credentialRejectionMessage !== undefined,
		};
		registry.recordStopped(this.node, this, neverActivated ? undefined : lastState);
		if (stopped) return;
		const { context, connection, definition } = this.triggerSetup;
		const phase = reportsToN8n ? 'running' : 'publishing';
		const failure =
			credentialRejectionMessage === undefined
				? error
				: credentialRejectedError(credentialRejectionMessage, definition.service, phase);
		if (reportsToN8n) context.emitError(toTriggerError(this.triggerSetup, failure));
		else this.firstResponse.fail(toActivationError(context, failure, connection.secrets));
	}
}

function ignoreIfStarted(error: unknown): void {
	if (!hadWorkflowStarted(error)) throw error;
}
