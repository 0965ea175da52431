import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { examplesFolder } from '../../lab/lab';
import type { WorkflowFile } from '../../lab/workflows';

const START_NODE = 'Start here';
const PERSON_NODE = 'The person';

interface Assignment {
	name: string;
	value: string;
}

/** Returns the example that registers people, started by a webhook call that contains the person's address. */
export async function readRegistrationExample(webhookPath: string): Promise<WorkflowFile> {
	const file = path.join(examplesFolder, '07-register-a-person.json');
	const example = JSON.parse(await readFile(file, 'utf8')) as WorkflowFile;
	const nodes = example.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	return {
		...example,
		name: webhookPath,
		nodes: nodes.map((node) => {
			if (node.name === START_NODE) {
				const parameters = { path: webhookPath, httpMethod: 'POST', options: {} };
				const type = 'n8n-nodes-base.webhook';
				return { ...node, type, typeVersion: 2, webhookId: webhookPath, parameters };
			}
			return node.name === PERSON_NODE ? replaceEmail(node) : node;
		}),
	};
}

function replaceEmail(node: WorkflowFile['nodes'][number]): WorkflowFile['nodes'][number] {
	const { assignments } = (node.parameters as { assignments: { assignments: Assignment[] } })
		.assignments;
	const changedAssignments = assignments.map((assignment) =>
		assignment.name === 'email' ? { ...assignment, value: '={{ $json.body.email }}' } : assignment,
	);
	return {
		...node,
		parameters: { ...node.parameters, assignments: { assignments: changedAssignments } },
	};
}
