import type { IExecuteFunctions } from 'n8n-workflow';

/** The runs of nodes in which a person got, or may have got, a question. */
const runs = new WeakSet<IExecuteFunctions>();

/** Records that a person may have got a question in this run. A failure of the run must not hide this fact. */
export function markAsked(context: IExecuteFunctions): void {
	runs.add(context);
}

/** Whether a person may have got a question in this run. */
export const hasAsked = (context: IExecuteFunctions): boolean => runs.has(context);
