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
/** The field of credentials that came last. */
const NEWEST_FIELD = 'ignoreSslIssues';

/** The package of one service. */
const singleOf = (key: string) => SINGLES[KEYS.indexOf(key)]!;

/** The nodes of a package: all of them, or those of its one service. */
const keysOf = (name: string) => (name === PACK ? KEYS : [KEYS[SINGLES.indexOf(name)]!]);

describe("packages that n8n's own package manager handles", () => {
	let host: InstallHost;
	let sizes: Map<string, Size>;
	const seconds: Record<string, number> = {};
	beforeAll(async () => {
		host = await InstallHost.start();
		sizes = await publish(host.registry, [PACK!, ...SINGLES], [OLD, NEW]);
	});
	afterAll(async () => {
		await (host as InstallHost | undefined)?.stop();
		for (const [name, took] of Object.entries(seconds)) {
			const { packed, unpacked } = sizes.get(name)!;
			const size = [packed, unpacked].map((bytes) => `${Math.round(bytes / 1000)} kB`).join(', ');
			process.stdout.write(`${name}: ${size}, installed in ${took.toFixed(1)} s\n`);
		}
	});

	test.each([PACK!, ...SINGLES])(
		'%s is installed, updated, downgraded, removed and reinstalled',
		async (name) => {
			const began = performance.now();
			const { installedVersion, installedNodes } = await host.install(name, OLD);
			seconds[name] = (performance.now() - began) / 1000;
			expect(installedVersion).toBe(OLD);
			expect(installedNodes).toHaveLength(2 * keysOf(name).length);
			const reads: Array<() => Promise<void>> = [];
			const triggers: OpenTrigger[] = [];
			for (const key of keysOf(name)) {
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
				const { started, wanted } = await trigger.finish();
				expect(wanted).toHaveLength(3);
				expect(started).toEqual(wanted);
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

	test("the single package is in n8n's list for human decisions", async () => {
		await host.install(singleOf('twoFactor'), NEW);
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
		await host.uninstall(singleOf('twoFactor'));
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

// As the README describes it for an n8n that is set up by environment variables.
describe('the pack, named by the environment', () => {
	let host: InstallHost;
	beforeAll(async () => {
		host = await InstallHost.start({
			before: async (registry) => void (await publish(registry, [PACK!], [OLD])),
			env: {
				N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
				N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: PACK, version: OLD }]),
			},
		});
	});
	afterAll(async () => await (host as InstallHost | undefined)?.stop());

	test('is there when n8n has started, and the menu is locked', async () => {
		const [installed] = await host.listInstalled();
		expect(installed).toMatchObject({ packageName: PACK, installedVersion: OLD });
		for (const key of KEYS) await (await openRead(host, PACK!, key))();
		await expect(host.update(PACK!, NEW)).rejects.toThrow('managed via environment variables');
	});
});

// Installed by hand they may be side by side. Both bring the same credential types, and n8n takes those that were loaded last.
describe('the pack and single packages of another version, installed by hand', () => {
	const [BEFORE, AFTER] = ['eventData', 'twoFactor'] as const;
	const credentialOf = (key: typeof BEFORE | typeof AFTER) => services[key].credential;
	let host: InstallHost;
	let packages: string[];
	beforeAll(async () => {
		const before = async (registry: Registry, folder: string) => {
			const singles = [singleOf(BEFORE), singleOf(AFTER)];
			await publish(registry, [PACK!], [NEW]);
			await publish(registry, singles, [OLD], withoutNewestField);
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
		host = await InstallHost.start({ before });
	});
	afterAll(async () => await (host as InstallHost | undefined)?.stop());

	test('are all that npm installs', () => {
		expect(packages.sort()).toEqual([PACK, singleOf(BEFORE), singleOf(AFTER)].sort());
	});

	// n8n loads them by their names: one of the single packages before the pack, one after it.
	test('bring the newer form of one credential, and the older of another', async () => {
		const fields = await host.readCredentialFields();
		expect(fields.get(credentialOf(BEFORE))).toContain(NEWEST_FIELD);
		expect(fields.get(credentialOf(AFTER))).toContain('apiKey');
		expect(fields.get(credentialOf(AFTER))).not.toContain(NEWEST_FIELD);
	});

	test.each([BEFORE, AFTER])('both read and start workflows of their own: %s', async (key) => {
		const triggers: OpenTrigger[] = [];
		for (const name of [PACK!, singleOf(key)]) {
			const read = await openRead(host, name, key);
			await read();
			const trigger = await OpenTrigger.open(host, name, key);
			await trigger.begin();
			triggers.push(trigger);
		}
		for (const trigger of triggers) {
			const { started, wanted } = await trigger.finish();
			expect(started).toEqual(expect.arrayContaining(wanted));
			await trigger.close();
		}
	});
});

/** The code of a package from before the newest field of its credential. */
function withoutNewestField(code: string): string {
	const older = code.replaceAll(/\{\s*displayName: "Ignore SSL Issues[^}]*\},?/g, '');
	expect(older).not.toBe(code);
	return older;
}
