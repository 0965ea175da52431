import { parse, stringify } from 'flatted';
import type { INodeExecutionData, IRun, IRunExecutionData } from 'n8n-workflow';

type ExecutionStatus = 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';

/** An execution as n8n's database stores it. */
export interface StoredExecution {
	id: string;
	workflow: string;
	status: ExecutionStatus;
	/** Serialized as n8n does; empty until the execution is parked. */
	data: string;
	/** Wall-clock time at which n8n resumes the execution. */
	waitTill?: number;
}

/** The table of executions in n8n's database. */
export class ExecutionStore {
	private readonly rows = new Map<string, StoredExecution>();

	create(workflow: string): StoredExecution {
		const execution: StoredExecution = {
			id: `${this.rows.size + 1}`,
			workflow,
			status: 'running',
			data: '',
		};
		this.rows.set(execution.id, execution);
		return execution;
	}

	find(id: string): StoredExecution | undefined {
		return this.rows.get(id);
	}

	/** Returns all executions, in the order of their start. */
	list(): StoredExecution[] {
		return [...this.rows.values()];
	}

	withStatus(status: ExecutionStatus): StoredExecution[] {
		return [...this.rows.values()].filter((execution) => execution.status === status);
	}
}

export const readData = ({ data }: StoredExecution) => parse(data) as IRunExecutionData;

export const writeData = (data: IRunExecutionData): string => stringify(data);

/**
 * Changes the data of a parked execution like n8n's resume webhook does before the engine continues (n8n 2.41.1,
 * dist/webhooks/waiting-webhooks.js and prepareExecutionData in webhook-helpers.js).
 */
export function prepareResume(data: IRunExecutionData, items: INodeExecutionData[][]): void {
	const parked = data.executionData!.nodeExecutionStack[0]!;
	parked.node.disabled = true;
	parked.data.main = items;
	parked.metadata = { ...parked.metadata, forwardAllOutputs: true };
	data.waitTill = undefined;
	const runs = data.resultData.runData[data.resultData.lastNodeExecuted!]!;
	const { inputOverride, source } = runs.pop()!;
	if (inputOverride)
		runs.push({ startTime: 0, executionTime: 0, executionIndex: 0, source, inputOverride });
}

/** Token of the resume URL of an execution. */
export const tokenOf = (id: string) => `token-of-${id}`;

/** Status of an execution that its engine has left. */
export function statusOf({ waitTill, data }: IRun): StoredExecution['status'] {
	if (waitTill) return 'waiting';
	return data.resultData.error ? 'error' : 'success';
}
