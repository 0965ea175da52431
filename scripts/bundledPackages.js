const { readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * Splits the path of a third-party file into the folder of its innermost package and the path inside it. Returns null for
 * our own files.
 */
function splitPackagePath(file) {
	const match = /^(.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+))\/(.+)$/.exec(file);
	return match && { folder: match[1], pathInside: match[3] };
}

/**
 * Returns the third-party packages bundled into our files, as esbuild's metafile lists them: each with its manifest, the
 * folder it was read from, its bundled files, and our files that contain them.
 */
function listBundledPackages({ outputs }, root) {
	const packages = new Map();
	for (const [output, { inputs }] of Object.entries(outputs)) {
		for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
			const packageFile = splitPackagePath(input);
			if (!packageFile || bytesInOutput === 0) continue;
			const { folder, pathInside } = packageFile;
			const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
			// The same package may be installed in several folders.
			const key = `${manifest.name}@${manifest.version}`;
			const bundled = packages.get(key) ?? {
				manifest,
				folder,
				files: new Set(),
				outputs: new Set(),
			};
			packages.set(key, bundled);
			bundled.files.add(pathInside);
			bundled.outputs.add(output);
		}
	}
	return [...packages.keys()].sort().map((key) => {
		const { manifest, folder, files, outputs: ourFiles } = packages.get(key);
		return { manifest, folder, files: [...files].sort(), outputs: [...ourFiles].sort() };
	});
}

module.exports = { listBundledPackages, splitPackagePath };
