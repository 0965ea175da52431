// Protects the pauses that a service requests: no request is sent during one, and each waiting request is sent or rejected.
import fc from 'fast-check';

import { PauseTooLong, Pauses } from '../../../nodes/engine/http/pauses';

/** A clock that a test advances. */
class ManualClock {
	nowMs = 0;
	private timers: Array<{ dueAtMs: number; fire: () => void }> = [];

	monotonic = () => this.nowMs;

	sleep = async (ms: number) =>
		await new Promise<void>((fire) => this.timers.push({ dueAtMs: this.nowMs + ms, fire }));

	/** Advances the time and fires the timers that become due. */
	async advance(ms: number): Promise<void> {
		const endMs = this.nowMs + ms;
		for (;;) {
			await settlePromises();
			const next = this.timers
				.filter(({ dueAtMs }) => dueAtMs <= endMs)
				.sort((a, b) => a.dueAtMs - b.dueAtMs)[0];
			if (!next) break;
			this.timers = this.timers.filter((timer) => timer !== next);
			this.nowMs = Math.max(this.nowMs, next.dueAtMs);
			next.fire();
		}
		this.nowMs = endMs;
		await settlePromises();
	}
}

const settlePromises = async () => await new Promise<void>((resolve) => setImmediate(resolve));
const patientLimits = { maxRetryDelayMs: 60_000, until: Infinity };

function createPauses() {
	const clock = new ManualClock();
	return { clock, pauses: new Pauses(new Map(), clock, () => 0) };
}

/** Whether a queue is dropped once no request has used it for a minute. */
async function isQueueDropped(pauses: Pauses, clock: ManualClock): Promise<boolean> {
	await clock.advance(59_999);
	pauses.remainingPauseMs('a');
	const sizeBefore = pauses.queues.size;
	await clock.advance(1);
	pauses.remainingPauseMs('a');
	return sizeBefore === 1 && pauses.queues.size === 0;
}

describe('Pauses', () => {
	it('lets all requests pass and keeps no state if there is no pause', async () => {
		const { pauses } = createPauses();
		(await pauses.enter('a', pauses.ticket(), patientLimits))(true);
		expect([pauses.remainingPauseMs('a'), pauses.queues.size]).toEqual([0, 0]);
	});

	it('delays all requests with the same key, and no others', async () => {
		const { clock, pauses } = createPauses();
		pauses.pause('a', 2000);
		const sent: string[] = [];
		for (const name of ['a', 'b']) {
			void pauses.enter(name, pauses.ticket(), patientLimits).then(() => sent.push(name));
		}
		await clock.advance(1999);
		expect(sent).toEqual(['b']);
		await clock.advance(1);
		expect(sent).toEqual(['b', 'a']);
	});

	it('uses the longest of several requested pauses', async () => {
		const { clock, pauses } = createPauses();
		pauses.pause('a', 2000);
		pauses.pause('a', 500);
		expect(pauses.remainingPauseMs('a')).toBe(2000);
		await clock.advance(1000);
		pauses.pause('a', 5000);
		expect(pauses.remainingPauseMs('a')).toBe(5000);
	});

	it('limits a pause to a day', () => {
		const { pauses } = createPauses();
		pauses.pause('a', Infinity);
		expect(pauses.remainingPauseMs('a')).toBe(86_400_000);
	});

	it('sends one request after a pause, and more while they succeed, in order of arrival', async () => {
		const { clock, pauses } = createPauses();
		pauses.pause('a', 1000);
		const sent: number[] = [];
		const releases: Array<(isHealthy: boolean) => void> = [];
		const tickets = Array.from({ length: 16 }, () => pauses.ticket());
		for (const ticket of [...tickets].reverse()) {
			void pauses.enter('a', ticket, patientLimits).then((release) => {
				sent.push(ticket);
				releases.push(release);
			});
		}
		await clock.advance(1000);
		expect(sent).toEqual(tickets.slice(0, 1));
		for (let success = 1; success < 4; success++) {
			releases.shift()!(true);
			await settlePromises();
			expect(sent).toEqual(tickets.slice(0, success + 1));
		}
		// The fourth success allows a second concurrent request, and the eighth a third.
		releases.shift()!(true);
		await settlePromises();
		expect(sent).toEqual(tickets.slice(0, 6));
		for (let success = 5; success <= 8; success++) {
			releases.shift()!(true);
			await settlePromises();
		}
		expect(sent).toEqual(tickets.slice(0, 11));
		// After a rejection, the requests in flight return, and then one is sent alone again.
		pauses.pause('a', 1000);
		for (const release of releases.splice(0)) release(false);
		await clock.advance(1000);
		expect(sent).toEqual(tickets.slice(0, 12));
	});

	it('rejects a request at once if the pause exceeds its longest wait, now or after an extension', async () => {
		const { clock, pauses } = createPauses();
		pauses.pause('a', 5000);
		const impatientRequest = pauses.enter('a', pauses.ticket(), {
			maxRetryDelayMs: 4000,
			until: Infinity,
		});
		await expect(impatientRequest).rejects.toEqual(expect.objectContaining({ waitMs: 5000 }));
		const until = clock.monotonic() + 8000;
		const waitingRequest = pauses.enter('a', pauses.ticket(), { maxRetryDelayMs: 60_000, until });
		const rejection = expect(waitingRequest).rejects.toBeInstanceOf(PauseTooLong);
		await clock.advance(4000);
		pauses.pause('a', 5000);
		await rejection;
	});

	it('accepts a request whose longest wait equals the pause, although jitter adds to the pause', async () => {
		const clock = new ManualClock();
		const pauses = new Pauses(new Map(), clock, () => 0.999);
		pauses.pause('a', 1000);
		let isSent = false;
		const limits = { maxRetryDelayMs: 1000, until: clock.monotonic() + 1000 };
		const sending = pauses.enter('a', pauses.ticket(), limits).then(() => (isSent = true));
		await clock.advance(1000);
		expect(isSent).toBe(false);
		await clock.advance(100);
		await sending;
		expect(isSent).toBe(true);
	});

	it('rejects a request when its longest wait is over, however slow the request before it is', async () => {
		const { clock, pauses } = createPauses();
		pauses.pause('a', 1000);
		const slowRequest = pauses.enter('a', pauses.ticket(), patientLimits);
		await clock.advance(1000);
		const release = await slowRequest;
		const until = clock.monotonic() + 300;
		const waitingRequest = pauses.enter('a', pauses.ticket(), { maxRetryDelayMs: 60_000, until });
		const rejection = expect(waitingRequest).rejects.toBeInstanceOf(PauseTooLong);
		await clock.advance(302);
		await rejection;
		release(true);
		expect(await isQueueDropped(pauses, clock)).toBe(true);
	});

	it('rejects a canceled request, and does not count it', async () => {
		const { clock, pauses } = createPauses();
		pauses.pause('a', 1000);
		const cancellation = new AbortController();
		const canceledRequest = pauses.enter('a', pauses.ticket(), patientLimits, cancellation.signal);
		const otherRequest = pauses.enter('a', pauses.ticket(), patientLimits);
		cancellation.abort(new Error('cancelled'));
		await expect(canceledRequest).rejects.toThrow('cancelled');
		await clock.advance(1000);
		(await otherRequest)(true);
		expect(await isQueueDropped(pauses, clock)).toBe(true);
	});

	it('forgets a pause one minute after its end, even if no request waited', async () => {
		const { clock, pauses } = createPauses();
		for (let name = 0; name < 100; name++) pauses.pause(`${name}`, 1000);
		expect(pauses.queues.size).toBe(100);
		await clock.advance(60_999);
		pauses.pause('other', 1000);
		expect(pauses.queues.size).toBe(101);
		await clock.advance(1000);
		pauses.pause('other', 1000);
		expect(pauses.queues.size).toBe(1);
	});
});

it('no request is sent during a pause, every request is sent or rejected, and no state remains', async () => {
	const anyEvent = fc.oneof(
		fc.record({ kind: fc.constant('pause' as const), ms: fc.integer({ min: 0, max: 5000 }) }),
		fc.record({
			kind: fc.constant('request' as const),
			maxRetryDelayMs: fc.integer({ min: 0, max: 6000 }),
			patienceMs: fc.integer({ min: 0, max: 20_000 }),
			takesMs: fc.integer({ min: 0, max: 3000 }),
			ending: fc.constantFrom('success', 'rejected', 'failed', 'cancelled'),
		}),
		fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 3000 }) }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(anyEvent, { maxLength: 60 }), async (events) => {
			const { clock, pauses } = createPauses();
			let pendingCount = 0;
			let pauseEndMs = 0;
			const sentTooEarly: number[] = [];
			const pause = (ms: number) => {
				pauseEndMs = Math.max(pauseEndMs, clock.monotonic() + ms);
				pauses.pause('a', ms);
			};
			for (const event of events) {
				// A request that is released at this moment is sent before the next event.
				await settlePromises();
				if (event.kind === 'advance') await clock.advance(event.ms);
				else if (event.kind === 'pause') pause(event.ms);
				else {
					const { maxRetryDelayMs, patienceMs, takesMs, ending } = event;
					const cancellation = new AbortController();
					pendingCount++;
					const until = clock.monotonic() + patienceMs;
					const sendRequest = async () => {
						const release = await pauses.enter(
							'a',
							pauses.ticket(),
							{ maxRetryDelayMs, until },
							cancellation.signal,
						);
						if (clock.monotonic() < pauseEndMs) sentTooEarly.push(clock.monotonic());
						await clock.sleep(takesMs);
						if (ending === 'rejected') pause(1000);
						release(ending === 'success');
					};
					void sendRequest()
						.catch(() => undefined)
						.finally(() => pendingCount--);
					if (ending === 'cancelled') void clock.sleep(takesMs).then(() => cancellation.abort());
				}
			}
			await clock.advance(10_000_000);
			pauses.remainingPauseMs('a');
			return sentTooEarly.length === 0 && pendingCount === 0 && pauses.queues.size === 0;
		}),
		{ numRuns: 200 },
	);
});
