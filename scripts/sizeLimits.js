const { singles } = require('./singlePackages');

/**
 * Largest size of each tarball in kB (1,000 bytes). n8n downloads a package at every installation and keeps it in its
 * image or volume; raise a limit only together with a line in the changelog that says what needs the space.
 */
const LIMITS_KB = {
	'n8n-nodes-gatehouse': 276,
	...Object.fromEntries(singles.map(({ name, service }) => [name, service.tarballLimitKb])),
};

/** Returns why a tarball of this size must not be published; an empty list if it may be. */
function findSizeProblems(name, bytes) {
	const limitKb = LIMITS_KB[name];
	if (limitKb === undefined) return [`${name} has no size limit`];
	if (bytes <= limitKb * 1000) return [];
	return [`${name} has ${bytes / 1000} kB, packed; the limit is ${limitKb} kB`];
}

module.exports = { LIMITS_KB, findSizeProblems };
