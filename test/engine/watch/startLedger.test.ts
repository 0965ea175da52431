import { REPEAT_STARTS_FOR_MS, StartLedger } from '../../../nodes/engine/watch/startLedger';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const NOW = Date.UTC(2026, 10, 15, 12);

const createLedger = (repeatForMs = REPEAT_STARTS_FOR_MS) => new StartLedger<string>(repeatForMs);
/** A start that was requested this long before the last restart. */
const startBeforeRestart = (key: string, ageMs: number, isExpired = false) => ({
	key,
	cause: `of ${key}`,
	requestedAt: NOW - ageMs,
	isExpired,
});

describe('a requested start', () => {
	test('is pending until it is removed', () => {
		const ledger = createLedger();
		ledger.request('a', 'of a', NOW);
		expect(ledger.all()).toMatchObject([
			{ key: 'a', cause: 'of a', requestedAt: NOW, isRejected: false, isExpired: false },
		]);
		ledger.remove('a');
		expect(ledger.all()).toEqual([]);
		expect(ledger.get('a')).toBeUndefined();
	});

	test('keeps the time of its first request, and the contents of its last one', () => {
		const ledger = createLedger();
		ledger.request('a', 'first', NOW);
		ledger.request('a', 'second', NOW + HOUR);
		ledger.requestAgain('a', NOW + 2 * HOUR);
		expect(ledger.all()).toMatchObject([{ cause: 'second', requestedAt: NOW }]);
	});

	test('keeps its place when it is requested again', () => {
		const ledger = createLedger();
		for (const key of ['a', 'b', 'a']) ledger.request(key, '', NOW);
		expect(ledger.all().map(({ key }) => key)).toEqual(['a', 'b']);
	});

	test('never expires in the process that requested it', () => {
		const ledger = createLedger();
		ledger.request('a', 'of a', NOW);
		expect(ledger.expireIfDue('a', NOW + 1000 * HOUR)).toBe(false);
		expect(ledger.takeExpired()).toEqual([]);
	});
});

describe('a rejected start', () => {
	test('is requested again after a delay that doubles from one second up to a minute', () => {
		const ledger = createLedger();
		ledger.request('a', '', NOW);
		const delays = Array.from({ length: 8 }, () => ledger.reject('a').retryAfterMs / SECOND);
		expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
		for (let count = 0; count < 2000; count++) ledger.reject('a');
		expect(ledger.reject('a').retryAfterMs).toBe(60 * SECOND);
	});

	test('has a delay of its own, which starts again at one second once it was confirmed', () => {
		const ledger = createLedger();
		for (const key of ['a', 'b']) ledger.request(key, '', NOW);
		for (let count = 0; count < 3; count++) ledger.reject('a');
		expect(ledger.reject('b').retryAfterMs).toBe(SECOND);
		ledger.remove('a');
		ledger.request('a', '', NOW);
		expect(ledger.reject('a').retryAfterMs).toBe(SECOND);
	});

	test('has certainly not run, so the time of the next request counts', () => {
		const ledger = createLedger();
		ledger.request('a', '', NOW);
		ledger.reject('a');
		expect(ledger.get('a')).toMatchObject({ isRejected: true, requestedAt: NOW });
		ledger.requestAgain('a', NOW + HOUR);
		expect(ledger.get('a')).toMatchObject({ isRejected: false, requestedAt: NOW + HOUR });
		ledger.reject('a');
		ledger.request('a', '', NOW + 2 * HOUR);
		expect(ledger.get('a')).toMatchObject({ isRejected: false, requestedAt: NOW + 2 * HOUR });
	});

	test('keeps its time if it was requested before the restart and may have run then', () => {
		const ledger = createLedger();
		ledger.restore(startBeforeRestart('a', HOUR), NOW);
		ledger.reject('a');
		ledger.request('a', '', NOW + HOUR);
		expect(ledger.get('a')).toMatchObject({ isRejected: false, requestedAt: NOW - HOUR });
	});

	test('is reported at its fifth rejection in a row, once for all starts', () => {
		const ledger = createLedger();
		for (const key of ['a', 'b']) ledger.request(key, '', NOW);
		const reports = (key: string, times: number) =>
			Array.from({ length: times }, () => ledger.reject(key).shouldReport);
		expect(reports('b', 4)).toEqual([false, false, false, false]);
		expect(reports('a', 6)).toEqual([false, false, false, false, true, false]);
		expect(reports('b', 3)).toEqual([false, false, false]);
	});

	test('is not added if it is not in the ledger', () => {
		const ledger = createLedger();
		for (let count = 0; count < 6; count++) {
			expect(ledger.reject('a')).toEqual({ retryAfterMs: SECOND, shouldReport: false });
		}
		ledger.requestAgain('a', NOW);
		expect(ledger.all()).toEqual([]);
	});
});

describe('a start that was requested before the last restart', () => {
	test('is requested again for 72 hours', () => {
		const ledger = createLedger();
		expect(ledger.restore(startBeforeRestart('a', 72 * HOUR - 1), NOW)).toMatchObject({
			isExpired: false,
		});
		expect(ledger.restore(startBeforeRestart('b', 72 * HOUR), NOW)).toMatchObject({
			isExpired: true,
		});
		expect(ledger.all().map(({ key, isExpired }) => [key, isExpired])).toEqual([
			['a', false],
			['b', true],
		]);
	});

	test('is never requested again if n8n does not store deduplication keys', () => {
		expect(createLedger(0).restore(startBeforeRestart('a', 0), NOW).isExpired).toBe(true);
	});

	test('expires later if its records have not been read yet', () => {
		const ledger = createLedger();
		ledger.restore(startBeforeRestart('a', 71 * HOUR), NOW);
		expect(ledger.expireIfDue('a', NOW + HOUR - 1)).toBe(false);
		expect(ledger.takeExpired()).toEqual([]);
		expect(ledger.expireIfDue('a', NOW + HOUR)).toBe(true);
		expect(ledger.takeExpired()).toEqual(['of a']);
	});

	test('is reported once, and not again after the next restart', () => {
		const ledger = createLedger();
		ledger.restore(startBeforeRestart('a', 73 * HOUR), NOW);
		ledger.restore(startBeforeRestart('b', 80 * HOUR, true), NOW);
		ledger.restore(startBeforeRestart('c', 90 * HOUR), NOW);
		expect(ledger.takeExpired()).toEqual(['of a', 'of c']);
		expect(ledger.expireIfDue('a', NOW)).toBe(true);
		expect(ledger.expireIfDue('b', NOW)).toBe(true);
		expect(ledger.takeExpired()).toEqual([]);
	});

	test('is reported even if it was removed', () => {
		const ledger = createLedger();
		ledger.restore(startBeforeRestart('a', 73 * HOUR), NOW);
		ledger.remove('a');
		expect(ledger.takeExpired()).toEqual(['of a']);
	});

	test('gets the current time if its time is in the future', () => {
		const ledger = createLedger();
		expect(ledger.restore(startBeforeRestart('a', -5 * HOUR), NOW).requestedAt).toBe(NOW);
		expect(ledger.expireIfDue('a', NOW + 72 * HOUR)).toBe(true);
	});

	test('is not reported as expired if the ledger does not contain it', () => {
		expect(createLedger().expireIfDue('a', NOW)).toBe(false);
	});
});
