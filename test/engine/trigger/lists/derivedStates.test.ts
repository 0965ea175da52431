// Protects events whose starts are not requested yet: the saved state of a record does not count them as known.
import type { IDataObject } from 'n8n-workflow';

import { deriveEvents } from '../../../../nodes/engine/trigger/lists/core';
import { stillHolds } from '../../../../nodes/engine/trigger/lists/core/derivedEvents';
import type { PollCircumstances } from '../../../../nodes/engine/trigger/lists/core/recordAge';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const compared = createList({ isFiltered: false });
const filtered = createList({ changeSchema: { ...compared.changeSchema, stamp: 'Stamp' } });
const circumstances: PollCircumstances = {
	known: undefined,
	followedSince: NOON,
	isFirstPoll: false,
	areDatesInconclusive: false,
	includeExisting: false,
	intervalMs: MINUTE,
	kinds: new Set(['created', 'checkedIn', 'status', 'updated']),
};
const derive = (
	record: IDataObject,
	definition = compared,
	overrides: Partial<PollCircumstances> = {},
) => deriveEvents(record, definition, { ...circumstances, ...overrides });
const deriveState = (record: IDataObject) => derive(record).after;

describe('the one-time events of a state', () => {
	test('are those whose dates the record has, and always its creation', () => {
		expect(deriveState({}).happenedEvents).toBe(0b01);
		expect(deriveState({ CreatedAt: formatTime(0) }).happenedEvents).toBe(0b01);
		expect(deriveState({ CheckIn: formatTime(0) }).happenedEvents).toBe(0b11);
		const oneTimeEvents = [{ kind: 'checkedIn', dateFields: ['CheckIn'] }];
		const definition = createList({ changeSchema: { oneTimeEvents } });
		expect(derive({}, definition).after.happenedEvents).toBe(0);
		expect(derive({ CheckIn: formatTime(0) }, definition).after.happenedEvents).toBe(1);
	});
});

describe('a new record whose creation the user did not select', () => {
	const isUpdated = (record: IDataObject) =>
		derive(record, filtered, { kinds: new Set(['updated']) }).events.length > 0;
	const formatWithoutZone = (afterMs: number) => formatTime(afterMs).slice(0, -1);

	test('does not start if the date of its creation or change is missing or has no zone', () => {
		expect(isUpdated({ CreatedAt: formatTime(0), Stamp: formatWithoutZone(HOUR) })).toBe(false);
		expect(isUpdated({ CreatedAt: formatWithoutZone(0), Stamp: formatTime(20 * HOUR) })).toBe(
			false,
		);
		expect(isUpdated({ CreatedAt: formatTime(0) })).toBe(false);
	});
});

test('stillHolds compares only the contents for an update if the list has no status field', () => {
	const knownState = deriveState({ Name: 'A' });
	expect(stillHolds('updated', createList(), knownState, knownState)).toBe(true);
	expect(stillHolds('updated', createList(), knownState, deriveState({ Name: 'B' }))).toBe(false);
});
