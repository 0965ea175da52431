import type { INodeTypeDescription, IWebhookDescription } from 'n8n-workflow';

/** The webhook that takes new ids, as long as the user wants one. */
export const intakeWebhook: IWebhookDescription = {
	name: 'default',
	httpMethod: '={{ $parameter["acceptNewIds"] ? "POST" : "" }}',
	responseMode: 'onReceived',
	path: '={{ $parameter["path"] }}',
	ndvHideUrl: '={{ !$parameter["acceptNewIds"] }}',
	ndvHideMethod: '={{ !$parameter["acceptNewIds"] }}',
};

const there = async () => true;

/** The address is n8n's own: no other service has to be told about it. */
export const nobodyToTell = { checkExists: there, create: there, delete: there };

/** What the editor shows beside a trigger that has not run yet. `finish` and `finished` are said of the noun. */
export function waitingPanel(
	header: string,
	noun: string,
	{ finish, finished }: { finish: string; finished: string },
): INodeTypeDescription['triggerPanel'] {
	const testing = `<b>While you build:</b> execute the step and ${finish} a watched ${noun}, or wait two minutes to see its present state. With the webhook on, the test begins with a POST to the test URL, by the line that is shown in the parameters; an empty one tests the IDs that are typed in.<br /><br />`;
	const each = `starts by itself for each ${noun} that is ${finished}`;
	return {
		header,
		executionsHelp: {
			inactive: `${testing}<b>Once you publish the workflow</b>, it ${each}.`,
			active: `${testing}The published workflow ${each}: see <a data-key="executions">executions</a>.`,
		},
		activationHint: 'Publish the workflow to let it start by itself.',
	};
}
