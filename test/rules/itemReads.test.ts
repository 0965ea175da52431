// Protects human reviews, which hide the agent's input item: our tools read it only in ways that the review handles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { typeScriptFilesBelow, root } from './files';

// These ways are expressions in parameters, and 'Map Automatically' (`nodes/engine/review/guardedTool.ts`).

it('only the listed files of the nodes read input items directly', () => {
	const readingFiles = typeScriptFilesBelow('nodes')
		.filter((file) => /getInputData|getInputConnectionData|getExecuteData/.test(readSource(file)))
		.filter((file) => !file.startsWith('nodes/engine/review/'));
	expect(readingFiles.sort()).toEqual([
		// Reads the address in an item, for an error of several items. A tool has one item.
		'nodes/EventRegistration/contact/addInBatches.ts',
		// Reads the number of items.
		'nodes/EventRegistration/form/blankColumns.ts',
		// 'Map Automatically'.
		'nodes/EventRegistration/form/body.ts',
		// Reads the number of the run, not the fields of the item.
		'nodes/engine/n8n/executeData.ts',
		// Changes settings of the run, and reads no item.
		'nodes/engine/n8n/nodeOutputs.ts',
		// Reads the ID of a requested action, which n8n writes over any field of the item.
		'nodes/engine/n8n/suspend.ts',
		// Reads the number of items.
		'nodes/engine/park/executeOrPark.ts',
		// Reads the number of items.
		'nodes/engine/run/call.ts',
		// Reads the number of items.
		'nodes/engine/run/execute.ts',
		// Reads the names of fields, of nodes with an error output. A tool has none.
		'nodes/engine/run/failedItems.ts',
		// Reads items only if the node is not a tool.
		'nodes/engine/run/parameters.ts',
		// Reads the address in an item, for an error of several items. A tool has one item.
		'nodes/engine/run/runItems.ts',
	]);
	expect(readSource('nodes/engine/run/parameters.ts')).toContain(
		'isTool(context.getNode()) ? undefined : context.getInputData()',
	);
});

const readSource = (file: string) => readFileSync(join(root, file), 'utf8');
