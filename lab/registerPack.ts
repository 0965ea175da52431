import path from 'node:path';

import { runCommand } from './command';
import { LabError } from './errors';
import type { Node24 } from './node24';
import type { PackManifest } from './pack';
import { labFolder } from './paths';
import type { RestClient } from './rest';

interface NodeDescription {
	name: string;
	displayName: string;
	version: number | number[];
}

/** Returns the pack's nodes as n8n has loaded them. Throws a LabError if there are none. */
export async function fetchLoadedNodes(rest: RestClient, pack: string): Promise<NodeDescription[]> {
	const { data } = await rest.get<NodeDescription[]>('/types/nodes.json', {
		baseURL: new URL(rest.defaults.baseURL!).origin,
	});
	const ownDescriptions = data.filter(({ name }) => name.startsWith(`${pack}.`));
	// For each node that AI agents may use as a tool, n8n generates further descriptions: the tool and its human review.
	const names = new Set(ownDescriptions.map(({ name }) => name));
	const nodes = ownDescriptions.filter(
		({ name }) => !name.endsWith('Tool') || !names.has(name.replace(/(Hitl)?Tool$/, '')),
	);
	if (nodes.length > 0) return nodes;
	throw new LabError(`n8n loaded no node of ${pack}: its log says why.`);
}

/** Checks that n8n has loaded the pack, and lists it among the installed community packages. */
export async function registerPack(
	rest: RestClient,
	node: Node24,
	userFolder: string,
	{ name, version, author }: PackManifest,
): Promise<void> {
	const nodes = (await fetchLoadedNodes(rest, name)).map((loaded) => ({
		displayName: loaded.displayName,
		type: loaded.name,
		version: [loaded.version].flat().at(-1),
	}));
	const database = path.join(userFolder, '.n8n', 'database.sqlite');
	const script = path.join(labFolder, 'installedRows.cjs');
	const packRow = JSON.stringify({ name, version, author, nodes });
	await runCommand(node.binary, ['--no-warnings', script, database, packRow], {
		cwd: userFolder,
		task: 'Listing the pack among the community packages',
	});
}
