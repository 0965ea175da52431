// Checks the packages as they would be published, the pack and the single packages: the right files and no others, a
// tarball within its size limit, no finding of n8n's scanner in them or in their sources, and none of n8n's linter in
// strict mode.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { NOTICES, noticeComplaints } = require('./notices');
const { EXAMPLE, readManifest, singles } = require('./singlePackages');
const { packInto } = require('./packInto');
const { SBOM, sbomComplaints } = require('./sbom');
const { LIMITS_KB, sizeComplaints } = require('./sizes');
const { PUBLISHED, SOURCES, lintComplaints, scanComplaints } = require('./verify');

const root = path.join(__dirname, '..');

function expect(condition, message) {
	if (!condition) throw new Error(message);
	console.log(`ok: ${message}`);
}

const expectNone = (complaints, message) =>
	expect(complaints.length === 0, `${message} ${complaints.join('; ')}`.trim());

/** Checks the files of one package as it is packed for publishing. */
async function checkPacked(place, temporary) {
	const manifest = readManifest(place);
	const { files, filename, size, unpackedSize } = packInto(place, temporary);
	const allowed = ['package.json', 'README.md', 'LICENSE', manifest.main];
	const extras = [
		...Object.values(manifest.bin ?? {}),
		...(manifest.files.includes(EXAMPLE) ? [EXAMPLE] : []),
	];
	expectNone(
		files.filter((name) => !name.startsWith('dist/') && ![...allowed, ...extras].includes(name)),
		'only dist and the usual top-level files are published',
	);
	expectNone(
		files.filter((name) => /\.(ts|map|tsbuildinfo)$|\.test\./.test(name)),
		'no sources, maps or tests are published',
	);
	const wanted = [...manifest.n8n.nodes, ...manifest.n8n.credentials, ...allowed, SBOM, NOTICES];
	expectNone(
		[...wanted, ...extras].filter((name) => !files.includes(name)),
		'everything that belongs to it is published',
	);
	expect(!manifest.dependencies, 'nothing is installed along with it');
	expectNone(
		sizeComplaints(manifest.name, size),
		`it has ${size / 1000} kB of ${LIMITS_KB[manifest.name]} kB, packed`,
	);
	expect(unpackedSize < 2_000_000, `it is small: ${Math.round(unpackedSize / 1000)} kB unpacked`);

	const unpacked = mkdtempSync(path.join(temporary, 'unpacked-'));
	execFileSync('tar', ['-xzf', path.join(temporary, filename), '-C', unpacked]);
	const inside = path.join(unpacked, 'package');
	expectNone(sbomComplaints(inside), 'the SBOM names what is built in and nothing else');
	expectNone(noticeComplaints(inside), 'the license of everything that is built in is passed on');
	expectNone(
		await scanComplaints(inside, PUBLISHED),
		"n8n's scanner has nothing against what is published",
	);
}

async function main() {
	const temporary = mkdtempSync(path.join(tmpdir(), 'gatehouse-'));
	try {
		for (const place of [root, ...singles.map(({ folder }) => path.join(root, folder))]) {
			console.log(`${readManifest(place).name}:`);
			await checkPacked(place, temporary);
			expectNone(
				await scanComplaints(place, SOURCES),
				"n8n's scanner has nothing against its sources",
			);
			expectNone(lintComplaints(root, place), "n8n's linter in strict mode is content");
		}
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
