const { copyFile, mkdir, readdir, readFile, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { createCodex } = require('./documentationLinks');

/** Writes the icons and each node's codex to the folders of a package where n8n expects them. */
async function writeAssets(root, folder, manifest) {
	const nodeFolders = new Set(manifest.n8n.nodes.map((file) => path.dirname(file)));
	for (const nodeFolder of nodeFolders) {
		const sourceFolder = path.join(root, nodeFolder.replace(/^dist\//, ''));
		const targetFolder = path.join(folder, nodeFolder);
		await mkdir(targetFolder, { recursive: true });
		for (const name of await readdir(sourceFolder)) {
			const [source, target] = [path.join(sourceFolder, name), path.join(targetFolder, name)];
			if (/\.(svg|png)$/.test(name)) await copyFile(source, target);
			if (!name.endsWith('.node.json')) continue;
			const codex = createCodex(JSON.parse(await readFile(source, 'utf8')), manifest);
			await writeFile(target, `${JSON.stringify(codex, null, '\t')}\n`);
		}
	}
}

module.exports = { writeAssets };
