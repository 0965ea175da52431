// Protects people who install the package of one service: its example has only nodes and fields that exist, and no secret.
import type { INode, INodeTypeDescription } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findParameterProblems } from '../examples/parameters';
import { packServices } from '../support/pack';

const { singles } = jest.requireActual<{ singles: Array<{ name: string; folder: string }> }>(
	'../../scripts/singlePackages',
);

interface Workflow {
	name: string;
	nodes: INode[];
	connections: Record<string, { main: Array<Array<{ node: string; type: string }>> }>;
	settings: object;
}

const root = join(__dirname, '../..');
const readText = (file: string) => readFileSync(join(root, file), 'utf8');
const readWorkflow = (file: string) => JSON.parse(readText(file)) as Workflow;

/** Parameter names of n8n's own nodes, by type and version, in the examples that the end-to-end tests run in n8n. */
const parametersByType = new Map<string, Set<string>>();
const getTypeAndVersion = ({ type, typeVersion }: INode) => `${type} ${typeVersion}`;
for (const file of readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.json'))) {
	for (const node of readWorkflow(join('examples', file)).nodes) {
		const names = [
			...(parametersByType.get(getTypeAndVersion(node)) ?? []),
			...Object.keys(node.parameters),
		];
		parametersByType.set(getTypeAndVersion(node), new Set(names));
	}
}

describe.each(singles.map((single, index) => ({ ...single, service: packServices[index]! })))(
	'the example in $name',
	({ name, folder, service }) => {
		const file = join(folder, 'example.json');
		const { name: title, nodes, connections, ...otherFields } = readWorkflow(file);
		const workingNodes = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		const descriptions = new Map<string, INodeTypeDescription>(
			[service.Node, service.Trigger!].map((Type) => {
				const { description } = new Type();
				return [`${name}.${description.name}`, description];
			}),
		);
		const packageNodes = nodes.filter(({ type }) => type.startsWith(`${name}.`));

		it('is part of the tarball', () => {
			const { files } = JSON.parse(readText(join(folder, 'package.json'))) as { files: string[] };
			expect(files).toContain('example.json');
		});

		it('has the fields of a workflow that n8n exported, with unique node IDs and names', () => {
			expect(title).toMatch(/^\w/);
			expect(otherFields).toEqual({ settings: { executionOrder: 'v1' } });
			expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
			expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
		});

		it("uses only nodes of this package and n8n's own nodes", () => {
			expect(packageNodes.length).toBeGreaterThan(0);
			expect(packageNodes.filter(({ type }) => !descriptions.has(type))).toEqual([]);
			const foreignNodes = nodes.filter((node) => !packageNodes.includes(node));
			expect(foreignNodes.filter((node) => !/^n8n-nodes-base\./.test(node.type))).toEqual([]);
			expect(
				foreignNodes.map(getTypeAndVersion).filter((type) => !parametersByType.has(type)),
			).toEqual([]);
		});

		it('has only parameters and values that the nodes offer', () => {
			const problems = packageNodes.flatMap((node) =>
				findParameterProblems(node, descriptions.get(node.type)!),
			);
			expect(problems).toEqual([]);
			for (const { type, typeVersion } of packageNodes) {
				expect([descriptions.get(type)!.version].flat()).toContain(typeVersion);
			}
			const unknownParameters = nodes
				.filter((node) => !packageNodes.includes(node))
				.flatMap((node) =>
					Object.keys(node.parameters).filter(
						(key) => !parametersByType.get(getTypeAndVersion(node))!.has(key),
					),
				);
			expect(unknownParameters).toEqual([]);
		});

		it('connects only nodes that exist, and every node except triggers has an input', () => {
			const names = new Set(workingNodes.map((node) => node.name));
			const outputs = Object.values(connections).flatMap(({ main }) => main.flat());
			const mentionedNames = [
				...Object.keys(connections),
				...outputs.map(({ node }) => node),
				...[...readText(file).matchAll(/\$\('([^']+)'\)/g)].map(([, mention]) => mention!),
			];
			expect(mentionedNames.filter((mention) => !names.has(mention))).toEqual([]);
			const reachedNodes = new Set(outputs.map(({ node }) => node));
			const nodesWithoutInput = workingNodes.filter(
				(node) => !node.type.endsWith('Trigger') && !reachedNodes.has(node.name),
			);
			expect(nodesWithoutInput).toEqual([]);
		});

		it('has one note that says what to do first, with names of its nodes and tables', () => {
			const [note, ...others] = nodes.filter((node) => !workingNodes.includes(node));
			expect(others).toEqual([]);
			const content = note!.parameters.content as string;
			expect(content).toMatch(/\*\*Before you (run|publish) it\*\*\n1\. Choose your credential/);
			const italics = [...content.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, text]) => text);
			const tables = workingNodes.flatMap(({ parameters }) => parameters.tableName ?? []);
			const knownNames = [...workingNodes.map((node) => node.name), ...tables];
			expect(italics.filter((text) => !knownNames.includes(text))).toEqual([]);
		});

		it('contains no credential, no host name and no trace of the sandbox', () => {
			expect(nodes.filter((node) => node.credentials)).toEqual([]);
			expect(readText(file)).not.toMatch(/https?:|sandbox|gatehouse/i);
		});
	},
);
