import type { INodeTypeDescription } from 'n8n-workflow';

/** Returns the editor's panel for a list trigger: a header, and how to test and publish the workflow. */
export function listTriggerPanel(header: string): INodeTypeDescription['triggerPanel'] {
	const testing =
		'<b>While you build:</b> click Execute step to see the newest record, exactly as the workflow would get it.<br /><br />';
	return {
		header,
		executionsHelp: {
			inactive: `${testing}<b>Once you publish the workflow</b>, it runs automatically for each change.`,
			active: `${testing}The published workflow runs automatically for each change: see <a data-key="executions">executions</a>.`,
		},
		activationHint: 'Publish the workflow to run it automatically.',
	};
}
