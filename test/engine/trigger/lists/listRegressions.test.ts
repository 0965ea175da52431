import type { FollowHistory } from './listHistory';
import { violatedInvariants } from './listOracle';
import { ListSimulation } from './listSimulation';

const QUIET: FollowHistory = {
	seed: 0,
	isFiltered: false,
	kinds: ['created', 'updated', 'checkedIn'],
	lists: 1,
	calm: true,
	initial: 1,
	happenings: [],
	order: 'oldest',
	pageSize: 5,
	coarse: false,
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
	together: false,
	includeExisting: false,
	maxUnconfirmed: 2,
};

const letInOrOut = (pick: number, lateMs = 0) => ({ kind: 'checkIn' as const, pick, lateMs });
const edit = { kind: 'edit' as const, pick: 0, lateMs: 0 };
const create = { kind: 'create' as const, list: 0, lateMs: 0 };

async function holds(history: Partial<FollowHistory>): Promise<void> {
	const world = new ListSimulation({ ...QUIET, ...history });
	await world.simulate();
	expect(violatedInvariants(world)).toEqual([]);
}

describe('histories in which a change was once lost or started twice', () => {
	test('an attendee checks out, is edited, and checks in again with the earlier time', async () => {
		await holds({
			kinds: ['updated', 'checkedIn'],
			happenings: [
				{ afterMs: 0, what: { kind: 'between', deeds: [letInOrOut(0, 10_391), edit] } },
				{ afterMs: 83, what: { kind: 'clock', byMs: 0 } },
				{ afterMs: 1630, what: { kind: 'deeds', deeds: [letInOrOut(0), letInOrOut(0, 366)] } },
			],
			pageSize: 2,
		});
	});

	test('a service without Date headers has old records', async () => {
		await holds({
			kinds: ['created', 'checkedIn'],
			initial: 4,
			dateHeader: 'never',
			keepsKeys: false,
			includeExisting: true,
		});
	});

	test('only one of two changes to a record was started when n8n was killed', async () => {
		await holds({
			lists: 3,
			calm: false,
			initial: 3,
			happenings: [
				{ afterMs: 0, what: { kind: 'deeds', deeds: [create, letInOrOut(7, 3526)] } },
				{ afterMs: 1161, what: { kind: 'between', deeds: [create] } },
				{ afterMs: 3542, what: { kind: 'kill', awayMs: 3000 } },
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
		await holds({
			seed: 16,
			isFiltered: true,
			lists: 2,
			initial: 3,
			happenings: [
				{ afterMs: 0, what: { kind: 'kill', awayMs: 3000 } },
				{ afterMs: 0, what: { kind: 'deeds', deeds: [create, edit] } },
				{ afterMs: 128, what: { kind: 'deeds', deeds: [create, letInOrOut(9), edit] } },
				{ afterMs: 716, what: { kind: 'reopen', awayMs: 0, stale: false } },
			],
			order: 'newest',
			pageSize: 4,
			skewMs: 5000,
			longRunsPercent: 60,
			includeExisting: true,
		});
	});
});
