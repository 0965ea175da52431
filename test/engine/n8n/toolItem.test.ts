// Protects reviewers of tool calls: the pack knows which fields of the item n8n passes to a tool beside its arguments.
import type { IDataObject } from 'n8n-workflow';

import { fieldsOutsideArguments, toolArguments } from '../../../nodes/engine/n8n/toolItem';
import { runAgent } from './engine';

it("n8n runs a tool with the agent's item, its arguments in place of equal fields, and the ID of the call", async () => {
	const input = { city: 'of the item', zip: 3000, tool: 'of the item', toolCallId: 'of the item' };
	const toolInput = { city: 'Bern' };
	let item: IDataObject | undefined;
	await runAgent(input, toolInput, async (context) => {
		item = context.getInputData()[0]?.json;
		return [[{ json: {} }]];
	});
	const toolArgumentPairs = toolArguments(toolInput);
	const otherFields = fieldsOutsideArguments(input, new Map(toolArgumentPairs).keys());
	expect(otherFields).toEqual([['zip', 3000]]);
	expect(item).toEqual({
		...Object.fromEntries([...otherFields, ...toolArgumentPairs]),
		tool: 'other',
		toolCallId: 'call-1',
	});
});
