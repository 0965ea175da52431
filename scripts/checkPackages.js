// Checks the packages as they would be published, the pack and the single packages: the right files and no others, a
// tarball within its size limit, no finding of n8n's scanner in them or in their sources, and none of n8n's linter in
// strict mode.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { NOTICES, findNoticeProblems } = require('./notices');
const { EXAMPLE, readManifest, singles } = require('./singlePackages');
const { packInto } = require('./packInto');
const { SBOM, findSbomProblems } = require('./sbom');
const { LIMITS_KB, findSizeProblems } = require('./sizeLimits');
const { PUBLISHED, SOURCES, findLintProblems, findScanProblems } = require('./lintAndScan');

const root = path.join(__dirname, '..');

function expect(condition, message) {
	if (!condition) throw new Error(message);
	console.log(`ok: ${message}`);
}

const expectNone = (problems, message) =>
	expect(problems.length === 0, `${message} ${problems.join('; ')}`.trim());

/** Checks the files of one package as it is packed for publishing. */
async function checkPackedFiles(packageFolder, temporary) {
	const manifest = readManifest(packageFolder);
	const { files, filename, size, unpackedSize } = packInto(packageFolder, temporary);
	const topLevelFiles = ['package.json', 'README.md', 'LICENSE', manifest.main];
	const optionalFiles = [
		...Object.values(manifest.bin ?? {}),
		...(manifest.files.includes(EXAMPLE) ? [EXAMPLE] : []),
	];
	expectNone(
		files.filter(
			(name) => !name.startsWith('dist/') && ![...topLevelFiles, ...optionalFiles].includes(name),
		),
		'only dist and the usual top-level files are published',
	);
	expectNone(
		files.filter((name) => /\.(ts|map|tsbuildinfo)$|\.test\./.test(name)),
		'no sources, maps or tests are published',
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
		'everything that belongs to it is published',
	);
	expect(!manifest.dependencies, 'nothing is installed along with it');
	expectNone(
		findSizeProblems(manifest.name, size),
		`it has ${size / 1000} kB of ${LIMITS_KB[manifest.name]} kB, packed`,
	);
	expect(unpackedSize < 2_000_000, `it is small: ${Math.round(unpackedSize / 1000)} kB unpacked`);

	const unpacked = mkdtempSync(path.join(temporary, 'unpacked-'));
	execFileSync('tar', ['-xzf', path.join(temporary, filename), '-C', unpacked]);
	const unpackedPackage = path.join(unpacked, 'package');
	expectNone(findSbomProblems(unpackedPackage), 'the SBOM names what is built in and nothing else');
	expectNone(
		findNoticeProblems(unpackedPackage),
		'the license of everything that is built in is passed on',
	);
	expectNone(
		await findScanProblems(unpackedPackage, PUBLISHED),
		"n8n's scanner has nothing against what is published",
	);
}

async function main() {
	const temporary = mkdtempSync(path.join(tmpdir(), 'gatehouse-'));
	try {
		for (const packageFolder of [root, ...singles.map(({ folder }) => path.join(root, folder))]) {
			console.log(`${readManifest(packageFolder).name}:`);
			await checkPackedFiles(packageFolder, temporary);
			expectNone(
				await findScanProblems(packageFolder, SOURCES),
				"n8n's scanner has nothing against its sources",
			);
			expectNone(findLintProblems(root, packageFolder), "n8n's linter in strict mode is content");
		}
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
