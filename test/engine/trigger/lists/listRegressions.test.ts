import type { FollowHistory } from './listHistory';
import { violatedInvariants } from './listOracle';
import { ListSimulation } from './listSimulation';

/** A history without events and faults. */
const QUIET_HISTORY: FollowHistory = {
	seed: 0,
	isFiltered: false,
	kinds: ['created', 'updated', 'checkedIn'],
	listCount: 1,
	waitsForFirstPoll: true,
	initialRecordCount: 1,
	events: [],
	recordOrder: 'oldest',
	pageSize: 5,
	hasWholeSeconds: false,
	dateFormat: 'zoned',
	dateHeader: 'always',
	skewMs: 0,
	intervalMs: 10_000,
	overlapMs: 30_000,
	rejectedStartsPercent: 0,
	longRunsPercent: 0,
	maxWriteMs: 10,
	failedWritesPercent: 0,
	keepsKeys: true,
	batchesChanges: false,
	includeExisting: false,
	maxUnconfirmed: 2,
};

/** Checks a person in, or out if the person is checked in. */
const toggleCheckIn = (recordNumber: number, lateMs = 0) => ({
	kind: 'checkIn' as const,
	recordNumber,
	lateMs,
});
const edit = { kind: 'edit' as const, recordNumber: 0, lateMs: 0 };
const create = { kind: 'create' as const, listIndex: 0, lateMs: 0 };

/** Plays a history, and expects that it violates no invariant. */
async function expectInvariants(history: Partial<FollowHistory>): Promise<void> {
	const simulation = new ListSimulation({ ...QUIET_HISTORY, ...history });
	await simulation.simulate();
	expect(violatedInvariants(simulation)).toEqual([]);
}

// An earlier version lost a change in each of these histories, or started it twice.
describe('every change starts the workflow once', () => {
	test('if an attendee checks out, is edited, and checks in again with the earlier time', async () => {
		await expectInvariants({
			kinds: ['updated', 'checkedIn'],
			events: [
				{
					afterMs: 0,
					event: { kind: 'changesBetweenPages', changes: [toggleCheckIn(0, 10_391), edit] },
				},
				{ afterMs: 83, event: { kind: 'localClock', byMs: 0 } },
				{
					afterMs: 1630,
					event: { kind: 'changes', changes: [toggleCheckIn(0), toggleCheckIn(0, 366)] },
				},
			],
			pageSize: 2,
		});
	});

	test('if a service without Date headers has old records', async () => {
		await expectInvariants({
			kinds: ['created', 'checkedIn'],
			initialRecordCount: 4,
			dateHeader: 'never',
			keepsKeys: false,
			includeExisting: true,
		});
	});

	test('if only one of two changes to a record was started when n8n was killed', async () => {
		await expectInvariants({
			listCount: 3,
			waitsForFirstPoll: false,
			initialRecordCount: 3,
			events: [
				{ afterMs: 0, event: { kind: 'changes', changes: [create, toggleCheckIn(7, 3526)] } },
				{ afterMs: 1161, event: { kind: 'changesBetweenPages', changes: [create] } },
				{ afterMs: 3542, event: { kind: 'kill', downtimeMs: 3000 } },
			],
			recordOrder: 'any',
			pageSize: 3,
			longRunsPercent: 60,
			maxWriteMs: 1500,
			includeExisting: true,
			maxUnconfirmed: 5,
		});
	});

	test('if only one of two changes in a filtered list was started when the trigger was closed', async () => {
		await expectInvariants({
			seed: 16,
			isFiltered: true,
			listCount: 2,
			initialRecordCount: 3,
			events: [
				{ afterMs: 0, event: { kind: 'kill', downtimeMs: 3000 } },
				{ afterMs: 0, event: { kind: 'changes', changes: [create, edit] } },
				{ afterMs: 128, event: { kind: 'changes', changes: [create, toggleCheckIn(9), edit] } },
				{ afterMs: 716, event: { kind: 'reopen', downtimeMs: 0, isStale: false } },
			],
			recordOrder: 'newest',
			pageSize: 4,
			skewMs: 5000,
			longRunsPercent: 60,
			includeExisting: true,
		});
	});
});
