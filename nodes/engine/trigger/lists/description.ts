import type { INodeTypeDescription } from 'n8n-workflow';

/** Returns the panel that the editor shows for a trigger that has not run yet. */
export function followPanel(header: string): INodeTypeDescription['triggerPanel'] {
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
