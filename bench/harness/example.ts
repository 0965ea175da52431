import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { examplesFolder } from '../../lab/lab';
import type { WorkflowFile } from '../../lab/workflows';

const STARTS = 'Start here';
const PERSON = 'The person';

interface Assignment {
	name: string;
	value: string;
}

/** The example that registers people, started by a call that says whose address it is about. */
export async function registeringExample(hook: string): Promise<WorkflowFile> {
	const file = path.join(examplesFolder, '07-register-a-person.json');
	const example = JSON.parse(await readFile(file, 'utf8')) as WorkflowFile;
	const nodes = example.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	return {
		...example,
		name: hook,
		nodes: nodes.map((node) => {
			if (node.name === STARTS) {
				const parameters = { path: hook, httpMethod: 'POST', options: {} };
				const type = 'n8n-nodes-base.webhook';
				return { ...node, type, typeVersion: 2, webhookId: hook, parameters };
			}
			return node.name === PERSON ? withAddress(node) : node;
		}),
	};
}

function withAddress(node: WorkflowFile['nodes'][number]): WorkflowFile['nodes'][number] {
	const { assignments } = (node.parameters as { assignments: { assignments: Assignment[] } })
		.assignments;
	const changed = assignments.map((one) =>
		one.name === 'email' ? { ...one, value: '={{ $json.body.email }}' } : one,
	);
	return { ...node, parameters: { ...node.parameters, assignments: { assignments: changed } } };
}
