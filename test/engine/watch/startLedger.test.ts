import { REPEAT_STARTS_FOR_MS, StartLedger } from '../../../nodes/engine/watch/startLedger';

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const NOW_MS = Date.UTC(2026, 10, 15, 12);

const createLedger = (repeatForMs = REPEAT_STARTS_FOR_MS) => new StartLedger<string>(repeatForMs);
/** Creates a start that was requested this long before the last restart. */
const createStartBeforeRestart = (key: string, ageMs: number, isExpired = false) => ({
	key,
	cause: `of ${key}`,
	requestedAt: NOW_MS - ageMs,
	isExpired,
});

describe('a requested start', () => {
	test('is pending until it is removed', () => {
		const ledger = createLedger();
		ledger.recordRequest('a', 'of a', NOW_MS);
		expect(ledger.all()).toMatchObject([
			{ key: 'a', cause: 'of a', requestedAt: NOW_MS, isRejected: false, isExpired: false },
		]);
		ledger.remove('a');
		expect(ledger.all()).toEqual([]);
		expect(ledger.get('a')).toBeUndefined();
	});

	test('keeps the time of its first request, and the contents of its last one', () => {
		const ledger = createLedger();
		ledger.recordRequest('a', 'first', NOW_MS);
		ledger.recordRequest('a', 'second', NOW_MS + HOUR_MS);
		ledger.recordRepeatedRequest('a', NOW_MS + 2 * HOUR_MS);
		expect(ledger.all()).toMatchObject([{ cause: 'second', requestedAt: NOW_MS }]);
	});

	test('takes the time of a later request for which the clock was set back', () => {
		const ledger = createLedger();
		ledger.restore(createStartBeforeRestart('a', HOUR_MS), NOW_MS);
		ledger.recordRepeatedRequest('a', NOW_MS - 24 * HOUR_MS);
		expect(ledger.get('a')?.requestedAt).toBe(NOW_MS - 24 * HOUR_MS);
	});

	test('keeps its place in the order when it is requested again', () => {
		const ledger = createLedger();
		for (const key of ['a', 'b', 'a']) ledger.recordRequest(key, '', NOW_MS);
		expect(ledger.all().map(({ key }) => key)).toEqual(['a', 'b']);
	});

	test('never expires in the process that requested it', () => {
		const ledger = createLedger();
		ledger.recordRequest('a', 'of a', NOW_MS);
		expect(ledger.expireIfDue('a', NOW_MS + 1000 * HOUR_MS)).toBe(false);
		expect(ledger.takeExpired()).toEqual([]);
	});
});

describe('a rejected start', () => {
	test('is requested again after a delay that doubles from one second up to a minute', () => {
		const ledger = createLedger();
		ledger.recordRequest('a', '', NOW_MS);
		const delaysSeconds = Array.from(
			{ length: 8 },
			() => ledger.recordRejection('a').retryAfterMs / SECOND_MS,
		);
		expect(delaysSeconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
		for (let count = 0; count < 2000; count++) ledger.recordRejection('a');
		expect(ledger.recordRejection('a').retryAfterMs).toBe(60 * SECOND_MS);
	});

	test('has its own delay, which begins with one second again once the start was removed', () => {
		const ledger = createLedger();
		for (const key of ['a', 'b']) ledger.recordRequest(key, '', NOW_MS);
		for (let count = 0; count < 3; count++) ledger.recordRejection('a');
		expect(ledger.recordRejection('b').retryAfterMs).toBe(SECOND_MS);
		ledger.remove('a');
		ledger.recordRequest('a', '', NOW_MS);
		expect(ledger.recordRejection('a').retryAfterMs).toBe(SECOND_MS);
	});

	test('has not run, so it gets the time of its next request', () => {
		const ledger = createLedger();
		ledger.recordRequest('a', '', NOW_MS);
		ledger.recordRejection('a');
		expect(ledger.get('a')).toMatchObject({ isRejected: true, requestedAt: NOW_MS });
		ledger.recordRepeatedRequest('a', NOW_MS + HOUR_MS);
		expect(ledger.get('a')).toMatchObject({ isRejected: false, requestedAt: NOW_MS + HOUR_MS });
		ledger.recordRejection('a');
		ledger.recordRequest('a', '', NOW_MS + 2 * HOUR_MS);
		expect(ledger.get('a')).toMatchObject({ isRejected: false, requestedAt: NOW_MS + 2 * HOUR_MS });
	});

	test('keeps its time if it was also requested before the restart, since it may have run then', () => {
		const ledger = createLedger();
		ledger.restore(createStartBeforeRestart('a', HOUR_MS), NOW_MS);
		ledger.recordRejection('a');
		ledger.recordRequest('a', '', NOW_MS + HOUR_MS);
		expect(ledger.get('a')).toMatchObject({ isRejected: false, requestedAt: NOW_MS - HOUR_MS });
	});

	test('is reported at its fifth rejection in a row, once for all starts', () => {
		const ledger = createLedger();
		for (const key of ['a', 'b']) ledger.recordRequest(key, '', NOW_MS);
		const rejectRepeatedly = (key: string, times: number) =>
			Array.from({ length: times }, () => ledger.recordRejection(key).shouldReport);
		expect(rejectRepeatedly('b', 4)).toEqual([false, false, false, false]);
		expect(rejectRepeatedly('a', 6)).toEqual([false, false, false, false, true, false]);
		expect(rejectRepeatedly('b', 3)).toEqual([false, false, false]);
	});

	test('is not added to the ledger if it was never requested', () => {
		const ledger = createLedger();
		for (let count = 0; count < 6; count++) {
			expect(ledger.recordRejection('a')).toEqual({ retryAfterMs: SECOND_MS, shouldReport: false });
		}
		ledger.recordRepeatedRequest('a', NOW_MS);
		expect(ledger.all()).toEqual([]);
	});
});

describe('a start that was requested before the last restart', () => {
	test('is requested again for 72 hours', () => {
		const ledger = createLedger();
		expect(ledger.restore(createStartBeforeRestart('a', 72 * HOUR_MS - 1), NOW_MS)).toMatchObject({
			isExpired: false,
		});
		expect(ledger.restore(createStartBeforeRestart('b', 72 * HOUR_MS), NOW_MS)).toMatchObject({
			isExpired: true,
		});
		expect(ledger.all().map(({ key, isExpired }) => [key, isExpired])).toEqual([
			['a', false],
			['b', true],
		]);
	});

	test('is never requested again if n8n does not store deduplication keys', () => {
		expect(createLedger(0).restore(createStartBeforeRestart('a', 0), NOW_MS).isExpired).toBe(true);
	});

	test('expires while the process runs, 72 hours after its request', () => {
		const ledger = createLedger();
		ledger.restore(createStartBeforeRestart('a', 71 * HOUR_MS), NOW_MS);
		expect(ledger.expireIfDue('a', NOW_MS + HOUR_MS - 1)).toBe(false);
		expect(ledger.takeExpired()).toEqual([]);
		expect(ledger.expireIfDue('a', NOW_MS + HOUR_MS)).toBe(true);
		expect(ledger.takeExpired()).toEqual(['of a']);
	});

	test('is reported once, and not again after the next restart', () => {
		const ledger = createLedger();
		ledger.restore(createStartBeforeRestart('a', 73 * HOUR_MS), NOW_MS);
		ledger.restore(createStartBeforeRestart('b', 80 * HOUR_MS, true), NOW_MS);
		ledger.restore(createStartBeforeRestart('c', 90 * HOUR_MS), NOW_MS);
		expect(ledger.takeExpired()).toEqual(['of a', 'of c']);
		expect(ledger.expireIfDue('a', NOW_MS)).toBe(true);
		expect(ledger.expireIfDue('b', NOW_MS)).toBe(true);
		expect(ledger.takeExpired()).toEqual([]);
	});

	test('is reported even if it was removed', () => {
		const ledger = createLedger();
		ledger.restore(createStartBeforeRestart('a', 73 * HOUR_MS), NOW_MS);
		ledger.remove('a');
		expect(ledger.takeExpired()).toEqual(['of a']);
	});

	test('gets the current time if its saved time is in the future', () => {
		const ledger = createLedger();
		expect(ledger.restore(createStartBeforeRestart('a', -5 * HOUR_MS), NOW_MS).requestedAt).toBe(
			NOW_MS,
		);
		expect(ledger.expireIfDue('a', NOW_MS + 72 * HOUR_MS)).toBe(true);
	});

	test('has not expired if the ledger does not contain it', () => {
		expect(createLedger().expireIfDue('a', NOW_MS)).toBe(false);
	});
});
