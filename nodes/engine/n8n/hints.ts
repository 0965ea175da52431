// Hints: messages above the output of a node.
//
// Relies on: n8n stores them with the run, with all their members, also with a run that parks its execution. Its editor shows
//   the message in the open node, as HTML (editor-ui, RunData.vue: `v-n8n-html`); under _Executions_ not before the end.
// Verified on: 2.41.1.
// If absent: the run has no hints.

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Shows a text above the output. Escapes it, because it may contain what a stranger wrote, for example a link. `data` is not
 * shown: other workflows find it in the execution, through n8n's API.
 */
export function addHint(context: IExecuteFunctions, text: string, data?: IDataObject): void {
	const message = text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
	const hint = { message, location: 'outputPane' as const, ...(data && { data }) };
	context.addExecutionHints(hint);
}
