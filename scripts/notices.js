const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { SBOM } = require('./sbom');

/** License and notice texts of the bundled third-party packages. */
const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';

const SEPARATOR = '-'.repeat(80);
const formatTitle = ({ name, version }) => `${name} ${version}`;

/** Returns the license texts of a package, and its NOTICE file if it has one. */
function readLicenseTexts({ name }, folder) {
	const files = readdirSync(folder).filter((file) =>
		/^(licen[cs]e|copying|notice)(-[\w-]+)?(\.(md|txt))?$/i.test(file),
	);
	if (files.length === 0) throw new Error(`${name} is built in, but brings no text of its license`);
	return files.sort().map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
}

/** Returns the notices of the bundled packages, each with its license texts. */
function createNotices(packages, root) {
	const sections = packages.map(({ manifest, folder }) =>
		[formatTitle(manifest), ...readLicenseTexts(manifest, path.join(root, folder))].join('\n\n'),
	);
	const opening =
		packages.length > 0
			? 'This package holds code of others, under the licenses below.'
			: 'This package holds no code of others.';
	return `${[opening, ...sections].join(`\n\n${SEPARATOR}\n\n`)}\n`;
}

/** Returns the problems with the notices of a packed or built package: every package in the SBOM must have one. */
function findNoticeProblems(folder) {
	const file = path.join(folder, NOTICES);
	if (!existsSync(file)) return [`${NOTICES} is missing`];
	const sections = readFileSync(file, 'utf8').split(`\n\n${SEPARATOR}\n\n`).slice(1);
	const { components } = JSON.parse(readFileSync(path.join(folder, SBOM), 'utf8'));
	const hasNotice = ({ name, version }) =>
		sections.some((section) => {
			const [title, ...texts] = section.split('\n\n');
			return title === formatTitle({ name, version }) && texts.join('').length > 100;
		});
	return components
		.filter((component) => !hasNotice(component))
		.map(({ name }) => `${name} has no notice`);
}

module.exports = { NOTICES, findNoticeProblems, createNotices };
