import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox/faultRules';
import type { Sandbox } from '../../../sandbox/server';

/** A trigger of the pack, with the parameters of its node. */
export interface TriggerNode {
	/** Class of the trigger. */
	type: 'TwoFactorTrigger' | 'EventRegistrationTrigger';
	parameters: INodeParameters;
}

/** The item that an execution of a trigger started with; missing if the trigger reported an error. */
export type StartItem = Record<string, unknown> | undefined;

export interface ExecutionState {
	status: string;
	error?: string;
	/** Items that reached the node behind the one that asks. */
	output: Array<Record<string, unknown>>;
}

/** A fault of one request about approval requests. */
export interface StagedFault extends Pick<FaultRule, 'retryAfter'> {
	operation: 'createApprovalRequest' | 'getApprovalRequest';
	/** `lost`: the request is carried out and the connection breaks. `slow`: the request takes seconds. */
	kind: 'lost' | 'slow' | '429' | '500';
}

/** Drives an n8n with the pack, real or simulated, and its services. */
export interface Driver {
	readonly sandbox: Pick<Sandbox, 'control' | 'requestLog'>;
	/** Time after which n8n resumes parked executions. */
	readonly resumeAfterMs: number;
	/** Creates an approval request at the service, and returns its ID. */
	createRequest(): Promise<string>;
	failNext(fault: StagedFault): void;
	/** Creates a workflow with this trigger, and publishes it. Returns its ID. */
	createTrigger(trigger: TriggerNode): Promise<string>;
	publish(workflow: string): Promise<void>;
	unpublish(workflow: string): Promise<void>;
	/** Posts to the webhook of a trigger, and returns the status of the response. */
	post(workflow: string, body: object): Promise<number>;
	/** Returns the number of executions that triggers have started, running ones included. */
	countStarts(): Promise<number>;
	listStarts(): Promise<StartItem[]>;
	/** Starts an execution that asks a person, in a workflow of its own. Returns the ID of the execution. */
	startExecution(message: string, nodeFields: object): Promise<string>;
	readExecution(id: string): Promise<ExecutionState>;
	stopExecution(id: string): Promise<void>;
	/** Calls the URL that resumes an execution `count` times at once, and returns the statuses of the responses. */
	callResume(id: string, call: { count: number; hasToken: boolean }): Promise<number[]>;
	kill(): Promise<void>;
	/** Starts n8n after it was killed, and waits until its published workflows are active. */
	start(): Promise<void>;
	/** Ends n8n in an orderly way and starts it again. */
	restart(): Promise<void>;
	pass(ms: number): Promise<void>;
}
