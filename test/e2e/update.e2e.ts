// Protects submitted IDs while a package is updated in a running n8n: they are still polled, and new ones are accepted.
import { openRead, OpenTrigger } from './install/flows';
import { InstallHost } from './install/host';
import { publish } from './install/publish';

const PACKAGE = 'n8n-nodes-two-factor';

/** A short version of packages.install.ts, with one package. */
describe('a package that is updated in a running n8n', () => {
	let host: InstallHost;
	beforeAll(async () => {
		host = await InstallHost.start();
		await publish(host.registry, [PACKAGE], ['0.1.0', '0.1.1']);
	});
	afterAll(async () => await (host as InstallHost | undefined)?.stop());

	test('continues to poll the submitted IDs, and accepts new IDs at once', async () => {
		const { installedVersion, installedNodes } = await host.install(PACKAGE, '0.1.0');
		expect([installedVersion, installedNodes.length]).toEqual(['0.1.0', 2]);
		const read = await openRead(host, PACKAGE, 'twoFactor');
		await read();
		const trigger = await OpenTrigger.open(host, PACKAGE, 'twoFactor');
		await trigger.begin();
		for (const version of ['0.1.1', '0.1.0']) {
			expect((await host.update(PACKAGE, version)).installedVersion).toBe(version);
			await trigger.begin();
			await read();
		}
		const { started, expected } = await trigger.finish();
		expect(expected).toHaveLength(3);
		expect(started).toEqual(expected);
	});
});
