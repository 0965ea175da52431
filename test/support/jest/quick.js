// A filter for `npm run test:quick`: pure logic and tables. Tests that import n8n's engine, open a server or start a program,
// directly or through another module, are left to `npm test`.
const { existsSync, readFileSync, statSync } = require('node:fs');
const { dirname, resolve } = require('node:path');

const slowPackages = new Set([
	'n8n-core',
	'fastify',
	'node:child_process',
	'node:http',
	'node:net',
]);
const resultsByFile = new Map();
const root = resolve(__dirname, '../../..');

/** Whether a module imports a slow package, directly or through another module. */
function isSlowModule(file) {
	if (resultsByFile.has(file)) return resultsByFile.get(file);
	// Provisional result while the module is checked, so that a circular import decides nothing.
	resultsByFile.set(file, false);
	const code = readFileSync(file, 'utf8');
	const imports = code.matchAll(
		/(?:^import|^export|^\} from|require\(|requireActual\S*\()(?! type)[^;]*?'([^']+)'/gm,
	);
	// A copy of the project loads files by their path from its root (test/rules/guide.ts).
	const copiedFiles = code.matchAll(/\bcopy\.load\('([^']+)'\)/g);
	const paths = [...copiedFiles].map(([, name]) => resolve(root, name));
	const isSlow = [...imports].some(([, name]) => {
		if (!name.startsWith('.')) return slowPackages.has(name);
		paths.push(resolve(dirname(file), name));
		return false;
	});
	const result =
		isSlow || paths.map(findFile).some((path) => path !== undefined && isSlowModule(path));
	resultsByFile.set(file, result);
	return result;
}

const findFile = (path) =>
	['', '.ts', '.js', '/index.ts']
		.map((ending) => path + ending)
		.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());

module.exports = (files) => ({ filtered: files.filter((file) => !isSlowModule(file)) });
