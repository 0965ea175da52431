const { existsSync, readFileSync, statSync } = require('node:fs');
const { dirname, resolve } = require('node:path');

const root = resolve(__dirname, '../../..');

/**
 * Creates a function that returns whether a file imports a module that `isMatch` accepts, directly or through other files of
 * the project. `isMatch` gets the name of a package, or the path of a file.
 */
module.exports = function createImportCheck(isMatch) {
	const resultsByFile = new Map();
	const importsMatch = (file) => {
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
		const importsPackage = [...imports].some(([, name]) => {
			if (!name.startsWith('.')) return isMatch(name);
			paths.push(resolve(dirname(file), name));
			return false;
		});
		const files = paths.map(findFile).filter((path) => path !== undefined);
		const result = importsPackage || files.some((path) => isMatch(path) || importsMatch(path));
		resultsByFile.set(file, result);
		return result;
	};
	return importsMatch;
};

const findFile = (path) =>
	['', '.ts', '.js', '/index.ts']
		.map((ending) => path + ending)
		.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
