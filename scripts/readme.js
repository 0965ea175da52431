// Writes the tables of operations into the README, from the tables that the nodes run on. With --check it only compares.
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { operationsOf, readContract } = require('../contracts/read');
const services = require('../contracts/services.json');

const root = path.join(__dirname, '..');
const file = path.join(root, 'README.md');
const begin = '<!-- operations: written by npm run readme -->';
const end = '<!-- end of operations -->';

/** How many there are, and one table per node: resource, operation and what it does, as the panel says it. */
function operations() {
	let count = 0;
	const tables = Object.values(services).map(({ folder, title }) => {
		const { service } = require(path.join(root, 'dist/nodes', folder, 'service.js'));
		const rows = Object.values(service.resources).flatMap((resource) =>
			Object.values(resource.operations)
				.sort((a, b) => a.name.localeCompare(b.name, 'en'))
				.map(({ name, description }, index) => [
					index === 0 ? resource.name : '',
					name,
					description,
				]),
		);
		count += rows.length;
		return [`### ${title}`, '', ...table(['Resource', 'Operation', 'What it does'], rows)].join(
			'\n',
		);
	});
	const known = Object.values(services).flatMap(({ contract }) =>
		operationsOf(readContract(contract)),
	).length;
	const sum = `${count} operations: ${known} of the services' own, and ${count - known} that wait or put several of them together.`;
	return [sum, ...tables].join('\n\n');
}

function table(head, rows) {
	const line = (cells) => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

const readme = readFileSync(file, 'utf8');
const [before, rest] = readme.split(begin);
if (rest === undefined) throw new Error(`README.md has no line ${begin}`);
const written = `${before}${begin}\n\n${operations()}\n\n${end}${rest.split(end)[1]}`;
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (written !== readme) {
	console.error(
		'The README tells other operations than the nodes have: run npm run build and npm run readme',
	);
	process.exitCode = 1;
}
