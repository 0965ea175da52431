import { createEventLoopGate } from '../../../nodes/engine/run/eventLoopGate';

/** Which turn of the event loop it is. */
function countTurns() {
	let turn = 0;
	let next = setImmediate(function again() {
		turn++;
		next = setImmediate(again);
	});
	return { now: () => turn, stop: () => clearImmediate(next) };
}

describe('the event loop gate', () => {
	it('lets the first through at once', async () => {
		let through = false;
		void createEventLoopGate()().then(() => (through = true));
		await Promise.resolve();
		await Promise.resolve();
		expect(through).toBe(true);
	});

	it('lets simultaneous callers through in their order, each in a turn of its own', async () => {
		const turns = countTurns();
		const pass = createEventLoopGate();
		const seen: Array<[who: number, turn: number]> = [];
		await Promise.all(
			Array.from({ length: 10 }, async (_, who) => {
				await pass();
				seen.push([who, turns.now()]);
			}),
		);
		turns.stop();
		expect(seen.map(([who]) => who)).toEqual(Array.from({ length: 10 }, (_, who) => who));
		expect(new Set(seen.map(([, turn]) => turn)).size).toBe(10);
	});

	it('lets a later caller through at once', async () => {
		const pass = createEventLoopGate();
		await pass();
		await new Promise((resolve) => setTimeout(resolve, 20));
		let through = false;
		void pass().then(() => (through = true));
		await Promise.resolve();
		await Promise.resolve();
		expect(through).toBe(true);
	});
});
