// Checks the pack and the single packages as they would be published. Each must contain the expected files and no others,
// and its tarball must not exceed its size limit. n8n's scanner must find nothing in it or in its sources, and n8n's linter
// in strict mode must find nothing in its sources.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { NOTICES, findNoticeProblems } = require('./notices');
const { EXAMPLE, readManifest, singles } = require('./singlePackages');
const { packInto } = require('./packInto');
const { SBOM, findSbomProblems } = require('./sbom');
const { LIMITS_KB, findSizeProblems } = require('./sizeLimits');
const {
	PUBLISHED_FILES,
	SOURCE_FILES,
	findLintProblems,
	findScanProblems,
} = require('./lintAndScan');

const root = path.join(__dirname, '..');
const MAX_UNPACKED_BYTES = 2_000_000;

/** Prints the requirement if it is met; throws otherwise. */
function expect(isMet, requirement) {
	if (!isMet) throw new Error(`not met: ${requirement}`);
	console.log(`ok: ${requirement}`);
}

const expectNone = (problems, requirement) =>
	expect(problems.length === 0, `${requirement} ${problems.join('; ')}`.trim());

/** Checks the files of one package as it is packed for publishing. */
async function checkPackedFiles(packageFolder, temporaryFolder) {
	const manifest = readManifest(packageFolder);
	const { files, filename, size, unpackedSize } = packInto(packageFolder, temporaryFolder);
	const topLevelFiles = ['package.json', 'README.md', 'LICENSE', manifest.main];
	const optionalFiles = [
		...Object.values(manifest.bin ?? {}),
		...(manifest.files.includes(EXAMPLE) ? [EXAMPLE] : []),
	];
	expectNone(
		files.filter(
			(name) => !name.startsWith('dist/') && ![...topLevelFiles, ...optionalFiles].includes(name),
		),
		'it contains only dist and the expected top-level files',
	);
	expectNone(
		files.filter((name) => /\.(ts|map|tsbuildinfo)$|\.test\./.test(name)),
		'it contains no sources, source maps or tests',
	);
	const expectedFiles = [
		...manifest.n8n.nodes,
		...manifest.n8n.credentials,
		...topLevelFiles,
		SBOM,
		NOTICES,
	];
	expectNone(
		[...expectedFiles, ...optionalFiles].filter((name) => !files.includes(name)),
		'it contains all expected files',
	);
	expect(!manifest.dependencies, 'it has no dependencies');
	expectNone(
		findSizeProblems(manifest.name, size),
		`its tarball has ${size / 1000} kB; the limit is ${LIMITS_KB[manifest.name]} kB`,
	);
	expect(
		unpackedSize < MAX_UNPACKED_BYTES,
		`unpacked it has ${Math.round(unpackedSize / 1000)} kB; the limit is ${MAX_UNPACKED_BYTES / 1000} kB`,
	);

	const unpackedFolder = mkdtempSync(path.join(temporaryFolder, 'unpacked-'));
	execFileSync('tar', ['-xzf', path.join(temporaryFolder, filename), '-C', unpackedFolder]);
	const unpackedPackage = path.join(unpackedFolder, 'package');
	expectNone(findSbomProblems(unpackedPackage), 'its SBOM lists all bundled code and nothing else');
	expectNone(findNoticeProblems(unpackedPackage), 'it contains the license of all bundled code');
	expectNone(
		await findScanProblems(unpackedPackage, PUBLISHED_FILES),
		"n8n's scanner finds nothing in the published files",
	);
}

async function main() {
	const temporaryFolder = mkdtempSync(path.join(tmpdir(), 'gatehouse-'));
	try {
		for (const packageFolder of [root, ...singles.map(({ folder }) => path.join(root, folder))]) {
			console.log(`${readManifest(packageFolder).name}:`);
			await checkPackedFiles(packageFolder, temporaryFolder);
			expectNone(
				await findScanProblems(packageFolder, SOURCE_FILES),
				"n8n's scanner finds nothing in its sources",
			);
			expectNone(
				findLintProblems(root, packageFolder),
				"n8n's linter in strict mode finds nothing",
			);
		}
	} finally {
		rmSync(temporaryFolder, { recursive: true, force: true });
	}
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
