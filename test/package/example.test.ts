import type { INode, INodeTypeDescription } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { problemsOf } from '../examples/parameters';
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
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const readWorkflow = (file: string) => JSON.parse(textOf(file)) as Workflow;

/** Parameter names of n8n's own nodes, by type and version, in the examples that the end-to-end tests run in n8n. */
const parametersByType = new Map<string, Set<string>>();
const typeOf = ({ type, typeVersion }: INode) => `${type} ${typeVersion}`;
for (const file of readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.json'))) {
	for (const node of readWorkflow(join('examples', file)).nodes) {
		const names = [...(parametersByType.get(typeOf(node)) ?? []), ...Object.keys(node.parameters)];
		parametersByType.set(typeOf(node), new Set(names));
	}
}

describe.each(singles.map((single, index) => ({ ...single, service: packServices[index]! })))(
	'the example in $name',
	({ name, folder, service }) => {
		const file = join(folder, 'example.json');
		const { name: title, nodes, connections, ...rest } = readWorkflow(file);
		const workingNodes = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		const descriptions = new Map<string, INodeTypeDescription>(
			[service.Node, service.Trigger!].map((Type) => {
				const { description } = new Type();
				return [`${name}.${description.name}`, description];
			}),
		);
		const packageNodes = nodes.filter(({ type }) => type.startsWith(`${name}.`));

		it('is part of the tarball', () => {
			const { files } = JSON.parse(textOf(join(folder, 'package.json'))) as { files: string[] };
			expect(files).toContain('example.json');
		});

		it('is a workflow as n8n exports it', () => {
			expect(title).toMatch(/^\w/);
			expect(rest).toEqual({ settings: { executionOrder: 'v1' } });
			expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
			expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
		});

		it("uses nodes of this package and n8n's own, and no others", () => {
			expect(packageNodes.length).toBeGreaterThan(0);
			expect(packageNodes.filter(({ type }) => !descriptions.has(type))).toEqual([]);
			const foreignNodes = nodes.filter((node) => !packageNodes.includes(node));
			expect(foreignNodes.filter((node) => !/^n8n-nodes-base\./.test(node.type))).toEqual([]);
			expect(foreignNodes.map(typeOf).filter((type) => !parametersByType.has(type))).toEqual([]);
		});

		it('has parameters and values that the nodes offer', () => {
			const problems = packageNodes.flatMap((node) =>
				problemsOf(node, descriptions.get(node.type)!),
			);
			expect(problems).toEqual([]);
			for (const { type, typeVersion } of packageNodes) {
				expect([descriptions.get(type)!.version].flat()).toContain(typeVersion);
			}
			const unknown = nodes
				.filter((node) => !packageNodes.includes(node))
				.flatMap((node) =>
					Object.keys(node.parameters).filter(
						(key) => !parametersByType.get(typeOf(node))!.has(key),
					),
				);
			expect(unknown).toEqual([]);
		});

		it('connects nodes that exist, and leaves none but triggers without input', () => {
			const names = new Set(workingNodes.map((node) => node.name));
			const outputs = Object.values(connections).flatMap(({ main }) => main.flat());
			const mentionedNames = [
				...Object.keys(connections),
				...outputs.map(({ node }) => node),
				...[...textOf(file).matchAll(/\$\('([^']+)'\)/g)].map(([, mention]) => mention!),
			];
			expect(mentionedNames.filter((mention) => !names.has(mention))).toEqual([]);
			const reachedNodes = new Set(outputs.map(({ node }) => node));
			const loose = workingNodes.filter(
				(node) => !node.type.endsWith('Trigger') && !reachedNodes.has(node.name),
			);
			expect(loose).toEqual([]);
		});

		it('says in a note what to do before it runs, by names of its nodes and tables', () => {
			const [note, ...others] = nodes.filter((node) => !workingNodes.includes(node));
			expect(others).toEqual([]);
			const content = note!.parameters.content as string;
			expect(content).toMatch(/\*\*Before you (run|publish) it\*\*\n1\. Choose your credential/);
			const italics = [...content.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, words]) => words);
			const tables = workingNodes.flatMap(({ parameters }) => parameters.tableName ?? []);
			const knownNames = [...workingNodes.map((node) => node.name), ...tables];
			expect(italics.filter((words) => !knownNames.includes(words))).toEqual([]);
		});

		it('contains no credential, no host name and no trace of the sandbox', () => {
			expect(nodes.filter((node) => node.credentials)).toEqual([]);
			expect(textOf(file)).not.toMatch(/https?:|sandbox|gatehouse/i);
		});
	},
);
