const { readFile } = require('node:fs/promises');

/** Under this address the sources name pages; it is kept for examples and leads nowhere. */
const PLACEHOLDER = 'https://gatehouse.example';

/** The public address of the project: the homepage, once an owner has set it to one that can be reached. */
function publicAddress({ homepage }) {
	const { hostname } = new URL(homepage);
	const reserved = /(^|\.)(example|invalid|test|localhost)$|(^|\.)example\.(com|net|org)$/;
	return reserved.test(hostname) ? undefined : homepage.replace(/\/$/, '');
}

/** Points the links of credentials at the public address; without one they are left out, and n8n shows the package's own page. */
const withoutDeadLinks = (manifest) => ({
	name: 'links',
	setup(build) {
		build.onLoad({ filter: /\.credentials\.ts$/ }, async ({ path }) => ({
			loader: 'ts',
			contents: linked(await readFile(path, 'utf8'), publicAddress(manifest)),
		}));
	},
});

function linked(code, address) {
	if (address) return code.replaceAll(PLACEHOLDER, address);
	return code.replace(new RegExp(`^\\s*documentationUrl = '${PLACEHOLDER}[^']*';$`, 'm'), '');
}

/** The codex of a node as a package ships it: under the package's name, and with links that lead somewhere or none. */
function codexOf(codex, manifest) {
	const address = publicAddress(manifest);
	const node = codex.node.replace(/^[^.]+/, manifest.name);
	// n8n drops a codex that has no resources at all.
	if (!address) return { ...codex, node, resources: {} };
	const resources = JSON.stringify(codex.resources).replaceAll(PLACEHOLDER, address);
	return { ...codex, node, resources: JSON.parse(resources) };
}

module.exports = { codexOf, linked, publicAddress, withoutDeadLinks };
