import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runCommand } from '../../../lab/command';
import { ensureCredentials } from '../../../lab/credentials';
import type { LabCredential } from '../../../lab/credentials';
import { startN8n } from '../../../lab/n8n';
import type { N8nProcess } from '../../../lab/n8n';
import { findNode24 } from '../../../lab/node24';
import { ensureOwner } from '../../../lab/owner';
import { findFreePort } from '../../../lab/ports';
import { signIn, unwrap } from '../../../lab/rest';
import type { RestClient } from '../../../lab/rest';
import { startSandbox } from '../../../sandbox/server';
import type { Sandbox } from '../../../sandbox/server';
import { Registry } from './registry';

/** Proxy address at which no server listens: n8n's requests to the internet fail at once. */
const UNREACHABLE_PROXY = 'http://127.0.0.1:9';
const LONGEST_INSTALL_MS = 240_000;

export interface HostOptions {
	/** Script of another n8n than the lab's. */
	script?: string;
	/** Prepares the folder of n8n's packages before n8n starts. */
	beforeStart?: (registry: Registry, nodesFolder: string) => Promise<void>;
	env?: Record<string, string>;
}

/** A package as n8n lists it. */
export interface Installed {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string }>;
}

/** A credential type as n8n describes it to its editor. */
interface CredentialForm {
	name: string;
	properties: Array<{ name: string }>;
}

/** An n8n without the pack, whose package manager installs from a registry on loopback. It runs beside a sandbox. */
export class InstallHost {
	credentials: LabCredential[] = [];

	private constructor(
		readonly registry: Registry,
		readonly sandbox: Sandbox,
		readonly userFolder: string,
		readonly n8n: N8nProcess,
		readonly rest: RestClient,
		readonly owner: { email: string; password: string },
	) {}

	/** Starts the registry, the sandbox and n8n. */
	static async start({ script, beforeStart, env }: HostOptions = {}): Promise<InstallHost> {
		const userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-install-'));
		const registry = await Registry.open();
		const sandbox = await startSandbox({ idSeed: Date.now(), registrations: 3 });
		try {
			const npm = await createNpmWrapper(userFolder, registry);
			await beforeStart?.(registry, path.join(userFolder, '.n8n', 'nodes'));
			const n8n = await startN8n({
				node: findNode24(),
				script,
				port: await findFreePort(),
				userFolder,
				env: {
					PATH: `${npm}${path.delimiter}${process.env.PATH}`,
					npm_config_cache: path.join(userFolder, 'npm-cache'),
					npm_config_update_notifier: 'false',
					HTTP_PROXY: UNREACHABLE_PROXY,
					HTTPS_PROXY: UNREACHABLE_PROXY,
					NO_PROXY: '127.0.0.1,localhost',
					// An older n8n does not know the modules that the lab disables, and then does not start.
					...(script ? { N8N_DISABLED_MODULES: '' } : {}),
					...env,
				},
			});
			const owner = await ensureOwner(userFolder);
			const rest = await signIn(n8n.url, owner, userFolder);
			const host = new InstallHost(registry, sandbox, userFolder, n8n, rest, owner);
			await host.createCredentials();
			return host;
		} catch (error) {
			await Promise.all([registry.close(), sandbox.close()]);
			await rm(userFolder, { recursive: true, force: true });
			throw error;
		}
	}

	async stop(): Promise<void> {
		await Promise.all([this.n8n.stop(), this.registry.close(), this.sandbox.close()]);
		await rm(this.userFolder, { recursive: true, force: true });
	}

	/** Installs a package as the menu does, and creates credentials for the sandbox of all types that n8n then knows. */
	async install(name: string, version: string): Promise<Installed> {
		const installed = await this.manage('post', { data: { name, version } });
		await this.createCredentials();
		return installed;
	}

	/** Updates a package as the menu does. n8n installs any requested version. */
	async update(name: string, version: string): Promise<Installed> {
		return await this.manage('patch', { data: { name, version } });
	}

	async uninstall(name: string): Promise<void> {
		await this.manage('delete', { params: { name } });
	}

	async listInstalled(): Promise<Installed[]> {
		return unwrap<Installed[]>((await this.rest.get('/community-packages')).data);
	}

	private async manage(method: string, requestOptions: object): Promise<Installed> {
		const { status, data } = await this.rest.request<{ message?: string }>({
			...{ url: '/community-packages', method, timeout: LONGEST_INSTALL_MS, ...requestOptions },
			validateStatus: () => true,
		});
		if (status === 200) return unwrap<Installed>(data);
		throw new Error(`n8n answered ${status}: ${data.message}`);
	}

	/** Reads the credential types that n8n knows, with the names of their fields. */
	async readCredentialFields(): Promise<Map<string, string[]>> {
		const { data } = await this.rest.get<CredentialForm[]>('/types/credentials.json', {
			baseURL: new URL(this.rest.defaults.baseURL!).origin,
		});
		return new Map(
			data.map(({ name, properties }) => [name, properties.map((property) => property.name)]),
		);
	}

	private async createCredentials(): Promise<void> {
		const knownTypes = await this.readCredentialFields();
		this.credentials = await ensureCredentials(this.rest, this.sandbox, (type) =>
			knownTypes.has(type),
		);
	}
}

/** Creates a folder with an npm that uses our registry, whatever registry n8n passes. */
async function createNpmWrapper(userFolder: string, { url }: Registry): Promise<string> {
	const folder = path.join(userFolder, 'bin');
	await mkdir(folder);
	const npmPath = (await runCommand('which', ['npm'], { cwd: folder, task: 'Finding npm' })).trim();
	const script = path.join(folder, 'npm');
	await writeFile(script, `#!/bin/sh\nexec "${npmPath}" "$@" --registry=${url}\n`);
	await chmod(script, 0o755);
	return folder;
}
