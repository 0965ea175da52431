// Protects people who import an example: its nodes, fields and connections exist, and it can be started by hand.
import type { ResourceMapperValue } from 'n8n-workflow';

import { deriveWorkflowId } from '../../lab/workflows';
import { createContactForm, createRegistrationForm } from '../../sandbox/demoData/forms';
import {
	exampleFileNames,
	isTrigger,
	openExample,
	packDescriptions,
	readExample,
	readExampleText,
	allowedNodes,
} from './exampleFiles';
import { findParameterProblems } from './parameters';

test('there are at least ten examples, each with a name and an ID of its own', () => {
	expect(exampleFileNames.length).toBeGreaterThanOrEqual(10);
	expect(new Set(exampleFileNames.map((file) => readExample(file).name)).size).toBe(
		exampleFileNames.length,
	);
	expect(new Set(exampleFileNames.map(deriveWorkflowId)).size).toBe(exampleFileNames.length);
});

test('no two examples use the same webhook path', () => {
	const webhookIds = exampleFileNames.flatMap((file) =>
		readExample(file).nodes.flatMap(({ webhookId }) => (webhookId ? [webhookId] : [])),
	);
	expect(new Set(webhookIds).size).toBe(webhookIds.length);
	const nodeIds = exampleFileNames.flatMap((file) => readExample(file).nodes.map(({ id }) => id));
	expect(new Set(nodeIds).size).toBe(nodeIds.length);
});

test('no table has a name that is part of the name of another', () => {
	// n8n looks for a table by a part of its name, takes the first it finds, and then fails to make the one that exists.
	const tableNames = exampleFileNames.flatMap((file) =>
		readExample(file).nodes.flatMap(
			({ parameters }) => (parameters.tableName as string | undefined) ?? [],
		),
	);
	const pairs = tableNames.flatMap((one) => tableNames.map((other) => [one, other] as const));
	const ambiguousPairs = pairs.filter(
		([one, other]) => one !== other && other.toLowerCase().includes(one.toLowerCase()),
	);
	expect(ambiguousPairs).toEqual([]);
	expect(new Set(tableNames).size).toBe(tableNames.length);
});

describe.each(exampleFileNames)('%s', (file) => {
	const { nodes, connections, otherFields, workingNodes, packNodes, isLoop } = openExample(file);

	test('is a workflow and nothing else', () => {
		expect(Object.keys(otherFields).sort()).toEqual(['name', 'pinData', 'settings']);
		expect(otherFields.settings).toEqual({ executionOrder: 'v1' });
		expect(otherFields.pinData).toEqual({});
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
	});

	test('uses the pack and nodes that every n8n has', () => {
		const executionReaders = nodes.filter(({ type }) => type === 'n8n-nodes-base.n8n');
		expect(packNodes.length + executionReaders.length).toBeGreaterThan(0);
		const unknownNodes = nodes.filter(
			({ type }) => !packDescriptions.has(type) && !allowedNodes.has(type),
		);
		expect(unknownNodes.map(({ type }) => type)).toEqual([]);
	});

	test('names resources, operations, fields and choices that exist, and leaves out none that is required', () => {
		const problems = packNodes.flatMap((node) =>
			findParameterProblems(node, packDescriptions.get(node.type)!).map(
				(problem) => `${node.name}: ${problem}`,
			),
		);
		expect(problems).toEqual([]);
		for (const { type, parameters } of packNodes.filter((node) => !isTrigger(node))) {
			// The panel's first choice may change; what an example does must not.
			expect({ type, ...parameters }).toMatchObject({
				resource: expect.any(String),
				operation: expect.any(String),
			});
		}
	});

	test('is connected: no loose ends, no references to unknown nodes', () => {
		const names = new Set(workingNodes.map(({ name }) => name));
		const connectionsByKind = Object.values(connections).flatMap((kind) => Object.entries(kind));
		const targets = connectionsByKind.flatMap(([, outputs]) => outputs.flat());
		for (const [kind, outputs] of connectionsByKind) {
			expect(new Set([kind, ...outputs.flat().map(({ type }) => type)]).size).toBe(1);
		}
		const mentionedNames = [
			...Object.keys(connections),
			...targets.map(({ node }) => node),
			...[...readExampleText(file).matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name!),
		];
		expect(mentionedNames.filter((name) => !names.has(name))).toEqual([]);
		const reachedNodes = new Set(targets.map(({ node }) => node));
		const isPartOfAgent = (name: string) => connections[name] && !('main' in connections[name]);
		const unconnected = workingNodes.filter(
			(node) => !isTrigger(node) && !reachedNodes.has(node.name) && !isPartOfAgent(node.name),
		);
		expect(unconnected.map(({ name }) => name)).toEqual([]);
	});

	test('can be started by hand', () => {
		// A trigger that follows lists shows the newest record when it is executed.
		const manualTriggerType = /^n8n-nodes-base\.(manual|form)Trigger$|\.event\w+Trigger$/;
		expect(workingNodes.some(({ type }) => manualTriggerType.test(type))).toBe(true);
	});

	test('gives one item at a time to an agent whose tools a person reviews', () => {
		// n8n runs an approved tool once for each item that the agent got, not once for each approval.
		const agents = workingNodes
			.filter(({ type }) => type.endsWith('HitlTool'))
			.flatMap(({ name }) => connections[name]!.ai_tool!.flat().map(({ node }) => node));
		const agentInputs = Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main.flatMap((output, index) =>
				output.some(({ node }) => agents.includes(node)) ? [{ from, index }] : [],
			),
		);
		expect(agentInputs.filter(({ from, index }) => !isLoop(from) || index !== 1)).toEqual([]);
	});

	test('reads the first item of a node only where there can be no second one', () => {
		const nodesBefore = (name: string): string[] =>
			Object.entries(connections).flatMap(([from, { main = [] }]) =>
				main.flat().some(({ node }) => node === name) ? [from] : [],
			);
		// A form returns one item each time that it is sent, and some nodes run only once.
		const isSingle = (name: string): boolean => {
			const { type, executeOnce } = workingNodes.find((node) => node.name === name)!;
			const sources = nodesBefore(name);
			const runsOnce = executeOnce === true || type === 'n8n-nodes-base.formTrigger';
			return runsOnce || (sources.length > 0 && sources.every(isSingle));
		};
		const references = [
			...readExampleText(file).matchAll(/\$\('([^']+)'\)\.(?:first|last|all)\(\)/g),
		];
		expect(references.map(([, name]) => name!).filter((name) => !isSingle(name))).toEqual([]);
	});
});

const filledForms = exampleFileNames.flatMap((file) =>
	readExample(file).nodes.flatMap(({ name, parameters }) => {
		const { value, schema } = (parameters.details ?? {}) as Partial<ResourceMapperValue>;
		const { value: eventId } = (parameters.eventId ?? {}) as { value?: string };
		return schema ? [{ label: `${file}: ${name}`, value, schema, eventId }] : [];
	}),
);

test.each(filledForms)('$label maps onto fields that the form in the sandbox has', (filled) => {
	const { value, schema, eventId } = filled;
	const form = eventId ? createRegistrationForm(Number(eventId) - 1001) : createContactForm();
	const names = form.map(({ name }) => name);
	const columns = schema.map(({ id }) => id);
	expect(columns.filter((id) => !names.includes(id))).toEqual([]);
	expect(Object.keys(value ?? {}).filter((id) => !columns.includes(id))).toEqual([]);
});
