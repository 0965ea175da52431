// Writes the tables of operations into the README, generated from the nodes' own tables. With --check it only compares.
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { operationsOf, readContract } = require('../contracts/read');
const services = require('../contracts/services.json');
const { operationTable } = require('./operationTable');

const root = path.join(__dirname, '..');
const file = path.join(root, 'README.md');
const begin = '<!-- operations: written by npm run readme -->';
const end = '<!-- end of operations -->';

/** Returns the number of operations and one collapsed table per node, with the texts of n8n's panel. */
function operations() {
	const tables = Object.values(services).map((service) => operationTable(root, service));
	const count = tables.reduce((sum, { rows }) => sum + rows, 0);
	const known = Object.values(services).flatMap(({ contract }) =>
		operationsOf(readContract(contract)),
	).length;
	const sum = `${count} operations: ${known} of the services' own, and ${count - known} that wait or combine several of them.`;
	const folded = tables.map(({ title, text, rows }) =>
		[
			'<details>',
			`<summary>${title}: ${rows} operations</summary>`,
			'',
			text,
			'',
			'</details>',
		].join('\n'),
	);
	return [sum, ...folded].join('\n\n');
}

const readme = readFileSync(file, 'utf8');
const [before, rest] = readme.split(begin);
if (rest === undefined) throw new Error(`README.md has no line ${begin}`);
const written = `${before}${begin}\n\n${operations()}\n\n${end}${rest.split(end)[1]}`;
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (written !== readme) {
	console.error('The README tells other operations than the nodes have: run npm run readme');
	process.exitCode = 1;
}
