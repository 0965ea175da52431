const { loadSource } = require('./source');

/** One table of a node's operations, as the panel says them, and how many rows it has. */
function operationTable(root, { folder, title }) {
	const { service } = loadSource(root, `nodes/${folder}/service.ts`);
	const rows = Object.values(service.resources).flatMap((resource) =>
		Object.values(resource.operations)
			.sort((a, b) => a.name.localeCompare(b.name, 'en'))
			.map(({ name, description }, index) => [index === 0 ? resource.name : '', name, description]),
	);
	const lines = table(['Resource', 'Operation', 'What it does'], rows);
	return { title, text: lines.join('\n'), rows: rows.length };
}

/** The lines of a table in Markdown. */
function table(head, rows) {
	const line = (cells) => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

module.exports = { operationTable, table };
