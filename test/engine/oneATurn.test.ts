import { oneATurn } from '../../nodes/engine/run/oneATurn';

/** Which turn of the event loop it is. */
function countTurns() {
	let turn = 0;
	let next = setImmediate(function again() {
		turn++;
		next = setImmediate(again);
	});
	return { now: () => turn, stop: () => clearImmediate(next) };
}

describe('one a turn', () => {
	it('lets the first through at once', async () => {
		let through = false;
		void oneATurn()().then(() => (through = true));
		await Promise.resolve();
		await Promise.resolve();
		expect(through).toBe(true);
	});

	it('lets those who come together through in their order, each in a turn of its own', async () => {
		const turns = countTurns();
		const inTurn = oneATurn();
		const seen: Array<[who: number, turn: number]> = [];
		await Promise.all(
			Array.from({ length: 10 }, async (_, who) => {
				await inTurn();
				seen.push([who, turns.now()]);
			}),
		);
		turns.stop();
		expect(seen.map(([who]) => who)).toEqual(Array.from({ length: 10 }, (_, who) => who));
		expect(new Set(seen.map(([, turn]) => turn)).size).toBe(10);
	});

	it('keeps nobody waiting who comes when all are through', async () => {
		const inTurn = oneATurn();
		await inTurn();
		await new Promise((resolve) => setTimeout(resolve, 20));
		let through = false;
		void inTurn().then(() => (through = true));
		await Promise.resolve();
		await Promise.resolve();
		expect(through).toBe(true);
	});
});
