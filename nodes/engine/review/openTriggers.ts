import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isTool } from '../n8n/toolVariants';
import { workflowNodes } from '../n8n/workflowNodes';

/**
 * n8n's triggers that accept data from unauthenticated callers, depending on their parameters. The function returns whether
 * a trigger with these parameters does.
 */
const OPEN_TRIGGERS = new Map<string, (parameters: INode['parameters']) => boolean>([
	['n8n-nodes-base.webhook', isUnauthenticated],
	['n8n-nodes-base.formTrigger', isUnauthenticated],
	// A chat that is not public is available only inside n8n, to logged-in users.
	[
		'@n8n/n8n-nodes-langchain.chatTrigger',
		(parameters) => parameters.public !== false && isUnauthenticated(parameters),
	],
]);

/** Whether 'Authentication' is None. An expression is not evaluated here and counts as None. */
function isUnauthenticated({ authentication = 'none' }: INode['parameters']): boolean {
	return typeof authentication !== 'string' || /^(none)?$|^=/.test(authentication);
}

/**
 * Throws if an agent runs the node and an unauthenticated caller could choose the approver, because an expression in the raw
 * parameter names a trigger without authentication. Not detected: `$json`, `$input`, a name that the expression computes,
 * and a reference through a node in between.
 */
export function rejectIfFromPublicTrigger(
	context: IExecuteFunctions,
	label: string,
	raw: unknown,
): void {
	if (!isTool(context.getNode()) || typeof raw !== 'string' || !raw.startsWith('=')) return;
	const trigger = workflowNodes(context).find(
		({ name, type, parameters }) => namesNode(raw, name) && OPEN_TRIGGERS.get(type)?.(parameters),
	);
	if (!trigger) return;
	throw new BadInput(
		`'${label}' is read from ${trigger.name}, where anyone can write it without a login`,
		`Tell the person who runs this workflow: Give '${label}' a fixed value, read it from a node that looks it up, or set 'Authentication' of ${trigger.name}.`,
	);
}

const NODE_MEMBER = /\$node\s*\??\.\s*([\p{L}\p{N}_$]+)/gu;

/** Whether an expression names a node, as in `$('Webhook')`, `$node["Webhook"]` or `$node.Webhook`. */
export function namesNode(expression: string, name: string): boolean {
	const plain = expression.replace(/\\(.)/g, '$1');
	const members = [...plain.matchAll(NODE_MEMBER)].map(([, member]) => member);
	return (
		["'", '"', '`'].some((quote) => plain.includes(`${quote}${name}${quote}`)) ||
		members.includes(name)
	);
}
