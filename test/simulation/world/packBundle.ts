import esbuild from 'esbuild';
import type { Plugin } from 'esbuild';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { readFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';

import type * as quorum from '../../../nodes/engine/quorum/decide';
import type * as votes from '../../../nodes/engine/quorum/votes';
import type * as lists from '../../../nodes/engine/trigger/lists/core';
import type * as watch from '../../../nodes/engine/watch';
import type * as syncLimits from '../../../nodes/EventRegistration/contact/sync/changeLimits';
import type * as syncDigest from '../../../nodes/EventRegistration/contact/sync/digest';
import type * as syncList from '../../../nodes/EventRegistration/contact/sync/list';
import type * as syncPlan from '../../../nodes/EventRegistration/contact/sync/plan';
import { n8n } from '../../../package.json';
import { BUNDLE_OPTIONS } from '../../../scripts/loadSource';

const root = path.join(__dirname, '../../..');
const requireFromHere = createRequire(__filename);

/** A planted bug: a text of one source file, and the text that replaces it. */
export interface Patch {
	name: string;
	/** The promise or mechanism that the bug breaks. */
	breaks: string;
	file: string;
	find: string;
	replace: string;
}

/** The classes that the pack exports, by name. */
export type PackClasses = Record<string, new () => INodeType & ICredentialType>;

/** Functions that a process gives to the pack's code in place of Node.js's own. */
interface PackEnvironment {
	timers: Record<string, unknown>;
	random: () => number;
	randomUUID: () => string;
	n8nWorkflow: object;
}

/** The pack's code as it is shipped, compiled once. `load` runs it anew, as a new process does. */
export interface PackBundle {
	load(environment: PackEnvironment): PackClasses;
	/** Returns the parts of the pack that depend neither on n8n nor on a process. They are loaded once. */
	loadCores(): PackCores;
}

/** Pure parts of the pack, which the fast layer drives. */
export interface PackCores {
	watch: typeof watch;
	lists: typeof lists;
	quorum: typeof quorum;
	votes: typeof votes;
	syncPlan: typeof syncPlan;
	syncDigest: typeof syncDigest;
	syncLimits: typeof syncLimits;
	syncList: typeof syncList;
}

const CORE_FILES: Record<keyof PackCores, string> = {
	watch: './nodes/engine/watch',
	lists: './nodes/engine/trigger/lists/core',
	quorum: './nodes/engine/quorum/decide',
	votes: './nodes/engine/quorum/votes',
	syncPlan: './nodes/EventRegistration/contact/sync/plan',
	syncDigest: './nodes/EventRegistration/contact/sync/digest',
	syncLimits: './nodes/EventRegistration/contact/sync/changeLimits',
	syncList: './nodes/EventRegistration/contact/sync/list',
};

/** Exports the cores beside the classes. */
const CORES_SOURCE = [
	...Object.entries(CORE_FILES).map(([name, file]) => `import * as ${name} from '${file}';`),
	`export const cores = { ${Object.keys(CORE_FILES).join(', ')} };`,
].join('\n');

/** Bundles the pack like the build does. Throws if a patch does not apply exactly once. */
export async function bundlePack(patch?: Patch): Promise<PackBundle> {
	let applied = 0;
	const plant: Plugin = {
		name: 'plant',
		setup: ({ onLoad }) => {
			if (!patch) return;
			onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
				if (path.relative(root, file) !== path.normalize(patch.file)) return undefined;
				const parts = (await readFile(file, 'utf8')).split(patch.find);
				applied = parts.length - 1;
				return { contents: parts.join(patch.replace), loader: 'ts' };
			});
		},
	};
	const entries = [...n8n.nodes, ...n8n.credentials].map((file) =>
		file.replace(/^dist\//, './').replace(/\.js$/, ''),
	);
	const { outputFiles } = await esbuild.build({
		...BUNDLE_OPTIONS,
		absWorkingDir: root,
		stdin: {
			contents: [...entries.map((entry) => `export * from '${entry}';`), CORES_SOURCE].join('\n'),
			resolveDir: root,
		},
		plugins: [plant],
		write: false,
	});
	if (patch && applied !== 1)
		throw new Error(
			`The text of the planted bug '${patch.name}' is in ${patch.file} ${applied} times, not once`,
		);
	const names = ['module', 'exports', 'require', 'Math', ...TIMER_NAMES];
	const script = new Script(`(function (${names.join(', ')}) {${outputFiles[0]!.text}\n})`, {
		filename: 'pack.js',
	});
	const run = script.runInThisContext() as (...values: unknown[]) => void;
	const runWith = ({ timers, random, randomUUID, n8nWorkflow }: PackEnvironment) => {
		const loaded = { exports: {} };
		const math = Object.create(Math, { random: { value: random } }) as Math;
		const requireModule = (name: string): unknown => {
			if (name === 'n8n-workflow') return n8nWorkflow;
			if (name === 'crypto') return { ...requireFromHere('crypto'), randomUUID };
			if (builtinModules.includes(name.replace('node:', ''))) return requireFromHere(name);
			throw new Error(`The pack requires ${name}`);
		};
		const timerFunctions = TIMER_NAMES.map((name) => timers[name]);
		run(loaded, loaded.exports, requireModule, math, ...timerFunctions);
		return loaded.exports as { cores: PackCores };
	};
	let loadedCores: PackCores | undefined;
	return {
		load: (environment) => {
			const exported = Object.entries(runWith(environment));
			return Object.fromEntries(
				exported.filter(([name]) => name !== 'cores'),
			) as unknown as PackClasses;
		},
		loadCores: () =>
			(loadedCores ??= runWith({
				timers: globalThis,
				random: Math.random,
				randomUUID: () => '',
				n8nWorkflow: { ...(requireFromHere('n8n-workflow') as object) },
			}).cores),
	};
}

const TIMER_NAMES = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'];
