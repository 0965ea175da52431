const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { SBOM } = require('./sbom');

/** Where a package passes on what the licenses of others ask to be passed on. */
const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';

const RULE = '-'.repeat(80);
const titleOf = ({ name, version }) => `${name} ${version}`;

/** The texts under which a package may be passed on; a notice of its own belongs to them. */
function textsOf({ name }, folder) {
	const files = readdirSync(folder).filter((file) =>
		/^(licen[cs]e|copying|notice)(-[\w-]+)?(\.(md|txt))?$/i.test(file),
	);
	if (files.length === 0) throw new Error(`${name} is built in, but brings no text of its license`);
	return files.sort().map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
}

/** The notices of the packages that are built in, each with the texts of its license. */
function noticesOf(packages, root) {
	const sections = packages.map(({ manifest, folder }) =>
		[titleOf(manifest), ...textsOf(manifest, path.join(root, folder))].join('\n\n'),
	);
	const opening =
		packages.length > 0
			? 'This package holds code of others, under the licenses below.'
			: 'This package holds no code of others.';
	return `${[opening, ...sections].join(`\n\n${RULE}\n\n`)}\n`;
}

/** What is wrong with the notices of a packed or built pack: every package that the SBOM lists must have one. */
function noticeComplaints(folder) {
	const file = path.join(folder, NOTICES);
	if (!existsSync(file)) return [`${NOTICES} is missing`];
	const sections = readFileSync(file, 'utf8').split(`\n\n${RULE}\n\n`).slice(1);
	const { components } = JSON.parse(readFileSync(path.join(folder, SBOM), 'utf8'));
	const told = ({ name, version }) =>
		sections.some((section) => {
			const [title, ...text] = section.split('\n\n');
			return title === titleOf({ name, version }) && text.join('').length > 100;
		});
	return components.filter((one) => !told(one)).map(({ name }) => `${name} has no notice`);
}

module.exports = { NOTICES, noticeComplaints, noticesOf };
