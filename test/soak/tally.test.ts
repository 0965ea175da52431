// Protects what the soak test proves: a lost, second or wrong start, an incomplete list and an unclear error are found.
import { createRandom } from '../../sandbox/random';
import { findFault } from '../support/faults/catalog';
import { summarizeMemory } from './memory';
import { randomFaults } from './outages';
import { tally } from './tally';

const endedIds = [
	{ id: 'a', outcome: 'approved' },
	{ id: 'b', outcome: 'denied' },
];
const createStart = (id: string, outcome: string, status = 'success') => ({
	executionId: `of ${id}`,
	status,
	id,
	outcome,
});
const expectedStarts = [createStart('a', 'approved'), createStart('b', 'denied')];
const reading = { status: 'success', counts: [3, 4] };
const findViolations = (executions: typeof expectedStarts, readings = [reading]) =>
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
		[expectedStarts[0]!, createStart('b', 'approved')],
		/^b ended denied and started with/,
	],
	[
		'a start for nothing',
		[...expectedStarts, createStart('c', 'approved')],
		/with c, which never ended$/,
	],
	['a failed execution', [expectedStarts[0]!, createStart('b', 'denied', 'crashed')], /is crashed/],
])('tally finds %s', (_, executions, message) => {
	expect(findViolations(executions)).toEqual([expect.stringMatching(message)]);
});

it('tally does not count a clear report of an unavailable service as a start', () => {
	const createReport = (error: string) => ({
		...createStart('', ''),
		id: undefined,
		status: 'error',
		error,
	});
	const outageReport = createReport("The identity issuer couldn't be reached");
	expect(tally(endedIds, [...expectedStarts, outageReport], [], [])).toMatchObject({
		started: 2,
		reports: 1,
		violations: [],
	});
	expect(
		tally(endedIds, [...expectedStarts, createReport('undefined')], [], []).violations,
	).toHaveLength(2);
});

it('tally finds an incomplete list and a failure without a clear message, but accepts a clear failure', () => {
	const clearFailure = {
		status: 'error',
		error: "The event data service couldn't be reached",
		counts: [],
	};
	const rawFailure = { status: 'error', error: 'Cannot read properties of undefined', counts: [] };
	expect(findViolations(expectedStarts, [{ status: 'success', counts: [3, 3] }])).toHaveLength(1);
	expect(findViolations(expectedStarts, [clearFailure])).toEqual([]);
	expect(findViolations(expectedStarts, [rawFailure])).toHaveLength(1);
});

it('random faults affect their share of requests, and never two requests of a path in a row', () => {
	const selectFault = randomFaults(0.05, createRandom(7));
	const injectedFaults = Array.from({ length: 20_000 }, (_, index) =>
		selectFault({
			number: index,
			method: 'GET',
			path: `/${index % 10}`,
			headers: {},
			receivedAtMs: 0,
		}),
	);
	const share = injectedFaults.filter(Boolean).length / injectedFaults.length;
	expect(share).toBeGreaterThan(0.04);
	expect(share).toBeLessThan(0.06);
	expect(injectedFaults).toContain(findFault('dribblingBody'));
	expect(injectedFaults.some((fault, index) => fault && injectedFaults[index - 10])).toBe(false);
});

it('memory samples are summarized by the first and highest, and the medians of the middle and last third', () => {
	expect(summarizeMemory([100, 400, 150, 210, 220, 205, 300, 230, 250])).toEqual({
		first: 100,
		most: 400,
		middle: 210,
		last: 250,
	});
});
