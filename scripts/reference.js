// Writes docs/reference: one page per node, from the nodes, the contracts and outputs recorded in the sandbox.
const { spawnSync } = require('node:child_process');
const { writeFile } = require('node:fs/promises');
const path = require('node:path');
const services = require('../contracts/services.json');
const { createReferencePage } = require('./reference/page');

const root = path.join(__dirname, '..');

/** Runs the samples of all operations and records what they return. */
function recordExamples() {
	const jest = require.resolve('jest/bin/jest');
	const args = [
		jest,
		'test/operations',
		'--testNamePattern',
		'returns the fields that the reference',
	];
	const env = { ...process.env, RECORD_EXAMPLES: '1' };
	const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
	if (status !== 0) throw new Error('Recording the examples failed');
}

/** Returns the pages by file name, such as `two-factor.md`. */
async function createReferencePages() {
	const prettier = await import('prettier');
	const pages = Object.entries(services).map(async ([name, service]) => {
		const fileName = `${service.title.toLowerCase().replaceAll(' ', '-')}.md`;
		const file = path.join(root, 'docs/reference', fileName);
		const config = await prettier.resolveConfig(file);
		const text = createReferencePage(root, name, service);
		return [fileName, await prettier.format(text, { ...config, filepath: file })];
	});
	return Object.fromEntries(await Promise.all(pages));
}

async function writeReference() {
	recordExamples();
	for (const [name, text] of Object.entries(await createReferencePages())) {
		await writeFile(path.join(root, 'docs/reference', name), text);
	}
}

if (require.main === module) void writeReference();

module.exports = { createReferencePages };
