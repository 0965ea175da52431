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
export const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
export const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
export const readExample = (file: string): Example => JSON.parse(textOf(file)) as Example;

/** The pack's nodes as package.json lists them, by the names that workflows use. */
const pack = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	name: string;
	n8n: { nodes: string[] };
};
export const packNodes = new Map<string, INodeTypeDescription>(
	pack.n8n.nodes.flatMap((file) => {
		const module = path.basename(file, '.node.js');
		const source = path.join(root, path.dirname(file).replace('dist/', ''), `${module}.node`);
		const Node = jest.requireActual<Record<string, new () => INodeType>>(source)[module]!;
		const { description } = new Node();
		// n8n makes tools of them, and the human review of an agent's tools.
		return ['', 'Tool', 'HitlTool'].map(
			(variant) => [`${pack.name}.${description.name}${variant}`, description] as const,
		);
	}),
);

/** Nodes of n8n that examples may use although they need an account, with the type of their credential. */
export const credentialTypeByNode = new Map([
	['@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi'],
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
	const { nodes, connections, ...rest } = readExample(file);
	const working = nodes.filter((node) => !isNote(node));
	return {
		nodes,
		connections,
		rest,
		working,
		notes: nodes.filter(isNote),
		/** Nodes of the pack. */
		mine: working.filter(({ type }) => type.startsWith(`${pack.name}.`)),
		/** Names of the tables that it creates. */
		tables: working.flatMap(({ parameters }) => (parameters.tableName as string | undefined) ?? []),
		isLoop: (name: string) => working.some((node) => node.name === name && isLoop(node)),
	};
}
