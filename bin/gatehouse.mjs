#!/usr/bin/env node
// Moves exported workflows between the pack and the packages of single services. Nothing but the package's name changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const PACK = manifest.name;
const NODE_TYPE = /("type"\s*:\s*")(n8n-nodes-[a-z-]+)\.([A-Za-z]+)"/g;

const HELP = `Usage: npx ${PACK} move --to <package> [--dry] <file>...

Moves workflows that were exported from n8n to the nodes of another package, in place.
  --to <package>   ${PACK}, or the package of one service, such as n8n-nodes-two-factor
  --dry            only tell what would change
  <file>...        workflows as JSON, one or several in a file, as n8n exports them

Nodes, parameters and credentials have the same names in all of these packages. Install the other
package, export the workflows, move them, and import them again. Credentials stay as they are.`;

/** The package of a node's service, whichever of its variants it is: twoFactorTrigger and twoFactorTool are in n8n-nodes-two-factor. */
function packageOfNode(node) {
	const service = node.replace(/(Trigger|HitlTool|Tool)$/, '');
	return `n8n-nodes-${service.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

const singlePackages = new Set(
	manifest.n8n.nodes.map((file) => {
		const name = basename(file, '.node.js');
		return packageOfNode(name[0].toLowerCase() + name.slice(1));
	}),
);

/** Moves the nodes in a text that is JSON. Whatever else is in it stays as it is, to the last character. */
function moveNodes(text, to) {
	JSON.parse(text);
	let movedCount = 0;
	const result = text.replace(NODE_TYPE, (whole, key, from, node) => {
		const singlePackage = packageOfNode(node);
		const packages = singlePackages.has(singlePackage) ? [PACK, singlePackage] : [];
		if (from === to || !packages.includes(from) || !packages.includes(to)) return whole;
		movedCount += 1;
		return `${key}${to}.${node}"`;
	});
	return { result, movedCount };
}

/** Runs the command and gives its exit code. */
function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { to: { type: 'string' }, dry: { type: 'boolean' }, help: { type: 'boolean' } },
	});
	const [command, ...files] = positionals;
	if (values.help || command !== 'move' || !values.to || files.length === 0) {
		console.log(HELP);
		return values.help ? 0 : 2;
	}
	if (values.to !== PACK && !singlePackages.has(values.to)) {
		throw new Error(
			`There is no package ${values.to}; there are ${[PACK, ...singlePackages].join(', ')}`,
		);
	}
	return files.map((file) => moveFile(file, values)).includes(false) ? 1 : 0;
}

/** Moves one file and says so; a file that cannot be read or is no JSON stays as it is. */
function moveFile(file, { to, dry }) {
	try {
		const { result, movedCount } = moveNodes(readFileSync(file, 'utf8'), to);
		if (movedCount > 0 && !dry) writeFileSync(file, result);
		const verb = dry ? 'would move' : 'moved';
		console.log(`${file}: ${movedCount} ${movedCount === 1 ? 'node' : 'nodes'} ${verb} to ${to}`);
		return true;
	} catch (error) {
		console.error(`${file}: ${error.message}`);
		return false;
	}
}

try {
	process.exitCode = main();
} catch (error) {
	console.error(error.message);
	process.exitCode = 2;
}
