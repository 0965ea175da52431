import { createEventLoopGate } from '../../../nodes/engine/run/eventLoopGate';

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(() => jest.useRealTimers());

/** Lets promises settle, and no timer fire. */
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** Lets ten callers wait at a gate. Returns the callers that have passed, as it grows. */
function tenCallers(pass = createEventLoopGate()): number[] {
	const passed: number[] = [];
	for (let caller = 0; caller < 10; caller++) void pass().then(() => passed.push(caller));
	return passed;
}

describe('the event loop gate', () => {
	it('lets the first caller pass at once', async () => {
		const passed = tenCallers();
		await settle();
		expect(passed).toEqual([0]);
	});

	it('lets one of several simultaneous callers pass per timer, in the order of their calls', async () => {
		const passed = tenCallers();
		for (let timers = 0; timers < 10; timers++) {
			await settle();
			expect(passed).toEqual(Array.from({ length: timers + 1 }, (_, caller) => caller));
			jest.advanceTimersToNextTimer();
		}
	});

	it('lets a later caller pass at once', async () => {
		const pass = createEventLoopGate();
		const passed = tenCallers(pass);
		await jest.runAllTimersAsync();
		void pass().then(() => passed.push(10));
		await settle();
		expect(passed.at(-1)).toBe(10);
	});
});
