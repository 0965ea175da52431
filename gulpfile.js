const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');
const { parallel, series, watch } = require('gulp');
const { checkContracts } = require('./scripts/checkContracts');
const { buildInto, buildSingles } = require('./scripts/buildSingles');

/** Runs a command-line tool from the project's `node_modules`; rejects if the tool fails. */
const run =
	(tool, ...args) =>
	() =>
		new Promise((resolve, reject) => {
			const bin = path.join(__dirname, 'node_modules', '.bin', tool);
			const shell = process.platform === 'win32';
			const child = spawn(bin, args, { stdio: 'inherit', shell });
			child.on('error', reject);
			child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${tool} failed`))));
		});

/** Sets the name that gulp prints for a task. */
const named = (displayName, task) => Object.assign(task, { displayName });

const clean = () => rm('dist', { recursive: true, force: true });
const types = named('types', run('tsc', '--noEmit', '-p', 'tsconfig.build.json'));
const pack = () => buildInto(__dirname, __dirname);
const singles = named('packages', () => buildSingles(__dirname));
const build = parallel(types, series(pack, singles));

const eslint = named('eslint', run('eslint', '--max-warnings', '0', '.'));
const prettier = named('prettier', run('prettier', '--check', '--log-level', 'warn', '.'));
// Files, exports, types and dependencies that nothing uses, and imports that package.json does not declare.
const unused = named('unused', run('knip', '--no-progress', '--treat-config-hints-as-errors'));
const contracts = () => checkContracts();

exports.clean = clean;
exports.build = build;
exports.lint = series(eslint, prettier, unused, contracts);
exports.watch = series(build, () => watch(['nodes', 'credentials', 'contracts'], pack));
