import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow, root } from './files';

// A human review hides the agent's input item where one of our own tools runs, since those read it through expressions in their
// parameters alone, and by 'Map Automatically', which the review knows (`nodes/engine/review/guardedTool.ts`).

it("no node reads its item's fields by itself, except for what the review knows", () => {
	const found = filesBelow('nodes')
		.filter((file) => /getInputData|getInputConnectionData|getExecuteData/.test(read(file)))
		.filter((file) => !file.startsWith('nodes/engine/review/'));
	expect(found.sort()).toEqual([
		// 'Map Automatically'.
		'nodes/EventRegistration/form/body.ts',
		// Which run it is, not what the item has.
		'nodes/engine/n8n/executeData.ts',
		// The id of an action that n8n was asked for, which n8n writes over whatever the item has.
		'nodes/engine/n8n/suspend.ts',
		// How many items there are.
		'nodes/engine/run/call.ts',
		// Items are read only where the node is no tool.
		'nodes/engine/run/parameters.ts',
	]);
	expect(read('nodes/engine/run/parameters.ts')).toContain(
		'isTool(context.getNode()) ? undefined : context.getInputData()',
	);
});

const read = (file: string) => readFileSync(join(root, file), 'utf8');
