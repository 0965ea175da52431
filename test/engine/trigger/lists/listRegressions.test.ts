import type { FollowHistory } from './listHistory';
import { violatedInvariants } from './listOracle';
import { ListSimulation } from './listSimulation';

const QUIET: FollowHistory = {
	seed: 0,
	isFiltered: false,
	kinds: ['created', 'updated', 'checkedIn'],
	lists: 1,
	waitsForFirstPoll: true,
	initialRecords: 1,
	events: [],
	order: 'oldest',
	pageSize: 5,
	hasWholeSeconds: false,
	dates: 'zoned',
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

const toggleCheckIn = (pick: number, lateMs = 0) => ({ kind: 'checkIn' as const, pick, lateMs });
const edit = { kind: 'edit' as const, pick: 0, lateMs: 0 };
const create = { kind: 'create' as const, list: 0, lateMs: 0 };

async function expectInvariants(history: Partial<FollowHistory>): Promise<void> {
	const simulation = new ListSimulation({ ...QUIET, ...history });
	await simulation.simulate();
	expect(violatedInvariants(simulation)).toEqual([]);
}

describe('histories in which a change was once lost or started twice', () => {
	test('an attendee checks out, is edited, and checks in again with the earlier time', async () => {
		await expectInvariants({
			kinds: ['updated', 'checkedIn'],
			events: [
				{
					afterMs: 0,
					event: { kind: 'changesBetweenPages', changes: [toggleCheckIn(0, 10_391), edit] },
				},
				{ afterMs: 83, event: { kind: 'clock', byMs: 0 } },
				{
					afterMs: 1630,
					event: { kind: 'changes', changes: [toggleCheckIn(0), toggleCheckIn(0, 366)] },
				},
			],
			pageSize: 2,
		});
	});

	test('a service without Date headers has old records', async () => {
		await expectInvariants({
			kinds: ['created', 'checkedIn'],
			initialRecords: 4,
			dateHeader: 'never',
			keepsKeys: false,
			includeExisting: true,
		});
	});

	test('only one of two changes to a record was started when n8n was killed', async () => {
		await expectInvariants({
			lists: 3,
			waitsForFirstPoll: false,
			initialRecords: 3,
			events: [
				{ afterMs: 0, event: { kind: 'changes', changes: [create, toggleCheckIn(7, 3526)] } },
				{ afterMs: 1161, event: { kind: 'changesBetweenPages', changes: [create] } },
				{ afterMs: 3542, event: { kind: 'kill', awayMs: 3000 } },
			],
			order: 'any',
			pageSize: 3,
			longRunsPercent: 60,
			maxWriteMs: 1500,
			includeExisting: true,
			maxUnconfirmed: 5,
		});
	});

	test('only one of two changes was started, in a filtered list with a restarted trigger', async () => {
		await expectInvariants({
			seed: 16,
			isFiltered: true,
			lists: 2,
			initialRecords: 3,
			events: [
				{ afterMs: 0, event: { kind: 'kill', awayMs: 3000 } },
				{ afterMs: 0, event: { kind: 'changes', changes: [create, edit] } },
				{ afterMs: 128, event: { kind: 'changes', changes: [create, toggleCheckIn(9), edit] } },
				{ afterMs: 716, event: { kind: 'reopen', awayMs: 0, isStale: false } },
			],
			order: 'newest',
			pageSize: 4,
			skewMs: 5000,
			longRunsPercent: 60,
			includeExisting: true,
		});
	});
});
