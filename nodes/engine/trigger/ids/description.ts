import type { INodeTypeDescription, IWebhookDescription } from 'n8n-workflow';

import type { IdTriggerDefinition } from './idTriggerDefinition';

/**
 * Returns an expression for whether the webhook is open. In a published workflow, it is open if the user accepts new IDs. In
 * the editor, it is open only if, moreover, no ID is entered: n8n 2.41.1 waits for a request as soon as there is a webhook,
 * but a test of entered IDs needs no request. `hasEnteredIdsExpression` is an expression for whether IDs are entered.
 */
const openExpression = (hasEnteredIdsExpression: string) =>
	`$parameter["acceptNewIds"] && ($workflow.active || !(${hasEnteredIdsExpression}))`;

/** The webhook that receives new IDs, open only if the user accepts them. */
export const intakeWebhook = (hasEnteredIdsExpression: string): IWebhookDescription => ({
	name: 'default',
	httpMethod: `={{ ${openExpression(hasEnteredIdsExpression)} ? "POST" : "" }}`,
	responseMode: 'onReceived',
	path: '={{ $parameter["path"] }}',
	ndvHideUrl: '={{ !$parameter["acceptNewIds"] }}',
	ndvHideMethod: true,
});

const succeed = async () => true;

/** Webhook methods that do nothing: the URL is n8n's own, and no other service has to register it. */
export const noopWebhookMethods = { checkExists: succeed, create: succeed, delete: succeed };

/**
 * The editor's panel beside a trigger that has not run yet. `finish` and `finished` are the verb that goes with the noun.
 */
export function idTriggerPanel(
	header: string,
	{ noun, createdBy }: Pick<IdTriggerDefinition, 'noun' | 'createdBy'>,
	{ finish, finished }: { finish: string; finished: string },
): INodeTypeDescription['triggerPanel'] {
	const each = `runs once for each ${noun} that is ${finished}`;
	const testing = `<b>To test</b>, enter the ID of one and click Execute step, then ${finish} it; after two minutes you get its current state. Without an ID, n8n listens: run ${createdBy} with this node's test URL as its 'Trigger'.`;
	return {
		header,
		executionsHelp: {
			inactive: `<b>Once published</b>, the workflow ${each} and was made by a node that has this trigger chosen under 'Trigger'.<br /><br />${testing}`,
			active: `<b>The published workflow</b> ${each}: see <a data-key="executions">executions</a>.<br /><br />${testing}`,
		},
		activationHint: 'Publish the workflow to run it automatically.',
	};
}
