import type { INodeTypeDescription } from 'n8n-workflow';

/**
 * Returns the editor's panel for a list trigger: how to test and publish the workflow. The header stands above the button
 * that shows the newest record. `changes` completes "runs whenever …".
 */
export function listTriggerPanel(changes: string): INodeTypeDescription['triggerPanel'] {
	const testing =
		'<b>While you build:</b> click Execute step. It shows the newest record, exactly as the workflow would get it.<br /><br />';
	return {
		header: 'See the newest record',
		executionsHelp: {
			inactive: `${testing}<b>Once you publish the workflow</b>, it runs automatically whenever ${changes}.`,
			active: `${testing}The published workflow runs automatically whenever ${changes}: see <a data-key="executions">executions</a>.`,
		},
		activationHint: 'Publish the workflow to run it automatically.',
	};
}
