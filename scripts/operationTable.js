const { loadSource } = require('./loadSource');

/** Returns a Markdown table of a node's operations, with the texts of n8n's panel, and its number of rows. */
function createOperationTable(root, { folder, title }) {
	const { service } = loadSource(root, `nodes/${folder}/service.ts`);
	const rows = Object.values(service.resources).flatMap((resource) =>
		Object.values(resource.operations)
			.sort((a, b) => a.name.localeCompare(b.name, 'en'))
			.map(({ name, description }, index) => [index === 0 ? resource.name : '', name, description]),
	);
	const lines = formatTable(['Resource', 'Operation', 'What it does'], rows);
	return { title, text: lines.join('\n'), rowCount: rows.length };
}

/** Returns the lines of a Markdown table. */
function formatTable(head, rows) {
	const formatRow = (cells) => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
	return [formatRow(head), formatRow(head.map(() => '---')), ...rows.map(formatRow)];
}

module.exports = { createOperationTable, formatTable };
