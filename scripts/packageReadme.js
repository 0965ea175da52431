const { readFileSync } = require('node:fs');
const path = require('node:path');
const { publicAddress } = require('./links');
const { operationTable, table } = require('./operationTable');
const { className } = require('./packages');
const { loadSource } = require('./source');

const VERSIONS = /<!-- versions -->\n([\s\S]*?)<!-- end of versions -->/;

/**
 * Returns the README of a single package, from the descriptions of its node and credential and from parts of the pack's
 * README.
 */
function readmeOf(root, { service, name }, pack) {
	const { folder, title, credential } = service;
	const node = new (loadSource(root, `nodes/${folder}/${folder}.node.ts`)[folder])().description;
	const type = className(credential);
	const fields = new (loadSource(root, `credentials/${type}.credentials.ts`)[type])().properties;
	const versions = VERSIONS.exec(readFileSync(path.join(root, 'README.md'), 'utf8'));
	if (!versions) throw new Error('README.md has no table of n8n versions between its marks');
	const address = publicAddress(pack);
	return `${[
		`# ${title} for n8n`,
		node.description,
		'## Installation',
		`In n8n: **Settings → Community nodes → Install**, then enter \`${name}\`. Where n8n has no such menu, install it by hand and restart n8n:`,
		`\`\`\`sh\nmkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install ${name}\n\`\`\``,
		`The same nodes are part of the pack \`${pack.name}\`. Nodes, credentials and parameters have the same names there, so workflows move from one to the other by the package's name alone: \`npx ${pack.name} move --to ${name} my-workflow.json\`.`,
		'## Operations',
		operationTable(root, service).text,
		'## Credentials',
		table(
			['Field', 'What it is'],
			fields
				.filter(({ type: kind }) => kind !== 'notice')
				.map(({ displayName, description = '' }) => [displayName, description]),
		).join('\n'),
		'## Compatibility',
		versions[1].trim(),
		'## Resources',
		[
			...(address ? [`- [Documentation](${address})`] : []),
			"- [n8n's documentation of community nodes](https://docs.n8n.io/integrations/#community-nodes)",
		].join('\n'),
		'## License',
		`[${pack.license}](LICENSE). What of others is built in is named in \`dist/THIRD-PARTY-NOTICES.txt\` and \`dist/sbom.cdx.json\`.`,
	].join('\n\n')}\n`;
}

module.exports = { readmeOf };
