import type { INodeTypeDescription, IWebhookDescription } from 'n8n-workflow';

import type { Watchable } from './watchable';

/**
 * Whether the webhook is open: if the user wants one, always in a published workflow. In the editor only as long as no id is
 * typed, since n8n waits for a request there as soon as there is a webhook; typed ones are to be tested without. `typed` is an
 * expression that tells whether there are any.
 */
const isOpen = (typed: string) => `$parameter["acceptNewIds"] && ($workflow.active || !(${typed}))`;

/** The webhook that takes new ids, as long as the user wants one. */
export const intakeWebhook = (typed: string): IWebhookDescription => ({
	name: 'default',
	httpMethod: `={{ ${isOpen(typed)} ? "POST" : "" }}`,
	responseMode: 'onReceived',
	path: '={{ $parameter["path"] }}',
	ndvHideUrl: '={{ !$parameter["acceptNewIds"] }}',
	ndvHideMethod: true,
});

const succeed = async () => true;

/** The address is n8n's own: no other service has to be told about it. */
export const nobodyToTell = { checkExists: succeed, create: succeed, delete: succeed };

/** What the editor shows beside a trigger that has not run yet. `finish` and `finished` are said of the noun. */
export function waitingPanel(
	header: string,
	{ noun, maker }: Pick<Watchable, 'noun' | 'maker'>,
	{ finish, finished }: { finish: string; finished: string },
): INodeTypeDescription['triggerPanel'] {
	const each = `runs once for each ${noun} that is ${finished}`;
	const testing = `<b>To test</b>, enter the ID of one and click Execute step, then ${finish} it; after two minutes you get its current state. Without an ID, n8n listens: run ${maker} with this node's test URL as its 'Trigger'.`;
	return {
		header,
		executionsHelp: {
			inactive: `<b>Once published</b>, the workflow ${each} and was made by a node that has this trigger chosen under 'Trigger'.<br /><br />${testing}`,
			active: `<b>The published workflow</b> ${each}: see <a data-key="executions">executions</a>.<br /><br />${testing}`,
		},
		activationHint: 'Publish the workflow to run it automatically.',
	};
}
