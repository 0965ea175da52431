// Counts the operations of the nodes and writes the numbers into the README. With --check it only compares them.
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { operationsOf, readContract } = require('../contracts/read');
const services = require('../contracts/services.json');
const { createOperationTable, formatTable } = require('./operationTable');

const root = path.join(__dirname, '..');
const file = path.join(root, 'README.md');
const begin = '<!-- operations: written by npm run readme -->';
const end = '<!-- end of operations -->';

/** Returns a sentence with the number of all operations, and a table with that of each node and a link to its reference. */
function formatOperationCounts() {
	const rows = Object.values(services).map((service) => {
		const { title, rowCount } = createOperationTable(root, service);
		const page = `docs/reference/${title.toLowerCase().replaceAll(' ', '-')}.md`;
		return { title, rowCount, cells: [`[${title}](${page})`, `${rowCount}`] };
	});
	const totalCount = rows.reduce((sum, row) => sum + row.rowCount, 0);
	const endpointCount = Object.values(services).flatMap(({ contract }) =>
		operationsOf(readContract(contract)),
	).length;
	const summary = `${totalCount} operations: one for each of the services' ${endpointCount} endpoints, and ${totalCount - endpointCount} that wait or combine several.`;
	return [
		summary,
		formatTable(
			['Node', 'Operations'],
			rows.map(({ cells }) => cells),
		).join('\n'),
	].join('\n\n');
}

const readme = readFileSync(file, 'utf8');
const [textBefore, textAfterBegin] = readme.split(begin);
if (textAfterBegin === undefined) throw new Error(`README.md has no line ${begin}`);
const updatedReadme = `${textBefore}${begin}\n\n${formatOperationCounts()}\n\n${end}${textAfterBegin.split(end)[1]}`;
if (!process.argv.includes('--check')) writeFileSync(file, updatedReadme);
else if (updatedReadme !== readme) {
	console.error('The numbers of operations in the README are out of date: run npm run readme');
	process.exitCode = 1;
}
