import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isTool } from '../n8n/toolVariants';

/** What an expression may read without reading what the model has written in its call. */
const SAFE_VARIABLES = new Set(
	'$node $now $today $vars $env $secrets $workflow $execution $runIndex $itemIndex $if $ifEmpty $min $max'.split(
		' ',
	),
);
const VARIABLE = /\$[A-Za-z_]\w*/g;
const CALL_FIELDS = /\b(toolParameters|hitlParameters|toolCallId)\b/;

/** A parameter as it stands in the node, its expressions not evaluated. */
export const rawParameter = (
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): unknown => context.getNodeParameter(name, itemIndex, null, { rawExpressions: true });

/** Refuses what an agent would choose, where an agent runs the node: the raw values of parameters by their labels. */
export function refuseFromAgent(context: IExecuteFunctions, raw: Record<string, unknown>): void {
	if (!isTool(context.getNode())) return;
	for (const [label, value] of Object.entries(raw)) {
		if (readsOnlySafe(value)) continue;
		throw new BadInput(
			`'${label}' must not be chosen by the agent`,
			`Give '${label}' a fixed value, or an expression that reads an earlier node by its name, for example {{ $('Look up the manager').first().json.id }}.`,
		);
	}
}

/** Whether no expression anywhere in a raw value reads more than what is known to be safe. */
export function readsOnlySafe(value: unknown, alsoSafe: readonly string[] = []): boolean {
	if (typeof value === 'object' && value !== null) {
		return Object.values(value).every((one) => readsOnlySafe(one, alsoSafe));
	}
	if (typeof value !== 'string' || !value.startsWith('=')) return true;
	const variables = value.match(VARIABLE) ?? [];
	return (
		!CALL_FIELDS.test(value) &&
		variables.every((name) => SAFE_VARIABLES.has(name) || alsoSafe.includes(name))
	);
}
