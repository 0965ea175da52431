// Writes docs/reference: one page per node, generated from the nodes and the contracts.
const { writeFile } = require('node:fs/promises');
const path = require('node:path');
const services = require('../contracts/services.json');
const { referencePage } = require('./reference/page');

const root = path.join(__dirname, '..');

/** Returns the pages by file name, such as `two-factor.md`. */
async function referencePages() {
	const prettier = await import('prettier');
	const pages = Object.values(services).map(async (service) => {
		const name = `${service.title.toLowerCase().replaceAll(' ', '-')}.md`;
		const file = path.join(root, 'docs/reference', name);
		const config = await prettier.resolveConfig(file);
		const text = referencePage(root, service);
		return [name, await prettier.format(text, { ...config, filepath: file })];
	});
	return Object.fromEntries(await Promise.all(pages));
}

async function writeReference() {
	for (const [name, text] of Object.entries(await referencePages())) {
		await writeFile(path.join(root, 'docs/reference', name), text);
	}
}

if (require.main === module) void writeReference();

module.exports = { referencePages };
