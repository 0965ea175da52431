import type { INodeType } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expectedSearchResults } from '../support/expectedSearchResults';

const root = path.resolve(__dirname, '..', '..');
const { n8n } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[] };
};

/** The nodes and triggers, with the words that n8n finds them by. */
const nodes = n8n.nodes.map((file) => {
	const name = path.basename(file, '.node.js');
	const source = path.join(root, path.dirname(file).replace('dist/', ''), `${name}.node`);
	const Node = jest.requireActual<Record<string, new () => INodeType>>(source)[name]!;
	const { alias } = JSON.parse(readFileSync(`${source}.json`, 'utf8')) as { alias: string[] };
	const { displayName, description } = new Node().description;
	return { displayName, description, alias };
});

test.each(Object.entries(expectedSearchResults))(
	'the search "%s" finds %j and their triggers',
	(query, titles) => {
		// n8n searches for the typed text at the beginning of an alias or a name, and lists a trigger under its node.
		const nodesFound = nodes
			.filter(({ displayName, alias }) =>
				[displayName, ...alias].some((name) => name.toLowerCase().startsWith(query)),
			)
			.map(({ displayName }) => displayName);
		expect(nodesFound).toEqual(
			expect.arrayContaining(titles.flatMap((title) => [title, `${title} Trigger`])),
		);
	},
);

test.each(['missing', 'no-show', 'who is missing', 'summary', 'event summary', 'report'])(
	'the search "%s" finds Event Registration, which can do it',
	(words) => {
		const { alias } = nodes.find(({ displayName }) => displayName === 'Event Registration')!;
		expect(alias).toContain(words);
	},
);

test.each(nodes)('the card of $displayName is short and has no badge', ({ description }) => {
	// n8n puts a badge on every node in whose description it finds this word.
	expect(description).not.toMatch(/deprecated/i);
	expect(description.length).toBeLessThanOrEqual(120);
});

test('no alias occurs twice', () => {
	for (const { displayName, alias } of nodes) {
		expect([displayName, new Set(alias).size]).toEqual([displayName, alias.length]);
	}
});
