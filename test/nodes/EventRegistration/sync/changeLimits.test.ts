import {
	findExceededLimit,
	readChangeLimit,
} from '../../../../nodes/EventRegistration/contact/sync/changeLimits';
import { makePlan } from '../../../../nodes/EventRegistration/contact/sync/plan';
import { contact, row, scopeOf } from './world';

const byEmail = scopeOf('Email', 'Email', 'LastName');

describe('the limits', () => {
	const members = (count: number) =>
		Array.from({ length: count }, (_, at) => contact(byEmail, at + 1, [`${at}@x.org`, 'Old']));
	/** Keeps the first contacts of the list and leaves out the rest. */
	const exceeded = (size: number, kept: number, limits = {}, name = 'Old') => {
		const rows = members(kept).map(({ values }, index) => row(byEmail, index, [values[0], name]));
		const contacts = members(size);
		return findExceededLimit(
			makePlan(byEmail, rows, contacts, { missing: 'remove', asOf: 0 }),
			size,
			limits,
		);
	};

	it('stop removals above the larger of 5 contacts and 10 %', () => {
		expect(exceeded(20, 15)).toBeUndefined();
		expect(exceeded(20, 14)).toMatch(/^6 contacts would be removed of 20/);
		expect(exceeded(100, 90)).toBeUndefined();
		expect(exceeded(100, 89)).toMatch(/^11 contacts would be removed of 100/);
	});

	it('are numbers or percentages of the list', () => {
		expect(exceeded(20, 14, { removals: readChangeLimit('6', 'Limit') })).toBeUndefined();
		expect(exceeded(20, 19, { removals: readChangeLimit(0, 'Limit') })).toMatch(/more than 0$/);
		expect(exceeded(100, 71, { removals: readChangeLimit(' 29 % ', 'Limit') })).toBeUndefined();
		expect(exceeded(100, 70, { removals: readChangeLimit('29%', 'Limit') })).toMatch(
			/more than 29%$/,
		);
	});

	it('stop changes only if the user set one', () => {
		expect(exceeded(10, 10, {}, 'New')).toBeUndefined();
		expect(exceeded(10, 10, { changes: readChangeLimit('100%', 'Limit') }, 'New')).toBeUndefined();
		expect(exceeded(10, 10, { changes: readChangeLimit('9', 'Limit') }, 'New')).toMatch(
			/^10 contacts would be added or changed, more than 9$/,
		);
	});

	it('are no share of an empty list', () => {
		const added = (size: number, limit: string) =>
			exceeded(size, size + 3, { changes: readChangeLimit(limit, 'Limit') });
		expect(added(0, '10%')).toBeUndefined();
		expect(added(0, '2')).toMatch(/^3 contacts would be added or changed, more than 2$/);
		expect(added(1, '10%')).toMatch(/^3 contacts would be added or changed, more than 10%$/);
	});

	it.each(['many', '-1', '1.5', '10 percent', ''])('cannot be "%s"', (given) => {
		expect(() => readChangeLimit(given, 'Limit')).toThrow(
			/'Limit' must be a number or a percentage/,
		);
	});
});
