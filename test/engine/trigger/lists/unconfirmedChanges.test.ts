import { UnconfirmedChanges } from '../../../../nodes/engine/trigger/lists/core/unconfirmedChanges';

describe('the cursor from which all unconfirmed changes are read again', () => {
	test('is what was reached if there is none', () => {
		const changes = new UnconfirmedChanges();
		expect(changes.earliestCursor(100)).toBe(100);
		expect(changes.earliestCursor(undefined)).toBeUndefined();
	});

	test('is the earliest at which one of them was read, until that one is confirmed', () => {
		const changes = new UnconfirmedChanges();
		changes.add(50);
		const confirm = changes.add(20);
		changes.add(70);
		expect(changes.earliestCursor(100)).toBe(20);
		confirm();
		expect(changes.earliestCursor(100)).toBe(50);
		expect(changes.earliestCursor(10)).toBe(10);
	});

	test('counts two changes that were read at the same cursor one by one', () => {
		const changes = new UnconfirmedChanges();
		const confirmFirst = changes.add(20);
		const confirmSecond = changes.add(20);
		confirmFirst();
		expect(changes.earliestCursor(100)).toBe(20);
		confirmSecond();
		expect(changes.earliestCursor(100)).toBe(100);
	});

	test('is missing if one of them was read in a poll that must count as the first again', () => {
		const changes = new UnconfirmedChanges();
		const confirm = changes.add(undefined);
		changes.add(20);
		expect(changes.earliestCursor(100)).toBeUndefined();
		confirm();
		expect(changes.earliestCursor(100)).toBe(20);
		expect(changes.earliestCursor(undefined)).toBeUndefined();
	});
});
