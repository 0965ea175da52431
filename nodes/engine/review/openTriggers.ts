import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isTool } from '../n8n/toolVariants';
import { workflowNodes } from '../n8n/workflowNodes';

/** n8n's triggers whose output a stranger writes unless they ask for a login. */
const OPEN_TRIGGERS = new Map<string, (parameters: INode['parameters']) => boolean>([
	['n8n-nodes-base.webhook', needsNoLogin],
	['n8n-nodes-base.formTrigger', needsNoLogin],
	// A chat that is not public is open only inside n8n, to users who are logged in.
	[
		'@n8n/n8n-nodes-langchain.chatTrigger',
		(parameters) => parameters.public !== false && needsNoLogin(parameters),
	],
]);

/** An expression in 'Authentication' tells nothing before it is evaluated, so it counts as none. */
function needsNoLogin({ authentication = 'none' }: INode['parameters']): boolean {
	return typeof authentication !== 'string' || /^(none)?$|^=/.test(authentication);
}

/**
 * Refuses that a stranger names who decides, where an agent runs the node: a raw parameter that reads the output of a trigger
 * without authentication directly. A node in between cannot be seen.
 */
export function refuseFromStranger(context: IExecuteFunctions, label: string, raw: unknown): void {
	if (!isTool(context.getNode()) || typeof raw !== 'string' || !raw.startsWith('=')) return;
	const named = workflowNodes(context).find(
		({ name, type, parameters }) => namesNode(raw, name) && OPEN_TRIGGERS.get(type)?.(parameters),
	);
	if (!named) return;
	throw new BadInput(
		`'${label}' is read from ${named.name}, where anyone can write it without a login`,
		`Tell the person who runs this workflow: Give '${label}' a fixed value, read it from a node that looks it up, or set 'Authentication' of ${named.name}.`,
	);
}

/** Whether an expression names a node, as in `$('Webhook')`, `$node["Webhook"]` or `$node.Webhook`. */
function namesNode(expression: string, name: string): boolean {
	const plain = expression.replace(/\\(.)/g, '$1');
	return (
		["'", '"', '`'].some((quote) => plain.includes(`${quote}${name}${quote}`)) ||
		plain.includes(`$node.${name}`)
	);
}
