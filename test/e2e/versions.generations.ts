import services from '../../contracts/services.json';
import {
	ensureGeneration,
	ensureNewest,
	newestVersion,
	olderGenerations,
} from '../../lab/generations';
import { terminalProgress } from '../../lab/progress';
import { openRead, OpenTrigger, sendAndWait } from './install/flows';
import { InstallHost } from './install/host';
import { publish } from './install/publish';

const PACK = 'n8n-nodes-gatehouse';
const VERSION = '0.1.0';
const KEYS = Object.keys(services);

/** Which n8n each place in the list is; the last is the lab's own. */
const places = [...olderGenerations.map(({ version }) => version), newestVersion];

describe.each(places.map((name, index) => [name, index] as const))('n8n %s', (name, place) => {
	let host: InstallHost;
	beforeAll(async () => {
		const progress = terminalProgress(process.stdout);
		const older = olderGenerations[place];
		const script = older ? await ensureGeneration(older, progress) : await ensureNewest(progress);
		host = await InstallHost.start({ script });
		await publish(host.registry, [PACK], [VERSION]);
	}, 1_800_000);
	afterAll(async () => await (host as InstallHost | undefined)?.stop());

	test('installs the pack and runs an operation of each node', async () => {
		const { installedNodes } = await host.install(PACK, VERSION);
		expect(installedNodes).toHaveLength(2 * KEYS.length);
		for (const key of KEYS) {
			const read = await openRead(host, PACK, key);
			await read();
		}
	});

	const parks = !/^(1|2\.20)\./.test(name);
	const how = parks ? 'parked' : 'with the execution running';
	test(`waits for a decision on the phone inside a workflow, ${how}`, async () => {
		expect(await sendAndWait(host, PACK, parks ? 'waiting' : 'running')).toMatchObject({
			approved: true,
		});
	});

	test.each(KEYS)('starts the trigger of %s, or says which n8n it needs', async (key) => {
		const opening = OpenTrigger.open(host, PACK, key);
		if (name.startsWith('1.')) {
			await expect(opening).rejects.toThrow('This trigger needs n8n 2.20 or newer');
			return;
		}
		const trigger = await opening;
		await trigger.begin();
		const { started, wanted } = await trigger.finish();
		expect(started).toEqual(wanted);
		await trigger.close();
	});
});
