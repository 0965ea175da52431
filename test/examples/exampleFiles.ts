import type { INode, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Connection {
	node: string;
	type: string;
	index: number;
}

interface Example {
	name: string;
	nodes: INode[];
	/** By the name of the node from which they lead, then by kind: `main`, or how a part hangs below an agent. */
	connections: Record<string, Record<string, Connection[][]>>;
	settings: object;
	pinData: object;
}

const root = path.resolve(__dirname, '..', '..');
const folder = path.join(root, 'examples');
/** File names of all examples. */
export const exampleFileNames = readdirSync(folder).filter((name) => name.endsWith('.json'));
export const readExampleText = (file: string): string =>
	readFileSync(path.join(folder, file), 'utf8');
export const readExample = (file: string): Example => JSON.parse(readExampleText(file)) as Example;

const packManifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	name: string;
	n8n: { nodes: string[] };
};
/** Descriptions of the pack's nodes as package.json lists them, by the types that workflows use. */
export const packDescriptions = new Map<string, INodeTypeDescription>(
	packManifest.n8n.nodes.flatMap((file) => {
		const module = path.basename(file, '.node.js');
		const source = path.join(root, path.dirname(file).replace('dist/', ''), `${module}.node`);
		const Node = jest.requireActual<Record<string, new () => INodeType>>(source)[module]!;
		const { description } = new Node();
		// n8n derives from each node a tool, and a tool for the human review of an agent's tools.
		return ['', 'Tool', 'HitlTool'].map(
			(variant) => [`${packManifest.name}.${description.name}${variant}`, description] as const,
		);
	}),
);

/** Nodes of n8n that examples may use although they need an account, with the type of their credential. */
export const credentialTypeByNode = new Map([
	['@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi'],
	['n8n-nodes-base.n8n', 'n8nApi'],
]);

/** The nodes of n8n that examples may use: those that need no account anywhere, and the few above. */
export const allowedNodes = new Set([
	...credentialTypeByNode.keys(),
	'@n8n/n8n-nodes-langchain.agent',
	...[
		'convertToFile',
		'dataTable',
		'dataTableTool',
		'extractFromFile',
		'filter',
		'form',
		'formTrigger',
		'if',
		'manualTrigger',
		'merge',
		'noOp',
		'scheduleTrigger',
		'set',
		'sort',
		'splitInBatches',
		'splitOut',
		'stickyNote',
	].map((name) => `n8n-nodes-base.${name}`),
]);

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
export const isTrigger = ({ type }: INode): boolean => type.endsWith('Trigger');
const isLoop = ({ type }: INode) => type === 'n8n-nodes-base.splitInBatches';

/** An example with its nodes by kind. */
export function openExample(file: string) {
	const { nodes, connections, ...otherFields } = readExample(file);
	const workingNodes = nodes.filter((node) => !isNote(node));
	return {
		nodes,
		connections,
		otherFields,
		/** All nodes except notes. */
		workingNodes,
		notes: nodes.filter(isNote),
		/** Nodes of the pack. */
		packNodes: workingNodes.filter(({ type }) => type.startsWith(`${packManifest.name}.`)),
		/** Names of the tables that the example creates. */
		tableNames: workingNodes.flatMap(
			({ parameters }) => (parameters.tableName as string | undefined) ?? [],
		),
		isLoop: (name: string) => workingNodes.some((node) => node.name === name && isLoop(node)),
	};
}
