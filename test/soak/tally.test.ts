import { createRandom } from '../../sandbox/random';
import { findFault } from '../support/faults/catalog';
import { summarizeMemory } from './memory';
import { randomFaults } from './outages';
import { tally } from './tally';

const endedIds = [
	{ id: 'a', outcome: 'approved' },
	{ id: 'b', outcome: 'denied' },
];
const start = (id: string, outcome: string, status = 'success') => ({
	execution: `of ${id}`,
	status,
	id,
	outcome,
});
const expectedStarts = [start('a', 'approved'), start('b', 'denied')];
const reading = { status: 'success', counts: [3, 4] };
const violationsOf = (executions: typeof expectedStarts, readings = [reading]) =>
	tally(endedIds, executions, readings, [3, 4]).violations;

it('tally finds no problem if every ID started one execution with its outcome', () => {
	expect(tally(endedIds, expectedStarts, [reading], [3, 4])).toEqual({
		started: 2,
		reports: 0,
		read: 1,
		failedReads: 0,
		violations: [],
	});
});

it.each([
	['a lost start', [expectedStarts[0]!], /^b \(denied\) started 0 times$/],
	['a second start', [...expectedStarts, expectedStarts[1]!], /^b \(denied\) started 2 times$/],
	[
		'a wrong outcome',
		[expectedStarts[0]!, start('b', 'approved')],
		/^b ended denied and started with/,
	],
	[
		'a start for nothing',
		[...expectedStarts, start('c', 'approved')],
		/with c, which never ended$/,
	],
	['a failed execution', [expectedStarts[0]!, start('b', 'denied', 'crashed')], /is crashed/],
])('tally finds %s', (_, executions, message) => {
	expect(violationsOf(executions)).toEqual([expect.stringMatching(message)]);
});

it('tally does not count a clear report of an unavailable service as a start', () => {
	const report = (error: string) => ({ ...start('', ''), id: undefined, status: 'error', error });
	const reported = report("The identity issuer couldn't be reached");
	expect(tally(endedIds, [...expectedStarts, reported], [], [])).toMatchObject({
		started: 2,
		reports: 1,
		violations: [],
	});
	expect(tally(endedIds, [...expectedStarts, report('undefined')], [], []).violations).toHaveLength(
		2,
	);
});

it('tally finds an incomplete list and a failure without a clear message, but accepts a clear failure', () => {
	const clear = {
		status: 'error',
		error: "The event data service couldn't be reached",
		counts: [],
	};
	const raw = { status: 'error', error: 'Cannot read properties of undefined', counts: [] };
	expect(violationsOf(expectedStarts, [{ status: 'success', counts: [3, 3] }])).toHaveLength(1);
	expect(violationsOf(expectedStarts, [clear])).toEqual([]);
	expect(violationsOf(expectedStarts, [raw])).toHaveLength(1);
});

it('random faults hit their share of requests, each path at most once in a row', () => {
	const plan = randomFaults(0.05, createRandom(7));
	const hits = Array.from({ length: 20_000 }, (_, index) =>
		plan({ number: index, method: 'GET', path: `/${index % 10}`, headers: {}, receivedAtMs: 0 }),
	);
	const share = hits.filter(Boolean).length / hits.length;
	expect(share).toBeGreaterThan(0.04);
	expect(share).toBeLessThan(0.06);
	expect(hits).toContain(findFault('dribblingBody'));
	expect(hits.some((hit, at) => hit && hits[at - 10])).toBe(false);
});

it('a course of memory is summarized', () => {
	expect(summarizeMemory([100, 200, 210, 220, 300, 230])).toEqual({
		first: 100,
		most: 300,
		middle: 220,
		last: 300,
	});
});
