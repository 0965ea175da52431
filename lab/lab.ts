import path from 'node:path';

import { startSandbox } from '../sandbox/server';
import type { Sandbox, SandboxOptions } from '../sandbox/server';
import { claimFolder, releaseFolder, requireUnclaimed } from './claim';
import { ensureApiCredential, ensureCredentials } from './credentials';
import type { LabCredential } from './credentials';
import { ensureN8n, requireDiskSpace } from './install';
import { startN8n } from './n8n';
import type { N8nProcess } from './n8n';
import type { Node24 } from './node24';
import { ensureOwner } from './owner';
import type { Owner } from './owner';
import { buildPack, installPack } from './pack';
import { rootFolder, runFolder } from './paths';
import { findFreePort, requireFreePort } from './ports';
import { ensurePrivateFolder } from './privateFolder';
import { silentProgress } from './progress';
import type { Progress } from './progress';
import { registerPack } from './registerPack';
import { signIn } from './rest';
import type { RestClient } from './rest';
import { importExamples } from './workflows';
import type { LabWorkflow } from './workflows';

export interface LabOptions {
	/** n8n's port; default: any free one. */
	port?: number;
	/** Folder of all of n8n's data. Two labs must not share it. */
	userFolder: string;
	sandbox?: SandboxOptions;
	/** A folder of workflows to import; default: none. */
	examples?: string;
	/** A tarball of the pack to install instead of one built from this checkout. */
	tarball?: string;
	/** Settings for n8n that override the lab's own, such as those of queue mode. */
	env?: Record<string, string>;
	/** Folder for n8n's output, with one file per start. Default: the user folder, which keeps the last start only. */
	logFolder?: string;
	progress?: Progress;
	/** How long n8n may take to become ready; default: three minutes. */
	readyTimeoutMs?: number;
	/** Called with a one-line message if n8n ends without a call of `stop` or `restart`. */
	onCrash?: (message: string) => void;
}

/** A running n8n with the pack installed, and its sandbox. */
export interface Lab {
	n8nUrl: string;
	sandbox: Sandbox;
	/** The password differs between user folders. */
	owner: Owner;
	/** n8n's REST interface, signed in as the owner. It stays usable after restarts. */
	rest: RestClient;
	node: Node24;
	userFolder: string;
	credentials: LabCredential[];
	examples: LabWorkflow[];
	/** The current n8n process; each restart replaces it. */
	readonly n8n: N8nProcess;
	/** Ends n8n (SIGTERM by default) and starts it again on the same port and data. */
	restart(options?: { kill?: NodeJS.Signals; env?: Record<string, string> }): Promise<void>;
	/** Installs another build of the pack and restarts n8n. */
	replacePack(tarball: string): Promise<void>;
	/** Ends everything that the lab started. */
	stop(): Promise<void>;
}

export const examplesFolder = path.join(rootFolder, 'examples');

/** Folder of the packed build, kept for the next start. */
export const packCache = path.join(runFolder, 'pack');

/** Starts the lab and resolves when it is ready. If it cannot start, no process is left running. */
export async function startLab(options: LabOptions): Promise<Lab> {
	const { userFolder, progress = silentProgress, onCrash } = options;
	await ensurePrivateFolder(userFolder);
	await requireUnclaimed(userFolder);
	const port = options.port ?? (await findFreePort());
	await requireFreePort(port, 'n8n', '--port');
	if (options.sandbox?.port)
		await requireFreePort(options.sandbox.port, 'the sandbox', '--sandbox-port');

	const node = await ensureN8n(progress);
	await requireDiskSpace(userFolder, 0.3, 'n8n');
	const tarball = options.tarball ?? (await buildPack(packCache, progress));
	let manifest = await installPack(tarball, userFolder);
	const owner = await ensureOwner(userFolder);

	// n8n's data keeps the IDs that it has watched: an ID used again by a later sandbox would count as finished.
	const sandbox = await startSandbox({ idSeed: Date.now(), ...options.sandbox });
	let n8n: N8nProcess | undefined;
	let env = options.env;
	let startCount = 0;
	const startProcess = async () => {
		const { logFolder, readyTimeoutMs } = options;
		const logFile = logFolder && path.join(logFolder, `main-${++startCount}.log`);
		n8n = await startN8n({ node, port, userFolder, env, logFile, readyTimeoutMs, onCrash });
		await claimFolder(userFolder, { labPid: process.pid, n8nPid: n8n.pid, url: n8n.url });
	};
	const registerIfSqlite = async (rest: RestClient) => {
		// Only SQLite keeps its data in the file that `registerPack` writes to.
		if (!env?.DB_TYPE || env.DB_TYPE === 'sqlite')
			await registerPack(rest, node, userFolder, manifest);
	};
	const stop = async () => {
		await Promise.all([n8n?.stop(), sandbox.close()]);
		await releaseFolder(userFolder);
	};

	try {
		return await progress.track({ title: 'Starting n8n' }, async () => {
			await startProcess();
			const rest = await signIn(n8n!.url, owner, userFolder);
			await registerIfSqlite(rest);
			const credentials = await ensureCredentials(rest, sandbox);
			const importAll = async (folder: string) => {
				const all = [...credentials, await ensureApiCredential(rest, n8n!.url)];
				return await importExamples(rest, folder, all, sandbox.url);
			};
			const examples = options.examples ? await importAll(options.examples) : [];
			return {
				n8nUrl: n8n!.url,
				sandbox,
				owner,
				rest,
				node,
				userFolder,
				credentials,
				examples,
				get n8n() {
					return n8n!;
				},
				async restart({ kill, env: envChanges } = {}) {
					await n8n!.stop(kill);
					env = { ...env, ...envChanges };
					await startProcess();
				},
				async replacePack(file) {
					await n8n!.stop();
					manifest = await installPack(file, userFolder);
					await startProcess();
					await registerIfSqlite(rest);
				},
				stop,
			};
		});
	} catch (error) {
		await stop();
		throw error;
	}
}
