const { existsSync, statSync } = require('node:fs');
const path = require('node:path');

/** Returns the web address of the repository: `repository` of the manifest without git's prefix and suffix. */
const repositoryAddress = ({ repository }) =>
	repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** Matches code, in which nothing is a link, or the target of a Markdown link or image. */
const CODE_OR_LINK =
	/^```[\s\S]*?^```$|(?<!\[)`[^`\n]*`|(!?)(\[(?:[^[\]\n]|`[^`\n]*`)*\])\(([^)\s]+)\)/gm;

/**
 * Makes the relative links of a README absolute: the tarball holds none of their targets, and the registry's page shows the
 * README by itself. The absolute links lead to the release's tag. A link to a file that the repository does not have is an
 * error.
 */
function makeLinksAbsolute(text, root, manifest) {
	const { directory = '.' } = manifest.repository;
	return text.replace(CODE_OR_LINK, (whole, image, label, target) => {
		if (target === undefined || /^([a-z][a-z\d+.-]*:|#)/i.test(target)) return whole;
		const [file, heading] = target.split('#');
		const place = path.posix.join(directory, file);
		if (place.startsWith('..') || !existsSync(path.join(root, place))) {
			throw new Error(`The README links to ${target}, which the repository does not have`);
		}
		const isFolder = statSync(path.join(root, place)).isDirectory();
		const kind = image ? 'raw' : isFolder ? 'tree' : 'blob';
		const address = `${repositoryAddress(manifest)}/${kind}/v${manifest.version}/${place}`;
		return `${image}${label}(${heading ? `${address}#${heading}` : address})`;
	});
}

module.exports = { makeLinksAbsolute, repositoryAddress };
