const { spawnSync } = require('node:child_process');
const { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { ESLint } = require('eslint');
const { STRICT_LINT_CONFIG, readManifest } = require('./singlePackages');

/** Paths of the files that n8n's scanner lints: in a published package, and in its sources. */
const PUBLISHED_FILES = /\.js$|^package\.json$/;
const SOURCE_FILES = /^package\.json$|^(nodes|credentials)\/.*\.(js|ts|json)$/;

/** Lists every file below a folder, except installed packages. */
function listFiles(folder) {
	return readdirSync(folder).flatMap((name) => {
		const filePath = path.join(folder, name);
		if (name === 'node_modules') return [];
		if (statSync(filePath).isDirectory()) return listFiles(filePath);
		return [filePath];
	});
}

/** Returns the findings of n8n's scanner in these files. Warnings count too, though n8n accepts them. */
async function findScanProblems(folder, scannedFiles) {
	const { buildScanConfig } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const scanner = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const files = listFiles(folder).filter((file) => scannedFiles.test(path.relative(folder, file)));
	if (files.length < 5) return [`there are only ${files.length} files to scan in ${folder}`];
	const results = await scanner.lintFiles(files);
	return results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ ruleId, message, line }) =>
				`${path.relative(folder, filePath)}:${line} ${message} (${ruleId})`,
		),
	);
}

/** Returns the findings of n8n's command-line tool in a package's sources, which it copies to an otherwise empty folder. */
function findLintProblems(root, packageFolder) {
	const manifest = readManifest(packageFolder);
	// Inside the project, so that the tool finds the project's installed packages.
	const stagingFolder = path.join(root, '.cache/strict', manifest.name);
	rmSync(stagingFolder, { recursive: true, force: true });
	mkdirSync(stagingFolder, { recursive: true });
	for (const name of ['package.json', 'nodes', 'credentials']) {
		cpSync(path.join(packageFolder, name), path.join(stagingFolder, name), { recursive: true });
	}
	writeFileSync(path.join(stagingFolder, 'eslint.config.mjs'), STRICT_LINT_CONFIG);
	const runTool = (...args) => {
		const tool = path.join(root, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
		const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], {
			cwd: stagingFolder,
			encoding: 'utf8',
			env: { ...process.env, NO_COLOR: '1' },
		});
		return { status, output: `${stdout}${stderr}` };
	};
	const lint = runTool('lint');
	const support = runTool('cloud-support');
	return [
		...(lint.status === 0 && !/\bwarning\b/.test(lint.output) ? [] : [lint.output]),
		...(/Cloud support is .*ENABLED/.test(support.output) ? [] : [support.output]),
	];
}

module.exports = { PUBLISHED_FILES, SOURCE_FILES, findLintProblems, findScanProblems };
