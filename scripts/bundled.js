const { readFileSync } = require('node:fs');
const path = require('node:path');

/** Whose file it is: the folder of the innermost package that it lies in, and its path in there. Nothing for one of our own. */
function splitPath(file) {
	const found = /^(.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+))\/(.+)$/.exec(file);
	return found && { folder: found[1], inside: found[3] };
}

/**
 * The packages of others that were built into our files, from esbuild's own account of what it wrote (its metafile): each with
 * its manifest, the folder that it was read from, its files that went in, and ours that hold them.
 */
function bundledPackages({ outputs }, root) {
	const packages = new Map();
	for (const [output, { inputs }] of Object.entries(outputs)) {
		for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
			const place = splitPath(input);
			if (!place || bytesInOutput === 0) continue;
			const { folder, inside } = place;
			const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
			// The same package may lie in several folders.
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

module.exports = { bundledPackages, splitPath };
