// Protects the search of n8n: a usual search term finds its node and trigger, and no description gets a badge.
import type { INodeType } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expectedSearchResults } from '../support/expectedSearchResults';

const root = path.resolve(__dirname, '..', '..');
const { n8n } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[] };
};

/** The nodes and triggers, with the texts that n8n's search uses. */
const nodes = n8n.nodes.map((file) => {
	const name = path.basename(file, '.node.js');
	const source = path.join(root, path.dirname(file).replace('dist/', ''), `${name}.node`);
	const Node = jest.requireActual<Record<string, new () => INodeType>>(source)[name]!;
	const { alias } = JSON.parse(readFileSync(`${source}.json`, 'utf8')) as { alias: string[] };
	const { displayName, description } = new Node().description;
	return { displayName, description, alias };
});

test.each(Object.entries(expectedSearchResults))(
	'the search for "%s" finds the nodes %j and their triggers',
	(query, expectedTitles) => {
		// n8n's search compares the typed text with the beginning of each alias and name, and lists a trigger below its node.
		const nodesFound = nodes
			.filter(({ displayName, alias }) =>
				[displayName, ...alias].some((name) => name.toLowerCase().startsWith(query)),
			)
			.map(({ displayName }) => displayName);
		expect(nodesFound).toEqual(
			expect.arrayContaining(expectedTitles.flatMap((title) => [title, `${title} Trigger`])),
		);
	},
);

test.each(['missing', 'no-show', 'who is missing', 'summary', 'event summary', 'report'])(
	'"%s" is a search term of Event Registration',
	(searchTerm) => {
		const { alias } = nodes.find(({ displayName }) => displayName === 'Event Registration')!;
		expect(alias).toContain(searchTerm);
	},
);

test.each(nodes)(
	'the description of $displayName is short, and n8n adds no badge for it',
	({ description }) => {
		// n8n shows a badge for every node whose description contains this word.
		expect(description).not.toMatch(/deprecated/i);
		expect(description.length).toBeLessThanOrEqual(120);
	},
);

test('no node has the same alias twice', () => {
	for (const { displayName, alias } of nodes) {
		expect([displayName, new Set(alias).size]).toEqual([displayName, alias.length]);
	}
});
