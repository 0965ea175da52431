import type { INodeType, IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';

import type { N8nProcess } from './n8nProcess';

/** How executions get their workflow and data. */
export interface ExecutionOptions {
	maxWriteMs: number;
	/** Returns a workflow from the database, with the node types of a process. */
	loadWorkflow: (process: N8nProcess, id: string) => Workflow;
	loadAdditionalData: (process: N8nProcess) => IWorkflowExecuteAdditionalData;
	typeOf: (process: N8nProcess, name: string) => INodeType;
}
