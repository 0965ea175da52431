const { readFileSync } = require('node:fs');
const path = require('node:path');
const { createOperationTable, formatTable } = require('./operationTable');
const { EXAMPLE, toClassName } = require('./singlePackages');
const { loadSource } = require('./loadSource');

/**
 * The parts of a single package's README that are written by hand, with a comment in place of each generated section. npm
 * publishes every file whose name begins with README, so the name of this file does not.
 */
const TEMPLATE = 'guide.md';

const VERSIONS_MARKS = /<!-- versions -->\n([\s\S]*?)<!-- end of versions -->/;
const SECTION_COMMENT = /^<!-- (\w+)(?:: (.+))? -->$/gm;

/** Generated sections of a README by the names of their comments. Links are relative to the package's folder. */
const SECTIONS = {
	installation: ({ single: { name }, pack }) => [
		'## Installation',
		`In n8n: **Settings → Community nodes → Install**, then enter \`${name}\`. On an n8n without that menu, install the package by hand and restart n8n:`,
		`\`\`\`sh\nmkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install ${name}\n\`\`\``,
		'Where environment variables set up n8n (2.x):',
		`\`\`\`sh\nN8N_UNVERIFIED_PACKAGES_ENABLED=true\nN8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV=true\nN8N_COMMUNITY_PACKAGES='[{"name": "${name}", "version": "${pack.version}"}]'\n\`\`\``,
		'n8n 3.0 is announced with the first of these off by default: [what that changes](../../docs/upgrading.md#n8n-30).',
		`If you run n8n yourself and want all four services, [install the pack](../../README.md#install) \`${pack.name}\` instead. Its nodes have the same names.`,
	],
	credential: ({ root, single: { service } }) => {
		const type = toClassName(service.credential);
		const credential = new (loadSource(root, `credentials/${type}.credentials.ts`)[type])();
		const rows = credential.properties
			.filter((field) => field.type !== 'notice')
			.map(({ displayName, description = '' }) => [displayName, description]);
		return [
			'## Credential',
			`Create a credential of the type **${credential.displayName}**. n8n tests it when you save it.`,
			formatTable(['Field', 'What it is'], rows).join('\n'),
		];
	},
	example: ({ root, single: { folder } }) => {
		const { name } = JSON.parse(readFileSync(path.join(root, folder, EXAMPLE), 'utf8'));
		return [
			'## Example',
			`[\`${EXAMPLE}\`](${EXAMPLE}) in this package is the workflow **${name}**. In a new workflow, open the menu with the three dots, choose **Import from file**, and follow its note.`,
		];
	},
	operations: ({ root, single: { service } }) => [
		'## Operations',
		createOperationTable(root, service).text,
	],
	versions: ({ root }, columns) => ['## Versions', createVersionTable(root, columns.split(', '))],
	support: ({ pack }) => [
		'## Support',
		[
			`- Questions and bugs: [issues](${pack.bugs.url})`,
			'- Vulnerabilities: [how to report one](../../SECURITY.md)',
			'- [Troubleshooting](../../docs/troubleshooting.md), [limits](../../docs/reliability.md#what-is-not-promised), [changes](../../CHANGELOG.md)',
			"- [n8n's documentation of community nodes](https://docs.n8n.io/integrations/#community-nodes)",
		].join('\n'),
		'## License',
		`[${pack.license}](../../LICENSE). \`dist/THIRD-PARTY-NOTICES.txt\` and \`dist/sbom.cdx.json\` name the third-party code in this package.`,
	],
};

/** Returns some columns of the table of n8n versions in the pack's README. */
function createVersionTable(root, columns) {
	const [, text] = VERSIONS_MARKS.exec(readFileSync(path.join(root, 'README.md'), 'utf8')) ?? [];
	if (!text) throw new Error('README.md has no table of n8n versions between its marks');
	const rows = text
		.trim()
		.split('\n')
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);
	const columnIndexes = columns.map((column) => rows[0].indexOf(column));
	if (columnIndexes.includes(-1))
		throw new Error(`README.md lacks one of the version columns ${columns.join(', ')}`);
	const [head, , ...body] = rows.map((cells) => columnIndexes.map((index) => cells[index]));
	return formatTable(head, body).join('\n');
}

/**
 * Returns the README of a single package: its template, with sections from the descriptions of its nodes and its
 * credential, from its example and from the pack's README.
 */
function createReadme(root, single, pack) {
	const template = readFileSync(path.join(root, single.folder, TEMPLATE), 'utf8');
	return template.replace(SECTION_COMMENT, (_, section, argument) => {
		if (!(section in SECTIONS))
			throw new Error(`${TEMPLATE} contains the unknown section ${section}`);
		return SECTIONS[section]({ root, single, pack }, argument).join('\n\n');
	});
}

module.exports = { TEMPLATE, createReadme };
