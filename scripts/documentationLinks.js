const { readFile } = require('node:fs/promises');

/** Base address of the documentation links in the sources. It is reserved for examples and cannot be reached. */
const PLACEHOLDER = 'https://gatehouse.example';

/** Returns the project's public address: the homepage, unless it is still an address reserved for examples. */
function findPublicAddress({ homepage }) {
	const { hostname } = new URL(homepage);
	const reservedName = /(^|\.)(example|invalid|test|localhost)$|(^|\.)example\.(com|net|org)$/;
	return reservedName.test(hostname) ? undefined : homepage.replace(/\/$/, '');
}

/**
 * Returns the esbuild plugin that points the documentation links of credentials at the public address. Without a public address it removes the links, and
 * n8n links to the package's own page.
 */
const createLinkPlugin = (manifest) => ({
	name: 'links',
	setup(build) {
		build.onLoad({ filter: /\.credentials\.ts$/ }, async ({ path }) => ({
			loader: 'ts',
			contents: withLinks(await readFile(path, 'utf8'), findPublicAddress(manifest)),
		}));
	},
});

/** Returns the code of a credential with its link at `address`, or without the link if there is no address. */
function withLinks(code, address) {
	if (address) return code.replaceAll(PLACEHOLDER, address);
	return code.replace(new RegExp(`^\\s*documentationUrl = '${PLACEHOLDER}[^']*';$`, 'm'), '');
}

/** Returns the codex of a node as a package ships it: with the package's name, and with public links or none. */
function createCodex(codex, manifest) {
	const address = findPublicAddress(manifest);
	const node = codex.node.replace(/^[^.]+/, manifest.name);
	// n8n ignores a codex that has no `resources`.
	if (!address) return { ...codex, node, resources: {} };
	const resources = JSON.stringify(codex.resources).replaceAll(PLACEHOLDER, address);
	return { ...codex, node, resources: JSON.parse(resources) };
}

module.exports = { createCodex, withLinks, findPublicAddress, createLinkPlugin };
