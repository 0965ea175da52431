// Protects users of older n8n versions: the pack installs, its nodes work, and its triggers start or name the n8n they need.
import services from '../../contracts/services.json';
import {
	ensureGeneration,
	ensureNewest,
	newestVersion,
	olderGenerations,
} from '../../lab/generations';
import { terminalProgress } from '../../lab/progress';
import { failToErrorOutput, openRead, OpenTrigger, sendAndWait } from './install/flows';
import { InstallHost } from './install/host';
import { publish } from './install/publish';

const PACK = 'n8n-nodes-gatehouse';
const VERSION = '0.1.0';
const KEYS = Object.keys(services);

/** Tested versions of n8n. The last one is the lab's own. */
const versions = [...olderGenerations.map(({ version }) => version), newestVersion];

describe.each(versions.map((n8nVersion, index) => [n8nVersion, index] as const))(
	'n8n %s',
	(name, index) => {
		let host: InstallHost;
		beforeAll(async () => {
			const progress = terminalProgress(process.stdout);
			const olderGeneration = olderGenerations[index];
			const script = olderGeneration
				? await ensureGeneration(olderGeneration, progress)
				: await ensureNewest(progress);
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

		const canPark = !/^(1|2\.20)\./.test(name);
		const waitDescription = canPark ? 'parked' : 'with the execution running';
		test(`waits for a decision on the phone inside a workflow, ${waitDescription}`, async () => {
			expect(await sendAndWait(host, PACK, canPark ? 'waiting' : 'running')).toEqual({
				notApproved: [],
				approved: [expect.objectContaining({ approved: true })],
			});
		});

		test.each([
			['with its input', { row: 7 }, { row: 7 }],
			['without an input that passes for a result', { row: 7, outcome: 'approved' }, {}],
		])('outputs a failed item on the error output alone, %s', async (_, input, keptFields) => {
			expect(await failToErrorOutput(host, PACK, input)).toEqual({
				success: [],
				failed: [{ ...keptFields, error: expect.stringContaining('not found') }],
			});
		});

		test.each(KEYS)(
			'starts the trigger of %s, or names the n8n that the trigger needs',
			async (key) => {
				const opened = OpenTrigger.open(host, PACK, key);
				if (name.startsWith('1.')) {
					await expect(opened).rejects.toThrow('This trigger needs n8n 2.20 or newer');
					return;
				}
				const trigger = await opened;
				await trigger.begin();
				const { started, expected } = await trigger.finish();
				expect(started).toEqual(expected);
				await trigger.close();
			},
		);
	},
);
