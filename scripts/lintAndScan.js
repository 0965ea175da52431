const { spawnSync } = require('node:child_process');
const { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { ESLint } = require('eslint');
const { STRICT_LINT, readManifest } = require('./singlePackages');

/** The files that n8n's scanner lints in each of its two passes. */
const PUBLISHED = /\.js$|^package\.json$/;
const SOURCES = /^package\.json$|^(nodes|credentials)\/.*\.(js|ts|json)$/;

/** Lists every file below a folder, except installed packages. */
function listFiles(folder) {
	return readdirSync(folder).flatMap((name) => {
		const filePath = path.join(folder, name);
		if (name === 'node_modules') return [];
		if (statSync(filePath).isDirectory()) return listFiles(filePath);
		return [filePath];
	});
}

/** Returns the findings of n8n's scanner in one of its two passes. Warnings count too, though n8n accepts them. */
async function findScanProblems(folder, pattern) {
	const { buildScanConfig } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const scanner = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const files = listFiles(folder).filter((file) => pattern.test(path.relative(folder, file)));
	if (files.length < 5) return [`there are only ${files.length} files to scan in ${folder}`];
	const results = await scanner.lintFiles(files);
	return results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ ruleId, message, line }) =>
				`${path.relative(folder, filePath)}:${line} ${message} (${ruleId})`,
		),
	);
}

/** Returns the findings of n8n's command-line tool in a package's sources, copied to a folder that holds nothing else. */
function findLintProblems(root, packageFolder) {
	const manifest = readManifest(packageFolder);
	// Inside the project, so that its installed packages are found.
	const stage = path.join(root, '.cache/strict', manifest.name);
	rmSync(stage, { recursive: true, force: true });
	mkdirSync(stage, { recursive: true });
	for (const part of ['package.json', 'nodes', 'credentials']) {
		cpSync(path.join(packageFolder, part), path.join(stage, part), { recursive: true });
	}
	writeFileSync(path.join(stage, 'eslint.config.mjs'), STRICT_LINT);
	const run = (...args) => {
		const tool = path.join(root, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
		const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], {
			cwd: stage,
			encoding: 'utf8',
			env: { ...process.env, NO_COLOR: '1' },
		});
		return { status, text: `${stdout}${stderr}` };
	};
	const lint = run('lint');
	const support = run('cloud-support');
	return [
		...(lint.status === 0 && !/\bwarning\b/.test(lint.text) ? [] : [lint.text]),
		...(/Cloud support is .*ENABLED/.test(support.text) ? [] : [support.text]),
	];
}

module.exports = { PUBLISHED, SOURCES, findLintProblems, findScanProblems };
