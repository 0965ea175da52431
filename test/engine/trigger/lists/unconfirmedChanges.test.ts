import { UnconfirmedChanges } from '../../../../nodes/engine/trigger/lists/core/unconfirmedChanges';

describe('the cursor from which all unconfirmed changes are read again', () => {
	test('is the reached cursor if there is no unconfirmed change', () => {
		const changes = new UnconfirmedChanges();
		expect(changes.earliestCursor(100)).toBe(100);
		expect(changes.earliestCursor(undefined)).toBeUndefined();
	});

	test('is the earliest cursor at which an unconfirmed change was read', () => {
		const changes = new UnconfirmedChanges();
		changes.add(50);
		const confirm = changes.add(20);
		changes.add(70);
		expect(changes.earliestCursor(100)).toBe(20);
		confirm();
		expect(changes.earliestCursor(100)).toBe(50);
		expect(changes.earliestCursor(10)).toBe(10);
	});

	test('stays until both of two changes that were read at the same cursor are confirmed', () => {
		const changes = new UnconfirmedChanges();
		const confirmFirst = changes.add(20);
		const confirmSecond = changes.add(20);
		confirmFirst();
		expect(changes.earliestCursor(100)).toBe(20);
		confirmSecond();
		expect(changes.earliestCursor(100)).toBe(100);
	});

	test('is undefined if a change was read in a poll that must count as the first one again', () => {
		const changes = new UnconfirmedChanges();
		const confirm = changes.add(undefined);
		changes.add(20);
		expect(changes.earliestCursor(100)).toBeUndefined();
		confirm();
		expect(changes.earliestCursor(100)).toBe(20);
		expect(changes.earliestCursor(undefined)).toBeUndefined();
	});
});
