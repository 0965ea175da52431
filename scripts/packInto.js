const { execFileSync } = require('node:child_process');
const { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { readManifest } = require('./singlePackages');
const { makeLinksAbsolute } = require('./repositoryLinks');

/** Runs `npm pack` in a folder, and returns npm's report with the paths of the packed files. */
function runNpmPack(folder, ...args) {
	const output = execFileSync('npm', ['pack', '--json', ...args], {
		cwd: folder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		shell: process.platform === 'win32',
	});
	const [{ files, ...report }] = JSON.parse(output);
	return { ...report, files: files.map((file) => file.path) };
}

/** Writes the tarball of a package, with absolute links in its README, and returns npm's report. */
function packInto(folder, destination) {
	const manifest = readManifest(folder);
	const root = path.resolve(folder, path.relative(manifest.repository.directory ?? '.', '.'));
	const stagingFolder = mkdtempSync(path.join(tmpdir(), 'gatehouse-stage-'));
	try {
		for (const file of runNpmPack(folder, '--dry-run').files) {
			cpSync(path.join(folder, file), path.join(stagingFolder, file));
		}
		const readmeFile = path.join(stagingFolder, 'README.md');
		writeFileSync(readmeFile, makeLinksAbsolute(readFileSync(readmeFile, 'utf8'), root, manifest));
		return runNpmPack(stagingFolder, '--pack-destination', destination);
	} finally {
		rmSync(stagingFolder, { recursive: true, force: true });
	}
}

module.exports = { packInto };
