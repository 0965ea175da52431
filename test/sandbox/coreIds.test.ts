import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';

const start = async (idSeed?: number) => await startSandbox({ registrations: 50, idSeed });
const ids = ({ world }: Sandbox) => Array.from({ length: 5 }, () => world.random.uuid());
const events = async ({ addresses, demo }: Sandbox) => {
	const headers = { [demo.eventData.headerName]: demo.eventData.apiKey };
	return await (await fetch(`${addresses.eventData}/attendees`, { headers })).text();
};

describe('IDs with an idSeed', () => {
	const open: Sandbox[] = [];
	const sandbox = async (idSeed?: number) => {
		const sandbox = await start(idSeed);
		open.push(sandbox);
		return sandbox;
	};
	afterEach(async () => {
		await Promise.all(open.splice(0).map((started) => started.close()));
	});

	test('differ from those of another idSeed, with the same data', async () => {
		const [first, second] = [await sandbox(1001), await sandbox(1002)];
		expect(await events(first)).toBe(await events(second));
		const allIds = [...ids(first), ...ids(second)];
		expect(new Set(allIds).size).toBe(allIds.length);
	});

	test('do not repeat after a reset', async () => {
		const resetSandbox = await sandbox(1001);
		const idsBefore = ids(resetSandbox);
		resetSandbox.reset();
		const allIds = [...idsBefore, ...ids(resetSandbox)];
		expect(new Set(allIds).size).toBe(allIds.length);
	});

	test('repeat after a reset if there is no idSeed', async () => {
		const plain = await sandbox();
		plain.reset();
		const idsBefore = ids(plain);
		plain.reset();
		expect(ids(plain)).toEqual(idsBefore);
	});
});
