// Protects tests that compare IDs of sandboxes: with an idSeed no ID repeats, without one they repeat after a reset.
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';

const drawIds = ({ world }: Sandbox) => Array.from({ length: 5 }, () => world.random.uuid());
const readAttendees = async ({ addresses, demo }: Sandbox) => {
	const headers = { [demo.eventData.headerName]: demo.eventData.apiKey };
	return await (await fetch(`${addresses.eventData}/attendees`, { headers })).text();
};

describe('the IDs of a sandbox', () => {
	const openSandboxes: Sandbox[] = [];
	const openSandbox = async (idSeed?: number) => {
		const sandbox = await startSandbox({ registrations: 50, idSeed });
		openSandboxes.push(sandbox);
		return sandbox;
	};
	afterEach(async () => {
		await Promise.all(openSandboxes.splice(0).map((sandbox) => sandbox.close()));
	});

	test('differ between two values of idSeed, although the data is the same', async () => {
		const [first, second] = [await openSandbox(1001), await openSandbox(1002)];
		expect(await readAttendees(first)).toBe(await readAttendees(second));
		const allIds = [...drawIds(first), ...drawIds(second)];
		expect(new Set(allIds).size).toBe(allIds.length);
	});

	test('do not repeat after a reset if there is an idSeed', async () => {
		const resetSandbox = await openSandbox(1001);
		const idsBefore = drawIds(resetSandbox);
		resetSandbox.reset();
		const allIds = [...idsBefore, ...drawIds(resetSandbox)];
		expect(new Set(allIds).size).toBe(allIds.length);
	});

	test('repeat after a reset if there is no idSeed', async () => {
		const sandboxWithoutIdSeed = await openSandbox();
		sandboxWithoutIdSeed.reset();
		const idsBefore = drawIds(sandboxWithoutIdSeed);
		sandboxWithoutIdSeed.reset();
		expect(drawIds(sandboxWithoutIdSeed)).toEqual(idsBefore);
	});
});
