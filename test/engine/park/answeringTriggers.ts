import { CHAT_TRIGGER_NODE_TYPE } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

/** How an n8n trigger with these parameters responds to its caller. */
export interface AnsweringTrigger {
	/** The node type in n8n. */
	type: string;
	/** The node type in the tests that imitates it. */
	kitType: string;
	parameters: INodeParameters;
	/** n8n's response mode, as the trigger's description gives it for these parameters. */
	mode: string;
	/** Whether the caller waits for the end of the execution, and gets nothing if it is parked. */
	isAnsweredAtTheEnd: boolean;
}

const webhook = { type: 'n8n-nodes-base.webhook', kitType: 'hook' };
const form = { type: 'n8n-nodes-base.formTrigger', kitType: 'hook' };
const chat = { type: CHAT_TRIGGER_NODE_TYPE, kitType: CHAT_TRIGGER_NODE_TYPE };

const answeredAtOnce = (parameters: INodeParameters, mode: string) => ({
	parameters,
	mode,
	isAnsweredAtTheEnd: false,
});
const answeredAtTheEnd = (parameters: INodeParameters, mode: string) => ({
	parameters,
	mode,
	isAnsweredAtTheEnd: true,
});

/**
 * The triggers of n8n 2.41.1 whose response mode is not always `onReceived`. The end-to-end tests compare the table with the
 * descriptions that n8n ships.
 */
export const answeringTriggers: AnsweringTrigger[] = [
	{ ...webhook, ...answeredAtOnce({}, 'onReceived') },
	{ ...webhook, ...answeredAtOnce({ responseMode: 'onReceived' }, 'onReceived') },
	{ ...webhook, ...answeredAtTheEnd({ responseMode: 'lastNode' }, 'lastNode') },
	// n8n keeps the open response across a wait: the node "Respond to Webhook" answers.
	{ ...webhook, ...answeredAtOnce({ responseMode: 'responseNode' }, 'responseNode') },
	{ ...webhook, ...answeredAtTheEnd({ responseMode: 'streaming' }, 'streaming') },
	{ ...form, ...answeredAtOnce({}, 'onReceived') },
	{ ...form, ...answeredAtOnce({ responseMode: 'onReceived' }, 'onReceived') },
	{ ...form, ...answeredAtTheEnd({ responseMode: 'lastNode' }, 'lastNode') },
	{ ...chat, ...answeredAtTheEnd({}, 'lastNode') },
	{ ...chat, ...answeredAtTheEnd({ options: {} }, 'lastNode') },
	{ ...chat, ...answeredAtTheEnd({ options: { responseMode: 'lastNode' } }, 'lastNode') },
	{ ...chat, ...answeredAtTheEnd({ options: { responseMode: 'streaming' } }, 'streaming') },
	{ ...chat, ...answeredAtTheEnd({ availableInChat: true }, 'streaming') },
	{
		...chat,
		...answeredAtTheEnd(
			{ availableInChat: true, options: { responseMode: 'lastNode' } },
			'lastNode',
		),
	},
	{ ...chat, ...answeredAtOnce({ options: { responseMode: 'responseNode' } }, 'responseNode') },
	{ ...chat, ...answeredAtOnce({ options: { responseMode: 'responseNodes' } }, 'responseNodes') },
];
