// Protects users who install, update, downgrade and remove the packages: nodes work, and no trigger loses an ID or a change.
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

import services from '../../contracts/services.json';
import { runCommand } from '../../lab/command';
import { openRead, OpenTrigger } from './install/flows';
import { InstallHost } from './install/host';
import { publish, publishedPackages } from './install/publish';
import type { Size } from './install/publish';
import type { Registry } from './install/registry';
import { launchBrowser } from './support/browser';
import { Editor } from './support/editor';
import { addFromHumanReview } from './support/humanReview';

const [PACK, ...SINGLES] = publishedPackages.map(({ name }) => name);
const KEYS = Object.keys(services);
const [OLD, NEW] = ['0.1.0', '0.1.1'];
/** The newest field of the credentials. */
const NEWEST_FIELD = 'ignoreSslIssues';

/** Returns the name of the package of one service. */
const singlePackageOf = (key: string) => SINGLES[KEYS.indexOf(key)]!;

/** Returns the services of a package: all, or its only one. */
const serviceKeysOf = (name: string) => (name === PACK ? KEYS : [KEYS[SINGLES.indexOf(name)]!]);

describe("packages that n8n's own package manager handles", () => {
	let host: InstallHost;
	let sizes: Map<string, Size>;
	const installSeconds: Record<string, number> = {};
	beforeAll(async () => {
		host = await InstallHost.start();
		sizes = await publish(host.registry, [PACK!, ...SINGLES], [OLD, NEW]);
	});
	afterAll(async () => {
		await (host as InstallHost | undefined)?.stop();
		for (const [name, durationS] of Object.entries(installSeconds)) {
			const { packed, unpacked } = sizes.get(name)!;
			const size = [packed, unpacked].map((bytes) => `${Math.round(bytes / 1000)} kB`).join(', ');
			process.stdout.write(`${name}: ${size}, installed in ${durationS.toFixed(1)} s\n`);
		}
	});

	test.each([PACK!, ...SINGLES])(
		'%s is installed, updated, downgraded, removed and reinstalled',
		async (name) => {
			const beganMs = performance.now();
			const { installedVersion, installedNodes } = await host.install(name, OLD);
			installSeconds[name] = (performance.now() - beganMs) / 1000;
			expect(installedVersion).toBe(OLD);
			expect(installedNodes).toHaveLength(2 * serviceKeysOf(name).length);
			const reads: Array<() => Promise<void>> = [];
			const triggers: OpenTrigger[] = [];
			for (const key of serviceKeysOf(name)) {
				reads.push(await openRead(host, name, key));
				triggers.push(await OpenTrigger.open(host, name, key));
			}
			const beginAndRead = async () => {
				for (const trigger of triggers) await trigger.begin();
				for (const read of reads) await read();
			};
			await beginAndRead();
			for (const version of [NEW, OLD]) {
				expect((await host.update(name, version)).installedVersion).toBe(version);
				await beginAndRead();
			}
			for (const trigger of triggers) {
				const { started, expected } = await trigger.finish();
				expect(expected).toHaveLength(3);
				expect(started).toEqual(expected);
				await trigger.close();
			}
			await host.uninstall(name);
			expect((await host.listInstalled()).map(({ packageName }) => packageName)).not.toContain(
				name,
			);
			await host.install(name, NEW);
			for (const read of reads) await read();
			await host.uninstall(name);
		},
	);

	test("the two-factor package is in n8n's list for human decisions", async () => {
		await host.install(singlePackageOf('twoFactor'), NEW);
		const browser = await launchBrowser();
		try {
			const editor = await Editor.open(browser, host.n8n.url);
			await editor.signIn(host.owner);
			expect(await addFromHumanReview(editor)).toEqual([
				'Approval Request',
				'Send and Wait for Approval',
			]);
		} finally {
			await browser.close();
		}
		await host.uninstall(singlePackageOf('twoFactor'));
	});

	// n8n keeps one node per display name, so it rejects a second package with the same nodes.
	test('the second of two packages with the same nodes is rejected, and the first still works', async () => {
		await host.install(PACK!, NEW);
		const read = await openRead(host, PACK!, KEYS[1]!);
		await expect(host.install(SINGLES[1]!, OLD)).rejects.toThrow('installed_nodes.name');
		await read();
		expect((await host.listInstalled()).map(({ packageName }) => packageName)).toEqual([PACK]);
		await host.uninstall(PACK!);
	});
});

// The README describes these settings.
describe('the pack in an n8n that installs it from an environment variable', () => {
	let host: InstallHost;
	beforeAll(async () => {
		host = await InstallHost.start({
			beforeStart: async (registry) => void (await publish(registry, [PACK!], [OLD])),
			env: {
				N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
				N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: PACK, version: OLD }]),
			},
		});
	});
	afterAll(async () => await (host as InstallHost | undefined)?.stop());

	test('is installed after the start of n8n, and cannot be updated in the menu', async () => {
		const [installed] = await host.listInstalled();
		expect(installed).toMatchObject({ packageName: PACK, installedVersion: OLD });
		for (const key of KEYS) await (await openRead(host, PACK!, key))();
		await expect(host.update(PACK!, NEW)).rejects.toThrow('managed via environment variables');
	});
});

// npm can install both side by side. Both have the same credential types, and n8n uses the type that it loaded last.
describe('the pack and single packages of another version, installed by hand', () => {
	/** One service whose package n8n loads before the pack, and one whose package n8n loads after it. */
	const [LOADED_BEFORE, LOADED_AFTER] = ['eventData', 'twoFactor'] as const;
	const credentialOf = (key: typeof LOADED_BEFORE | typeof LOADED_AFTER) =>
		services[key].credential;
	let host: InstallHost;
	let packages: string[];
	beforeAll(async () => {
		const beforeStart = async (registry: Registry, folder: string) => {
			const singles = [singlePackageOf(LOADED_BEFORE), singlePackageOf(LOADED_AFTER)];
			await publish(registry, [PACK!], [NEW]);
			await publish(registry, singles, [OLD], removeNewestField);
			await mkdir(folder, { recursive: true });
			const packageSpecs = [`${PACK}@${NEW}`, ...singles.map((name) => `${name}@${OLD}`)];
			const flags = ['--no-audit', '--no-fund', `--registry=${registry.url}`];
			await runCommand('npm', ['install', ...flags, ...packageSpecs], {
				cwd: folder,
				task: 'Installing',
			});
			packages = (await readdir(path.join(folder, 'node_modules'))).filter(
				(name) => !name.startsWith('.'),
			);
		};
		host = await InstallHost.start({ beforeStart });
	});
	afterAll(async () => await (host as InstallHost | undefined)?.stop());

	test('are the only packages that npm installs', () => {
		expect(packages.sort()).toEqual(
			[PACK, singlePackageOf(LOADED_BEFORE), singlePackageOf(LOADED_AFTER)].sort(),
		);
	});

	// n8n loads packages in the order of their names: one of the single packages before the pack, one after it.
	test('show the newer fields of one credential, and the older fields of another', async () => {
		const fields = await host.readCredentialFields();
		expect(fields.get(credentialOf(LOADED_BEFORE))).toContain(NEWEST_FIELD);
		expect(fields.get(credentialOf(LOADED_AFTER))).toContain('apiKey');
		expect(fields.get(credentialOf(LOADED_AFTER))).not.toContain(NEWEST_FIELD);
	});

	test.each([LOADED_BEFORE, LOADED_AFTER])('both read and start workflows for %s', async (key) => {
		const triggers: OpenTrigger[] = [];
		for (const name of [PACK!, singlePackageOf(key)]) {
			const read = await openRead(host, name, key);
			await read();
			const trigger = await OpenTrigger.open(host, name, key);
			await trigger.begin();
			triggers.push(trigger);
		}
		for (const trigger of triggers) {
			const { started, expected } = await trigger.finish();
			expect(started).toEqual(expect.arrayContaining(expected));
			await trigger.close();
		}
	});
});

/** Removes the newest field of the credential from the code of a package, as in an older version. */
function removeNewestField(code: string): string {
	const olderCode = code.replaceAll(/\{\s*displayName: "Ignore SSL Issues[^}]*\},?/g, '');
	expect(olderCode).not.toBe(code);
	return olderCode;
}
