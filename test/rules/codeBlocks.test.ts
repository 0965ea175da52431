// Protects readers who copy a code block from the documentation: a test runs it, or it is listed as untested.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './files';

/** The test of each code block, by page and the beginning of the block. */
const TESTED_BLOCKS: Record<string, Record<string, string>> = {
	'README.md': { 'npm ci && npm start': 'test/e2e/lab.e2e.ts' },
	'CONTRIBUTING.md': {
		'delete:': 'test/rules/contributing.test.ts',
		'import { operation }': 'test/rules/contributing.test.ts',
		'deleteSession(request': 'test/rules/contributing.test.ts',
		'deleteSession: [': 'test/rules/contributing.test.ts',
		"['DELETE',": 'test/rules/contributing.test.ts',
		"recordSample('session'": 'test/rules/contributing.test.ts',
		'- Event Data:': 'test/rules/contributing.test.ts',
		'import { field }': 'test/rules/contributing.test.ts',
	},
	'docs/architecture.md': { 'export const get': 'test/rules/codeBlocks.test.ts' },
	'docs/installing.md': {
		'mkdir -p ~/.n8n/nodes': 'test/e2e/packages.install.ts',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'test/e2e/packages.install.ts',
		'npx n8n-nodes-gatehouse move': 'test/package/move.test.ts',
	},
	'examples/README.md': { 'npx n8n-nodes-gatehouse move': 'test/package/move.test.ts' },
	'docs/triggers.md': {
		'curl -X POST': 'test/rules/pages.test.ts',
		'{ "ids": [': 'test/rules/pages.test.ts',
	},
};

/** Beginnings of blocks that no test runs: they write to a registry or a repository, or need software that the tests do not have. */
const UNTESTED_BLOCKS: Record<string, string[]> = {
	'CONTRIBUTING.md': ['npx prettier --write', 'npx jest test/tables', 'npm run test:quick'],
	'docs/approvals-decision-table.md': ['declare function decide'],
	'docs/installing.md': ['FROM n8nio/n8n'],
	'docs/releasing.md': ['git switch --detach'],
};

const pages = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'examples/README.md'],
	...readdirSync(join(root, 'docs'))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `docs/${name}`),
];
const readPage = (page: string) => readFileSync(join(root, page), 'utf8');
const findBlocks = (text: string) =>
	[...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)\n\1```$/gm)]
		.filter(([, , language]) => language !== 'mermaid')
		.map(([, , , block]) => block!.trimStart());

it.each(pages)('every code block in %s has a test or is listed as untested', (page) => {
	const listedStarts = [
		...Object.keys(TESTED_BLOCKS[page] ?? {}),
		...(UNTESTED_BLOCKS[page] ?? []),
	];
	const blocks = findBlocks(readPage(page));
	const unlisted = blocks.filter((block) => !listedStarts.some((start) => block.startsWith(start)));
	const unused = listedStarts.filter((start) => !blocks.some((block) => block.startsWith(start)));
	expect({ unlisted, unused }).toEqual({ unlisted: [], unused: [] });
});

it('the listed tests of code blocks exist', () => {
	const tests = Object.values(TESTED_BLOCKS).flatMap((blocks) => Object.values(blocks));
	expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([]);
});

it('the operation in docs/architecture.md is a part of the code', () => {
	const [block] = findBlocks(readPage('docs/architecture.md'));
	const file = readPage('nodes/EventData/event/get.ts').replaceAll('\t', '  ');
	expect(file).toContain(block);
});
