// Prints what a release would publish: the five packages with versions, files and sizes. Publishes nothing.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { packInto } = require('./pack');
const { singles } = require('./packages');

const root = path.join(__dirname, '..');
const kB = (bytes) => `${Math.round(bytes / 1000)} kB`;

const temporary = mkdtempSync(path.join(tmpdir(), 'gatehouse-release-'));
try {
	for (const folder of ['.', ...singles.map((single) => single.folder)]) {
		const { name, version, files, size, unpackedSize } = packInto(
			path.join(root, folder),
			temporary,
		);
		console.log(
			`${name} ${version}: ${files.length} files, ${kB(size)}, unpacked ${kB(unpackedSize)}`,
		);
		for (const file of files.filter((one) => !one.includes('__schema__'))) console.log(`  ${file}`);
	}
} finally {
	rmSync(temporary, { recursive: true, force: true });
}
