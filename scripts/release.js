// Makes the tarballs that a release publishes, and prints their versions, files and sizes. Publishes nothing. Fails if the
// changelog lacks the version. `--out <folder>` keeps the tarballs there.
const { mkdirSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { findChangelogProblem } = require('./checkChangelog');
const { packInto } = require('./packInto');
const { readManifest, singles } = require('./singlePackages');

const formatKilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;

function makeTarballs(root, destination) {
	for (const folder of ['.', ...singles.map((single) => single.folder)]) {
		const { name, version, files, size, unpackedSize } = packInto(
			path.join(root, folder),
			destination,
		);
		console.log(
			`${name} ${version}: ${files.length} files, ${formatKilobytes(size)}, unpacked ${formatKilobytes(unpackedSize)}`,
		);
		for (const file of files.filter((candidate) => !candidate.includes('__schema__')))
			console.log(`  ${file}`);
	}
}

function main() {
	const { values } = parseArgs({
		options: {
			out: { type: 'string' },
			root: { type: 'string', default: path.join(__dirname, '..') },
		},
	});
	const { version } = readManifest(values.root);
	const changelog = readFileSync(path.join(values.root, 'CHANGELOG.md'), 'utf8');
	const problem = findChangelogProblem(changelog, version);
	if (problem) throw new Error(problem);
	if (values.out) {
		mkdirSync(values.out, { recursive: true });
		makeTarballs(values.root, path.resolve(values.out));
		return;
	}
	const temporaryFolder = mkdtempSync(path.join(tmpdir(), 'gatehouse-release-'));
	try {
		makeTarballs(values.root, temporaryFolder);
	} finally {
		rmSync(temporaryFolder, { recursive: true, force: true });
	}
}

try {
	main();
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}
