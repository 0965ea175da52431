import path from 'node:path';

import { labFolder } from './paths';

// The only module that knows where n8n is installed and which command starts it. An n8n that comes as a container needs a
// change in this module alone (docs/decisions/001-lab-on-n8n-from-npm.md). `test/rules/installation.test.ts` finds any other
// module that knows it.

/** Returns the folder of the packages of an n8n that is installed in a folder. */
export const modulesFolderOf = (folder: string): string => path.join(folder, 'node_modules');

/** Packages of the lab's n8n, once installed. */
export const labModulesFolder = modulesFolderOf(labFolder);

/** Returns the folder of a package that an n8n brings, by default the lab's. */
export const packageFolderOf = (name: string, modules = labModulesFolder): string =>
	path.join(modules, name);

/** Returns the folder of n8n itself, by default the lab's. */
export const n8nFolderOf = (modules = labModulesFolder): string => packageFolderOf('n8n', modules);

/** Returns n8n's start script, by default the lab's. */
export const n8nScriptOf = (modules = labModulesFolder): string =>
	path.join(n8nFolderOf(modules), 'bin', 'n8n');

/** Commands of n8n: queue mode adds workers and webhook processors to the main process. */
export type N8nCommand = 'start' | 'worker' | 'webhook';

/** Returns the program that runs a command of n8n on a Node.js, and its arguments. */
export const commandLine = (
	node: { binary: string },
	command: N8nCommand,
	script = n8nScriptOf(),
): { program: string; args: string[] } => ({ program: node.binary, args: [script, command] });
