import { setTimeout as realDelay } from 'node:timers/promises';

/** Lets hours pass in moments: timers and clocks are jest's, while sockets and promises are real. */
export function useHurry(): void {
	beforeEach(() => {
		jest.useFakeTimers({
			doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime'],
		});
	});
	afterEach(() => {
		jest.useRealTimers();
	});
}

/** Lets time pass until something has happened, so much of it at most. */
export async function hurryUntil<T>(
	happened: Promise<T>,
	atMostMs: number,
	stepMs = 250,
): Promise<T> {
	let done = false;
	const settle = () => {
		done = true;
	};
	happened.then(settle, settle);
	for (let passed = 0; !done && passed < atMostMs; passed += stepMs) {
		jest.advanceTimersByTime(stepMs);
		// What was sent has to arrive.
		await realDelay(3);
	}
	if (!done) throw new Error(`It did not happen within ${atMostMs / 1000} seconds`);
	return await happened;
}
