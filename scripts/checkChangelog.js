/**
 * Returns why the changelog does not allow a release of this version; undefined if it does. The changelog must say what the
 * version changes.
 */
function findChangelogProblem(text, version) {
	const sections = text.split(/^## /m).slice(1);
	const section = sections.find((candidate) => candidate.split(/\s/)[0] === version);
	const changes = section?.split('\n').slice(1).join('').trim();
	return changes ? undefined : `CHANGELOG.md says nothing under a heading "## ${version} (date)"`;
}

module.exports = { findChangelogProblem };
