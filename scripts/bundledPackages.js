const { readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * Splits the path of a third-party file into the folder of its innermost package and the path inside it. Returns null for
 * our own files.
 */
function splitPath(file) {
	const found = /^(.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+))\/(.+)$/.exec(file);
	return found && { folder: found[1], inside: found[3] };
}

/**
 * Returns the third-party packages bundled into our files, as esbuild's metafile lists them: each with its manifest, the
 * folder it was read from, its bundled files, and our files that contain them.
 */
function listBundledPackages({ outputs }, root) {
	const packages = new Map();
	for (const [output, { inputs }] of Object.entries(outputs)) {
		for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
			const place = splitPath(input);
			if (!place || bytesInOutput === 0) continue;
			const { folder, inside } = place;
			const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
			// The same package may be installed in several folders.
			const key = `${manifest.name}@${manifest.version}`;
			const found = packages.get(key) ?? {
				manifest,
				folder,
				files: new Set(),
				outputs: new Set(),
			};
			packages.set(key, found);
			found.files.add(inside);
			found.outputs.add(output);
		}
	}
	return [...packages.keys()].sort().map((key) => {
		const { files, outputs: ours, ...rest } = packages.get(key);
		return { ...rest, files: [...files].sort(), outputs: [...ours].sort() };
	});
}

module.exports = { listBundledPackages, splitPath };
