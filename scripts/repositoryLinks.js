const { existsSync, statSync } = require('node:fs');
const path = require('node:path');

/** Returns the web address of the repository: `repository` of the manifest without git's prefix and suffix. */
const formatRepositoryAddress = ({ repository }) =>
	repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** Matches code, in which nothing is a link, or the target of a Markdown link or image. */
const CODE_OR_LINK =
	/^```[\s\S]*?^```$|(?<!\[)`[^`\n]*`|(!?)(\[(?:[^[\]\n]|`[^`\n]*`)*\])\(([^)\s]+)\)/gm;

/**
 * Makes the relative links of a README absolute: the tarball does not contain their targets, and the registry shows the
 * README without other files. The absolute links lead to the release's tag. Throws if the repository does not have the
 * target of a link.
 */
function makeLinksAbsolute(text, root, manifest) {
	const { directory = '.' } = manifest.repository;
	return text.replace(CODE_OR_LINK, (match, imageMark, label, target) => {
		if (target === undefined || /^([a-z][a-z\d+.-]*:|#)/i.test(target)) return match;
		const [file, heading] = target.split('#');
		const repositoryPath = path.posix.join(directory, file);
		if (repositoryPath.startsWith('..') || !existsSync(path.join(root, repositoryPath))) {
			throw new Error(`The README links to ${target}, which the repository does not have`);
		}
		const isFolder = statSync(path.join(root, repositoryPath)).isDirectory();
		const urlKind = imageMark ? 'raw' : isFolder ? 'tree' : 'blob';
		const address = `${formatRepositoryAddress(manifest)}/${urlKind}/v${manifest.version}/${repositoryPath}`;
		return `${imageMark}${label}(${heading ? `${address}#${heading}` : address})`;
	});
}

module.exports = { makeLinksAbsolute, formatRepositoryAddress };
