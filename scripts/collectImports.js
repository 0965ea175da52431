const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');

const IMPORT_OR_EXPORT = /^(?:import|export|\}).*\bfrom '([^']+)';$/gm;

/**
 * Returns everything that source files import, directly or not and types included: our files, relative to the root, and
 * third-party packages.
 */
function collectImports(root, entryFiles) {
	const files = new Set();
	const packages = new Set();
	const visit = (file) => {
		if (files.has(file)) return;
		files.add(file);
		for (const [, name] of readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT_OR_EXPORT)) {
			if (!name.startsWith('.')) packages.add(name);
			else visit(resolveSourceFile(root, path.posix.join(path.posix.dirname(file), name)));
		}
	};
	entryFiles.forEach(visit);
	return { files: [...files].sort(), packages: [...packages].sort() };
}

const resolveSourceFile = (root, name) =>
	[`${name}.ts`, `${name}/index.ts`].find((file) => existsSync(path.join(root, file)));

module.exports = { collectImports };
