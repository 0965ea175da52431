// Protects contact lists from wrong input: more removals or changes than the limit allows stop Sync.
import {
	findExceededLimit,
	readChangeLimit,
} from '../../../../nodes/EventRegistration/contact/sync/changeLimits';
import { makePlan } from '../../../../nodes/EventRegistration/contact/sync/plan';
import { makeContact, makeRow, makeScope } from './planSamples';

const byEmail = makeScope('Email', 'Email', 'LastName');

describe('the change limits', () => {
	const makeMembers = (count: number) =>
		Array.from({ length: count }, (_, index) =>
			makeContact(byEmail, index + 1, [`${index}@x.org`, 'Old']),
		);
	/** Plans a Sync that keeps the first contacts of a list and removes the others. Returns the limit that it exceeds. */
	const getExceededLimit = (listSize: number, keptCount: number, limits = {}, lastName = 'Old') => {
		const rows = makeMembers(keptCount).map(({ values }, index) =>
			makeRow(byEmail, index, [values[0], lastName]),
		);
		const contacts = makeMembers(listSize);
		return findExceededLimit(
			makePlan(byEmail, rows, contacts, { missingPolicy: 'remove', asOf: 0 }),
			listSize,
			limits,
		);
	};

	it('the default limit stops removals above the larger of 5 contacts and 10 %', () => {
		expect(getExceededLimit(20, 15)).toBeUndefined();
		expect(getExceededLimit(20, 14)).toBe(
			'6 of 20 contacts would be removed, more than the larger of 5 contacts and 10%',
		);
		expect(getExceededLimit(100, 90)).toBeUndefined();
		expect(getExceededLimit(100, 89)).toMatch(/^11 of 100 contacts would be removed/);
	});

	it('a limit is a number or a percentage of the list', () => {
		expect(getExceededLimit(20, 14, { removals: readChangeLimit('6', 'Limit') })).toBeUndefined();
		expect(getExceededLimit(20, 19, { removals: readChangeLimit(0, 'Limit') })).toMatch(
			/more than 0$/,
		);
		expect(getExceededLimit(1, 0, { removals: readChangeLimit(0, 'Limit') })).toMatch(
			/^1 of 1 contact would be removed/,
		);
		expect(
			getExceededLimit(100, 71, { removals: readChangeLimit(' 29 % ', 'Limit') }),
		).toBeUndefined();
		expect(getExceededLimit(100, 70, { removals: readChangeLimit('29%', 'Limit') })).toMatch(
			/more than 29%$/,
		);
	});

	it('additions and updates are limited only if the user sets a limit', () => {
		expect(getExceededLimit(10, 10, {}, 'New')).toBeUndefined();
		expect(
			getExceededLimit(10, 10, { changes: readChangeLimit('100%', 'Limit') }, 'New'),
		).toBeUndefined();
		expect(getExceededLimit(10, 10, { changes: readChangeLimit('9', 'Limit') }, 'New')).toMatch(
			/^10 contacts would be added or changed, more than 9$/,
		);
	});

	it('a percentage does not limit additions to an empty list', () => {
		const addThree = (listSize: number, limit: string) =>
			getExceededLimit(listSize, listSize + 3, { changes: readChangeLimit(limit, 'Limit') });
		expect(addThree(0, '10%')).toBeUndefined();
		expect(addThree(0, '2')).toMatch(/^3 contacts would be added or changed, more than 2$/);
		expect(addThree(1, '10%')).toMatch(/^3 contacts would be added or changed, more than 10%$/);
	});

	it.each(['many', '-1', '1.5', '10 percent', ''])('a limit cannot be "%s"', (text) => {
		expect(() => readChangeLimit(text, 'Limit')).toThrow(
			/'Limit' must be a number or a percentage/,
		);
	});
});
