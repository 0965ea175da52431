import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isTool } from '../n8n/toolVariants';

/** Variables that never hold data from the model's tool call. */
const SAFE_VARIABLES = new Set(
	'$node $now $today $vars $env $secrets $workflow $execution $runIndex $itemIndex $if $ifEmpty $min $max'.split(
		' ',
	),
);
const VARIABLE = /\$[A-Za-z_]\w*/g;
/** Fields that hold the model's call. An expression that mentions one of them is not safe, whichever variable it reads. */
const CALL_FIELDS = /\b(toolParameters|hitlParameters|toolCallId)\b/;

/** Returns a parameter with its expressions not evaluated; null if it is hidden. */
export const rawParameter = (
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): unknown => context.getNodeParameter(name, itemIndex, null, { rawExpressions: true });

/** Throws if an agent runs the node and could choose one of these values. `raw` has the unevaluated values by label. */
export function rejectIfFromAgent(context: IExecuteFunctions, raw: Record<string, unknown>): void {
	if (!isTool(context.getNode())) return;
	for (const [label, value] of Object.entries(raw)) {
		if (readsOnlySafeVariables(value)) continue;
		throw new BadInput(
			`'${label}' must not be chosen by the agent`,
			`Give '${label}' a fixed value, or an expression that reads an earlier node by its name, for example {{ $('Look up the manager').first().json.id }}.`,
		);
	}
}

/** Whether all expressions in a raw value, at any depth, read safe variables only. */
export function readsOnlySafeVariables(value: unknown, alsoSafe: readonly string[] = []): boolean {
	if (typeof value === 'object' && value !== null) {
		return Object.values(value).every((one) => readsOnlySafeVariables(one, alsoSafe));
	}
	if (typeof value !== 'string' || !value.startsWith('=')) return true;
	const variables = value.match(VARIABLE) ?? [];
	return (
		!CALL_FIELDS.test(value) &&
		variables.every((name) => SAFE_VARIABLES.has(name) || alsoSafe.includes(name))
	);
}
