// Protects services from too many requests: the send rate falls with rejections, recovers, and delays two seconds at most.
import fc from 'fast-check';

import { SendRate } from '../../../nodes/engine/http/sendRate';

/** Sends `count` requests as soon as the rate allows, each accepted at once. Returns the time of the last one. */
function sendRequests(rate: SendRate, startMs: number, count: number, hadToWait = true): number {
	let now = startMs;
	for (let sent = 0; sent < count; sent++) {
		now += rate.waitMs(now);
		rate.recordSend(now);
		rate.recordSuccess(now, hadToWait);
	}
	return now;
}

/** Records a rejection with a requested pause, and returns the end of the pause. */
function recordPause(rate: SendRate, now: number, pauseMs: number): number {
	rate.recordRejection(now, now + pauseMs);
	return now + pauseMs;
}

/** Creates a rate of five requests per second, measured between two rejections. */
function createFivePerSecond(): { rate: SendRate; now: number } {
	const rate = new SendRate();
	const pauseEndMs = recordPause(rate, 0, 1000);
	sendRequests(rate, pauseEndMs, 5);
	return { rate, now: recordPause(rate, pauseEndMs, 1000) };
}

describe('SendRate', () => {
	it('is unlimited until the service has accepted requests and then rejected one', () => {
		const rate = new SendRate();
		expect([rate.isLimiting, rate.waitMs(0)]).toEqual([false, 0]);
		const pauseEndMs = recordPause(rate, 0, 2000);
		expect(sendRequests(rate, pauseEndMs, 5)).toBe(pauseEndMs);
		expect(rate.isLimiting).toBe(false);
		const secondPauseEndMs = recordPause(rate, pauseEndMs, 2000);
		rate.recordSend(secondPauseEndMs);
		expect(rate.isLimiting).toBe(true);
	});

	it('starts with the average rate at which requests were accepted, pauses included', () => {
		const { rate, now } = createFivePerSecond();
		rate.recordSend(now);
		rate.recordSend(now + rate.waitMs(now));
		// The second request makes up for 50 ms of lost time. Otherwise one request is sent every 200 ms.
		expect(rate.waitMs(now)).toBeCloseTo(2 * 200 - 50);
	});

	it('stays unlimited if the service only extends its pause', () => {
		const rate = new SendRate();
		let now = 0;
		for (let time = 0; time < 5; time++) {
			now = recordPause(rate, now, 2000);
			rate.recordSend(now);
		}
		expect(rate.isLimiting).toBe(false);
	});

	it('counts requests that are rejected at the same time as one rejection', () => {
		const { rate, now } = createFivePerSecond();
		const after = sendRequests(rate, now, 20);
		const burst = createFivePerSecond();
		sendRequests(burst.rate, burst.now, 20);
		recordPause(rate, after, 1000);
		for (let count = 0; count < 9; count++) recordPause(burst.rate, after, 1000);
		rate.recordSend(after + 1000);
		burst.rate.recordSend(after + 1000);
		expect(burst.rate.waitMs(after)).toBe(rate.waitMs(after));
	});

	it('falls with each rejection after a success, down to one request in two seconds', () => {
		const { rate, now: startMs } = createFivePerSecond();
		let now = startMs;
		let earlierWaitMs = 0;
		for (let time = 0; time < 30; time++) {
			now = sendRequests(rate, now, 1);
			const wait = rate.waitMs(now);
			expect(wait).toBeGreaterThanOrEqual(Math.min(earlierWaitMs, 1950));
			expect(wait).toBeLessThanOrEqual(2000);
			earlierWaitMs = wait;
			now = recordPause(rate, now + wait, 10_000);
		}
		expect(earlierWaitMs).toBeGreaterThanOrEqual(1950);
	});

	it('grows slowly soon after a rejection, and fast later', () => {
		const { rate, now: startMs } = createFivePerSecond();
		let now = startMs;
		now = recordPause(rate, sendRequests(rate, now, 50), 1000);
		const beganAtMs = now;
		/** Counts the requests sent in the second that begins `ms` after the pause. */
		const countInSecond = (ms: number) => {
			while (now < beganAtMs + ms) now = sendRequests(rate, now, 1);
			let count = 0;
			for (; now < beganAtMs + ms + 1000; count++) now = sendRequests(rate, now, 1);
			return count;
		};
		const first = countInSecond(0);
		// A rejection is recent for ten seconds plus twice the pause: twelve seconds.
		expect(countInSecond(11_000)).toBeLessThan(1.5 * first);
		expect(countInSecond(15_000)).toBeGreaterThan(3 * first);
	});

	it('does not grow after requests that it did not delay', () => {
		const { rate, now } = createFivePerSecond();
		const first = sendRequests(rate, now, 1, false);
		const earlierWaitMs = rate.waitMs(first);
		let nowMs = first;
		for (let sent = 0; sent < 100; sent++) {
			nowMs += 1000;
			rate.recordSend(nowMs);
			rate.recordSuccess(nowMs, false);
		}
		expect(rate.waitMs(nowMs)).toBeLessThanOrEqual(earlierWaitMs + 1);
		expect(rate.waitMs(nowMs)).toBeGreaterThanOrEqual(200 - 50 - 1);
	});

	it('does not fall because of idle time', () => {
		const { rate, now } = createFivePerSecond();
		sendRequests(rate, now, 5);
		const afterIdleMs = now + 3_600_000;
		rate.recordIdle(afterIdleMs);
		const end = recordPause(rate, sendRequests(rate, afterIdleMs, 5), 1000);
		rate.recordSend(end);
		expect(rate.waitMs(end)).toBeLessThan(1000);
	});
});

it('SendRate never delays a request by more than two seconds, whatever happened before', () => {
	const anyEvent = fc.oneof(
		fc.record({ kind: fc.constant('send' as const), count: fc.integer({ min: 1, max: 30 }) }),
		fc.record({ kind: fc.constant('reject' as const), ms: fc.integer({ min: 0, max: 60_000 }) }),
		fc.record({ kind: fc.constant('idle' as const), ms: fc.integer({ min: 0, max: 100_000 }) }),
	);
	fc.assert(
		fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
			const rate = new SendRate();
			let now = 0;
			for (const event of events) {
				if (event.kind === 'send') now = sendRequests(rate, now, event.count);
				else if (event.kind === 'reject') now = recordPause(rate, now, event.ms);
				else {
					now += event.ms;
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
