// The item with which n8n runs a tool.
//
// Relies on: n8n merges the agent's input item with the arguments and the call's id: `{...item, ...arguments, toolCallId}`
//   (n8n-core, dist/execution-engine/requests-response.js: `mergedJson`); `processHitlResponses` of n8n's agent adds `tool` and
//   passes arguments that are not an object as `input` (@n8n/n8n-nodes-langchain).
// Verified on: 2.41.1 (test/e2e/reviewedData.e2e.ts).
// If absent: a review would show other fields than the tool gets. If n8n merged fewer fields, the review would show too
//   many; if the item's fields replaced the arguments, a person would approve arguments that the tool does not get.

import type { IDataObject } from 'n8n-workflow';

type Fields = Array<[string, unknown]>;

/** Returns each argument of a reviewed call as n8n passes it to the tool. */
export function toolArguments(input: unknown): Fields {
	if (input === undefined || input === null) return [];
	return typeof input === 'object' ? Object.entries(input) : [['input', input]];
}

/** Returns the fields of the agent's item that the tool receives in addition to its arguments. */
export function fieldsOutsideArguments(item: IDataObject, argumentNames: Iterable<string>): Fields {
	const replaced = new Set([...argumentNames, 'tool', 'toolCallId']);
	return Object.entries(item).filter(([name]) => !replaced.has(name));
}
