// Checks what would be published: the right files and no others, and n8n's own scanner's opinion of them.
const { execFileSync } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { NOTICES, noticeComplaints } = require('./notices');
const { SBOM, sbomComplaints } = require('./sbom');

const root = path.join(__dirname, '..');
const manifest = require('../package.json');
const npm = (...args) =>
	execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });

/** Fails unless a condition holds, and says what was expected. */
function expect(condition, message) {
	if (!condition) throw new Error(message);
	console.log(`ok: ${message}`);
}

async function main() {
	const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-'));
	try {
		const [{ files, filename, unpackedSize }] = JSON.parse(
			npm('pack', '--json', '--pack-destination', folder),
		);
		const names = files.map((file) => file.path);
		const foreign = names.filter(
			(name) => !/^(dist\/|package\.json$|README\.md$|LICENSE$|index\.js$)/.test(name),
		);
		expect(
			foreign.length === 0,
			`only dist and the usual top-level files are published ${foreign}`,
		);
		const unwanted = names.filter((name) => /\.(ts|map|tsbuildinfo)$|\.test\./.test(name));
		expect(unwanted.length === 0, `no sources, maps or tests are published ${unwanted}`);
		for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
			expect(names.includes(file), `${file} is published`);
		}
		expect(!manifest.dependencies, 'nothing is installed along with the pack');
		expect(unpackedSize < 2_000_000, `the pack is small: ${Math.round(unpackedSize / 1000)} kB`);

		execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', folder]);
		for (const file of [SBOM, NOTICES]) expect(names.includes(file), `${file} is published`);
		const complaints = sbomComplaints(path.join(folder, 'package'));
		expect(
			complaints.length === 0,
			`the SBOM names what is built in and nothing else ${complaints.join('; ')}`,
		);
		const unnoticed = noticeComplaints(path.join(folder, 'package'));
		expect(
			unnoticed.length === 0,
			`the license of everything that is built in is passed on ${unnoticed.join('; ')}`,
		);
		const { analyzePackage, SOURCE_FILE_PATTERNS } =
			await import('@n8n/scan-community-package/scanner/scanner.mjs');
		for (const [what, where, patterns] of [
			['what is published', path.join(folder, 'package'), ['**/*.js', 'package.json']],
			['the sources', root, SOURCE_FILE_PATTERNS],
		]) {
			const { passed, message, details } = await analyzePackage(where, patterns);
			expect(
				passed,
				`n8n's scanner accepts ${what} ${[message, details].filter(Boolean).join(' ')}`,
			);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
