// Protects the speed of concurrent items: callers continue in order, one per turn of the event loop, and the first at once.
import { createEventLoopGate } from '../../../nodes/engine/run/eventLoopGate';

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => jest.useRealTimers());

/** Lets promises settle, and no timer fire. */
const settlePromises = async () => await new Promise((resolve) => setImmediate(resolve));

/** Starts ten callers at a gate. Returns a list that each caller joins when it passes. */
function startTenCallers(passGate = createEventLoopGate()): number[] {
	const passed: number[] = [];
	for (let caller = 0; caller < 10; caller++) void passGate().then(() => passed.push(caller));
	return passed;
}

describe('the event loop gate', () => {
	it('lets the first caller pass at once', async () => {
		const passed = startTenCallers();
		await settlePromises();
		expect(passed).toEqual([0]);
	});

	it('lets one of several simultaneous callers pass per timer, in the order of their calls', async () => {
		const passed = startTenCallers();
		for (let firedTimers = 0; firedTimers < 10; firedTimers++) {
			await settlePromises();
			expect(passed).toEqual(Array.from({ length: firedTimers + 1 }, (_, caller) => caller));
			jest.advanceTimersToNextTimer();
		}
	});

	it('lets a caller pass at once when no other caller waits', async () => {
		const passGate = createEventLoopGate();
		const passed = startTenCallers(passGate);
		await jest.runAllTimersAsync();
		void passGate().then(() => passed.push(10));
		await settlePromises();
		expect(passed.at(-1)).toBe(10);
	});
});
