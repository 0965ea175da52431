import { CHAT_TRIGGER_NODE_TYPE } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

/** Response of an n8n trigger to its caller, with these parameters. */
export interface AnsweringTrigger {
	/** The node type, and the name of its type in the tests' kit. */
	type: string;
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

const atOnce = (parameters: INodeParameters, mode: string) => ({
	parameters,
	mode,
	isAnsweredAtTheEnd: false,
});
const atTheEnd = (parameters: INodeParameters, mode: string) => ({
	parameters,
	mode,
	isAnsweredAtTheEnd: true,
});

/**
 * The triggers of n8n 2.41.1 whose response mode is not always `onReceived`. The end-to-end tests compare the table with the
 * descriptions that n8n ships.
 */
export const answeringTriggers: AnsweringTrigger[] = [
	{ ...webhook, ...atOnce({}, 'onReceived') },
	{ ...webhook, ...atOnce({ responseMode: 'onReceived' }, 'onReceived') },
	{ ...webhook, ...atTheEnd({ responseMode: 'lastNode' }, 'lastNode') },
	// n8n keeps the open response across a wait: the node "Respond to Webhook" answers.
	{ ...webhook, ...atOnce({ responseMode: 'responseNode' }, 'responseNode') },
	{ ...webhook, ...atTheEnd({ responseMode: 'streaming' }, 'streaming') },
	{ ...form, ...atOnce({}, 'onReceived') },
	{ ...form, ...atOnce({ responseMode: 'onReceived' }, 'onReceived') },
	{ ...form, ...atTheEnd({ responseMode: 'lastNode' }, 'lastNode') },
	{ ...chat, ...atTheEnd({}, 'lastNode') },
	{ ...chat, ...atTheEnd({ options: {} }, 'lastNode') },
	{ ...chat, ...atTheEnd({ options: { responseMode: 'lastNode' } }, 'lastNode') },
	{ ...chat, ...atTheEnd({ options: { responseMode: 'streaming' } }, 'streaming') },
	{ ...chat, ...atTheEnd({ availableInChat: true }, 'streaming') },
	{
		...chat,
		...atTheEnd({ availableInChat: true, options: { responseMode: 'lastNode' } }, 'lastNode'),
	},
	{ ...chat, ...atOnce({ options: { responseMode: 'responseNode' } }, 'responseNode') },
	{ ...chat, ...atOnce({ options: { responseMode: 'responseNodes' } }, 'responseNodes') },
];
