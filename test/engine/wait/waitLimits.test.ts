// Protects how long a node waits: Limit Wait Time means the length or date that the user chose, in the workflow's time zone.
import type { ReadContext } from '../../../nodes/engine/field';
import { limitWaitTime } from '../../../nodes/engine/wait/limitWaitTime';
import { intervalOf, secondsToWait } from '../../../nodes/engine/wait/wait';
import { errorFrom } from '../../support/errorFrom';

const readRaw = (raw: unknown, timezone = 'UTC') =>
	limitWaitTime.read!(raw, { timezone } as ReadContext, 'Limit Wait Time');
const read = (values: object, timezone?: string) => readRaw({ values }, timezone);

describe('Limit Wait Time', () => {
	it.each<[object, number]>([
		[{}, 3600],
		[{ resumeAmount: 2 }, 7200],
		[{ resumeAmount: 1, resumeUnit: 'minutes' }, 60],
		[{ resumeAmount: 0.01, resumeUnit: 'minutes' }, 0.6],
		[{ resumeAmount: 2, resumeUnit: 'days' }, 172_800],
	])('reads %j as %d seconds', (values, seconds) => {
		expect(read(values)).toBe(seconds);
	});

	it.each([undefined, {}, { values: '' }])('is no limit if n8n has stored %j', (raw) => {
		expect(readRaw(raw)).toBeUndefined();
	});

	describe('as a date', () => {
		beforeEach(() => {
			jest.useFakeTimers({ now: Date.UTC(2026, 0, 5, 9) });
		});
		afterEach(() => {
			jest.useRealTimers();
		});
		const readDate = (maxDateAndTime: string) =>
			read({ limitType: 'atSpecifiedTime', maxDateAndTime }, 'Asia/Tokyo');

		it('is read in the time zone of the workflow', () => {
			expect(readDate('2026-01-05T18:10:00')).toBe(600);
		});

		it('is one second if the date has passed', () => {
			expect(readDate('2026-01-05T17:00:00')).toBe(1);
		});
	});

	it.each<[string, object, string, string]>([
		['no amount', { resumeAmount: 0 }, 'longer than 0', 'an amount above 0'],
		['a negative amount', { resumeAmount: -5 }, 'longer than 0', 'an amount above 0'],
		['an amount that is no number', { resumeAmount: 'soon' }, 'must be a number', ''],
		['a blank amount', { resumeAmount: null }, 'must be a number', ''],
		['an unknown unit', { resumeUnit: 'moons' }, 'longer than 0', "Check 'Limit Wait Time'"],
		['a blank unit', { resumeUnit: null }, 'longer than 0', ''],
		['an unknown type', { limitType: 'someday' }, 'is not known', "Choose 'After Time Interval'"],
		['a blank type', { limitType: null }, 'is not known', ''],
		['no date', { limitType: 'atSpecifiedTime' }, 'has no date', "Choose 'Max Date and Time'"],
		[
			'a text that is no date',
			{ limitType: 'atSpecifiedTime', maxDateAndTime: 'x' },
			"'Max Date and Time' must be a date",
			'',
		],
	])('rejects %s', (_, values, message, advice) => {
		const error = errorFrom(() => read(values));
		expect(error.message).toContain(message);
		expect(error.advice).toContain(advice);
	});
});

describe('the limits of a wait', () => {
	it.each<[object, number]>([
		[{}, 300],
		[{ waitLimit: 0 }, 1],
		[{ waitLimit: 1 }, 1],
		[{ waitLimit: 90_000 }, 90_000],
		[{ limitWaitTime: undefined }, Infinity],
		[{ limitWaitTime: 60 }, 60],
	])('%j waits %d seconds', (values, seconds) => {
		expect(secondsToWait(values)).toBe(seconds);
	});

	it.each<[unknown, number]>([
		[undefined, 2000],
		[0, 1000],
		[1, 1000],
		[3, 3000],
		[60, 3000],
	])('an interval of %p is %d ms', (checkEvery, ms) => {
		expect(intervalOf({ checkEvery })).toBe(ms);
	});
});
