// Writes the numbers of operations into the README, counted in the nodes' own tables. With --check it only compares.
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { operationsOf, readContract } = require('../contracts/read');
const services = require('../contracts/services.json');
const { createOperationTable, table } = require('./operationTable');

const root = path.join(__dirname, '..');
const file = path.join(root, 'README.md');
const begin = '<!-- operations: written by npm run readme -->';
const end = '<!-- end of operations -->';

/** Returns the number of operations of each node, with a link to its reference. */
function formatOperationCounts() {
	const rows = Object.values(services).map((service) => {
		const { title, rows: count } = createOperationTable(root, service);
		const page = `docs/reference/${title.toLowerCase().replaceAll(' ', '-')}.md`;
		return { title, count, cells: [`[${title}](${page})`, `${count}`] };
	});
	const count = rows.reduce((sum, row) => sum + row.count, 0);
	const endpointCount = Object.values(services).flatMap(({ contract }) =>
		operationsOf(readContract(contract)),
	).length;
	const sum = `${count} operations: one for each of the services' ${endpointCount} endpoints, and ${count - endpointCount} that wait or combine several.`;
	return [
		sum,
		table(
			['Node', 'Operations'],
			rows.map(({ cells }) => cells),
		).join('\n'),
	].join('\n\n');
}

const readme = readFileSync(file, 'utf8');
const [before, rest] = readme.split(begin);
if (rest === undefined) throw new Error(`README.md has no line ${begin}`);
const written = `${before}${begin}\n\n${formatOperationCounts()}\n\n${end}${rest.split(end)[1]}`;
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (written !== readme) {
	console.error('The README lists other operations than the nodes have: run npm run readme');
	process.exitCode = 1;
}
