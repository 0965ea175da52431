import { sleep } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { perProcess } from '../../../nodes/engine/n8n/perProcess';

/** State of a module of ours. */
const memory: string[] = [];

const left = globalThis as { leftBehind?: string };
const shared = sleep as typeof sleep & { seenBy?: string[] };

/**
 * Defines the tests of one of two files that run in sequence in one worker: each finds no state of the other and leaves much
 * behind.
 */
export function leaveThingsBehind(name: string): void {
	it('finds nothing of another file', async () => {
		expect(memory).toEqual([]);
		expect(left.leftBehind).toBeUndefined();
		expect(process.env.LEFT_BEHIND).toBeUndefined();
		expect(perProcess('left behind', () => name)).toBe(name);
		expect(Math.random()).not.toBe(0.5);
		const before = Date.now();
		await delay(20);
		await sleep(20);
		expect(Date.now() - before).toBeGreaterThanOrEqual(30);
	});

	it('finds n8n as the other one had it, if it is the second', () => {
		shared.seenBy = [...(shared.seenBy ?? []), name];
		console.log(`n8n was seen by ${shared.seenBy.length}`);
	});

	it('leaves much behind', () => {
		memory.push(name);
		left.leftBehind = name;
		process.env.LEFT_BEHIND = name;
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		jest.useFakeTimers();
		expect(Math.random()).toBe(0.5);
	});
}
