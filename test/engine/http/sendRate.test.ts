import fc from 'fast-check';

import { SendRate } from '../../../nodes/engine/http/sendRate';

/** Sends `count` requests as soon as the rate allows, each accepted at once. Returns the time of the last one. */
function send(rate: SendRate, from: number, count: number, hadToWait = true): number {
	let now = from;
	for (let sent = 0; sent < count; sent++) {
		now += rate.waitMs(now);
		rate.recordSend(now);
		rate.recordSuccess(now, hadToWait);
	}
	return now;
}

/** Records a rejection with a requested pause, and returns the end of the pause. */
function reject(rate: SendRate, now: number, pauseMs: number): number {
	rate.recordRejection(now, now + pauseMs);
	return now + pauseMs;
}

/** A rate of five requests in each second: one that was measured by the first two rejections. */
function fivePerSecond(): { rate: SendRate; now: number } {
	const rate = new SendRate();
	const resumed = reject(rate, 0, 1000);
	send(rate, resumed, 5);
	return { rate, now: reject(rate, resumed, 1000) };
}

describe('SendRate', () => {
	it('is unlimited until the service has accepted requests and then rejected one', () => {
		const rate = new SendRate();
		expect([rate.isKnown, rate.waitMs(0)]).toEqual([false, 0]);
		const resumed = reject(rate, 0, 2000);
		expect(send(rate, resumed, 5)).toBe(resumed);
		expect(rate.isKnown).toBe(false);
		const again = reject(rate, resumed, 2000);
		rate.recordSend(again);
		expect(rate.isKnown).toBe(true);
	});

	it('starts with the average rate at which requests were accepted, pauses included', () => {
		const { rate, now } = fivePerSecond();
		rate.recordSend(now);
		rate.recordSend(now + rate.waitMs(now));
		// Up to 50 ms were made up for by the first; from then on it is every 200 ms.
		expect(rate.waitMs(now)).toBeCloseTo(2 * 200 - 50);
	});

	it('stays unlimited if the service only extends its pause', () => {
		const rate = new SendRate();
		let now = 0;
		for (let time = 0; time < 5; time++) {
			now = reject(rate, now, 2000);
			rate.recordSend(now);
		}
		expect(rate.isKnown).toBe(false);
	});

	it('counts requests that are rejected together as one rejection', () => {
		const { rate, now } = fivePerSecond();
		const after = send(rate, now, 20);
		const burst = fivePerSecond();
		send(burst.rate, burst.now, 20);
		reject(rate, after, 1000);
		for (let count = 0; count < 9; count++) reject(burst.rate, after, 1000);
		rate.recordSend(after + 1000);
		burst.rate.recordSend(after + 1000);
		expect(burst.rate.waitMs(after)).toBe(rate.waitMs(after));
	});

	it('falls with each rejection after a success, down to one request in two seconds', () => {
		const { rate, now: begun } = fivePerSecond();
		let now = begun;
		let before = 0;
		for (let time = 0; time < 30; time++) {
			now = send(rate, now, 1);
			const wait = rate.waitMs(now);
			expect(wait).toBeGreaterThanOrEqual(Math.min(before, 1950));
			expect(wait).toBeLessThanOrEqual(2000);
			before = wait;
			now = reject(rate, now + wait, 10_000);
		}
		expect(before).toBeGreaterThanOrEqual(1950);
	});

	it('grows slowly soon after a rejection, and fast later', () => {
		const { rate, now: begun } = fivePerSecond();
		let now = begun;
		now = reject(rate, send(rate, now, 50), 1000);
		const beganAtMs = now;
		/** Counts the requests sent in the second that begins `ms` after the pause. */
		const inSecond = (ms: number) => {
			while (now < beganAtMs + ms) now = send(rate, now, 1);
			let count = 0;
			for (; now < beganAtMs + ms + 1000; count++) now = send(rate, now, 1);
			return count;
		};
		const first = inSecond(0);
		// Twelve seconds: ten, and twice the pause.
		expect(inSecond(11_000)).toBeLessThan(1.5 * first);
		expect(inSecond(15_000)).toBeGreaterThan(3 * first);
	});

	it('does not grow through requests that it did not delay', () => {
		const { rate, now } = fivePerSecond();
		const first = send(rate, now, 1, false);
		const before = rate.waitMs(first);
		let nowMs = first;
		for (let sent = 0; sent < 100; sent++) {
			nowMs += 1000;
			rate.recordSend(nowMs);
			rate.recordSuccess(nowMs, false);
		}
		expect(rate.waitMs(nowMs)).toBeLessThanOrEqual(before + 1);
		expect(rate.waitMs(nowMs)).toBeGreaterThanOrEqual(200 - 50 - 1);
	});

	it('does not mistake idle time for a low limit', () => {
		const { rate, now } = fivePerSecond();
		send(rate, now, 5);
		const afterIdleMs = now + 3_600_000;
		rate.recordIdle(afterIdleMs);
		const end = reject(rate, send(rate, afterIdleMs, 5), 1000);
		rate.recordSend(end);
		expect(rate.waitMs(end)).toBeLessThan(1000);
	});
});

it('SendRate sends every request within two seconds, and never more at once than the rate allows', () => {
	const event = fc.oneof(
		fc.record({ kind: fc.constant('send' as const), count: fc.integer({ min: 1, max: 30 }) }),
		fc.record({ kind: fc.constant('reject' as const), ms: fc.integer({ min: 0, max: 60_000 }) }),
		fc.record({ kind: fc.constant('idle' as const), ms: fc.integer({ min: 0, max: 100_000 }) }),
	);
	fc.assert(
		fc.property(fc.array(event, { maxLength: 60 }), (events) => {
			const rate = new SendRate();
			let now = 0;
			for (const each of events) {
				if (each.kind === 'send') now = send(rate, now, each.count);
				else if (each.kind === 'reject') now = reject(rate, now, each.ms);
				else {
					now += each.ms;
					rate.recordIdle(now);
				}
				const waitMs = rate.waitMs(now);
				if (!(waitMs >= 0 && waitMs <= 2000)) return false;
			}
			return true;
		}),
		{ numRuns: 500 },
	);
});
