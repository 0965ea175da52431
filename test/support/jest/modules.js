const { createRequire, isBuiltin } = require('node:module');

/** Exports of third-party packages, by the name under which our modules require them. */
const packages = new Map();

/** Globals that these packages have created. */
const globals = new Set();

const isBare = (name) => /^[^./]/.test(name) && !isBuiltin(name);

/**
 * Loads a package as Node.js does, once per worker. Returns undefined if the name is not that of a package, or if this
 * Node.js cannot require the package.
 */
function loadPackage(from, name) {
	if (!isBare(name)) return undefined;
	const before = packages.has(name) || new Set(Object.getOwnPropertyNames(globalThis));
	try {
		packages.set(name, createRequire(from)(name));
	} catch (error) {
		if (error.code === 'ERR_REQUIRE_ESM') return undefined;
		throw error;
	}
	if (before !== true) {
		for (const globalName of Object.getOwnPropertyNames(globalThis)) {
			if (!before.has(globalName)) globals.add(globalName);
		}
	}
	return packages.get(name);
}

module.exports = { globals, loadPackage, packages };
