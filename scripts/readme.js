// Writes the tables of operations into the README, from the tables that the nodes run on. With --check it only compares.
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const file = path.join(root, 'README.md');
const begin = '<!-- operations: written by npm run readme -->';
const end = '<!-- end of operations -->';
const nodes = ['PasswordlessIdentity', 'TwoFactor', 'EventData', 'EventRegistration'];

/** One table per node: resource, operation and what it does, as the panel says it. */
function operations() {
	const tables = nodes.map((folder) => {
		const { service } = require(path.join(root, 'dist/nodes', folder, 'service.js'));
		const { [folder]: Node } = require(path.join(root, 'dist/nodes', folder, `${folder}.node.js`));
		const rows = Object.values(service.resources).flatMap((resource) =>
			Object.values(resource.operations)
				.sort((a, b) => a.name.localeCompare(b.name, 'en'))
				.map(({ name, description }, index) => [
					index === 0 ? resource.name : '',
					name,
					description,
				]),
		);
		return [
			`### ${new Node().description.displayName}`,
			'',
			...table(['Resource', 'Operation', 'What it does'], rows),
		].join('\n');
	});
	return tables.join('\n\n');
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
