import { openRead, OpenTrigger } from './install/flows';
import { InstallHost } from './install/host';
import { publish } from './install/publish';

const NAME = 'n8n-nodes-two-factor';

/** The short form of packages.install.ts, which does it with every package. */
describe('a package that is updated in a running n8n', () => {
	let host: InstallHost;
	beforeAll(async () => {
		host = await InstallHost.start();
		await publish(host.registry, [NAME], ['0.1.0', '0.1.1']);
	});
	afterAll(async () => await (host as InstallHost | undefined)?.stop());

	test('continues with IDs that are watched, and accepts new ones at once', async () => {
		const { installedVersion, installedNodes } = await host.install(NAME, '0.1.0');
		expect([installedVersion, installedNodes.length]).toEqual(['0.1.0', 2]);
		const read = await openRead(host, NAME, 'twoFactor');
		await read();
		const trigger = await OpenTrigger.open(host, NAME, 'twoFactor');
		await trigger.begin();
		for (const version of ['0.1.1', '0.1.0']) {
			expect((await host.update(NAME, version)).installedVersion).toBe(version);
			await trigger.begin();
			await read();
		}
		const { started, wanted } = await trigger.finish();
		expect(wanted).toHaveLength(3);
		expect(started).toEqual(wanted);
	});
});
