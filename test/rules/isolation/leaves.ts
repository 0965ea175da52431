import { sleep } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { perProcess } from '../../../nodes/engine/n8n/perProcess';

/** State of a module of this project. */
const moduleState: string[] = [];

const globals = globalThis as { leftBehind?: string };
const sharedFunction = sleep as typeof sleep & { seenBy?: string[] };

/**
 * Defines the tests of one of two files that run in sequence in one worker. Each must find no state of the other, and leaves
 * state behind.
 */
export function defineIsolationTests(fileName: string): void {
	it('a test file finds no state of another file', async () => {
		expect(moduleState).toEqual([]);
		expect(globals.leftBehind).toBeUndefined();
		expect(process.env.LEFT_BEHIND).toBeUndefined();
		expect(perProcess('left behind', () => fileName)).toBe(fileName);
		expect(Math.random()).not.toBe(0.5);
		const startedAtMs = Date.now();
		await delay(20);
		await sleep(20);
		expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(30);
	});

	it('a test file shares the module of n8n with other files', () => {
		sharedFunction.seenBy = [...(sharedFunction.seenBy ?? []), fileName];
		console.log(`n8n was seen by ${sharedFunction.seenBy.length}`);
	});

	it('a test file leaves state behind', () => {
		moduleState.push(fileName);
		globals.leftBehind = fileName;
		process.env.LEFT_BEHIND = fileName;
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		jest.useFakeTimers();
		expect(Math.random()).toBe(0.5);
	});
}
