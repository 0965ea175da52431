const { copyFile, mkdir, readdir, readFile, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { codexOf } = require('./links');

/** Writes the icons and each node's codex to the places in a package where n8n expects them. */
async function writeAssets(root, folder, manifest) {
	const places = new Set(manifest.n8n.nodes.map((file) => path.dirname(file)));
	for (const place of places) {
		const from = path.join(root, place.replace(/^dist\//, ''));
		const into = path.join(folder, place);
		await mkdir(into, { recursive: true });
		for (const name of await readdir(from)) {
			const [source, target] = [path.join(from, name), path.join(into, name)];
			if (/\.(svg|png)$/.test(name)) await copyFile(source, target);
			if (!name.endsWith('.node.json')) continue;
			const codex = codexOf(JSON.parse(await readFile(source, 'utf8')), manifest);
			await writeFile(target, `${JSON.stringify(codex, null, '\t')}\n`);
		}
	}
}

module.exports = { writeAssets };
