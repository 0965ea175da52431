import fc from 'fast-check';

import { runs } from '../../../support/runs';
import { FollowBench, HOUR, list, MINUTE, NOON, text } from './listHarness';

/** Event at the service. Each step changes a record of its own, so each must start the workflow exactly once. */
type Step =
	| { kind: 'create' | 'update' }
	/** All clocks of the service are set. */
	| { kind: 'all'; byMs: number }
	/** Only the clock behind the Date header is set, or only the one that stamps records. */
	| { kind: 'header' | 'stamps'; byMs: number }
	| { kind: 'restart'; awayMs: number };

interface ClockHistory {
	isFiltered: boolean;
	/** Whether the list is empty at the beginning. */
	empty: boolean;
	/** Initial offset of the Date header from the records' timestamps. */
	headerMs: number;
	overlapMs: number;
	intervalMs: number;
	steps: Array<{ afterMs: number; step: Step }>;
}

/** Largest error of the service's clocks in these tests: of all clocks together, and of one against another. */
const FURTHEST_MS = 12 * HOUR;
const FURTHEST_APART_MS = 55 * MINUTE;
const bounded = (value: number, most: number) => Math.max(-most, Math.min(most, value));

const away = (most: number) => fc.integer({ min: -most, max: most });
const change = fc.constantFrom({ kind: 'create' as const }, { kind: 'update' as const });
const clock = fc.oneof(
	fc.record({ kind: fc.constant('all' as const), byMs: away(FURTHEST_MS) }),
	fc.record({ kind: fc.constant('all' as const), byMs: fc.constantFrom(-HOUR, HOUR) }),
	fc.record({
		kind: fc.constantFrom('header' as const, 'stamps' as const),
		byMs: fc.oneof(away(FURTHEST_APART_MS), fc.constantFrom(-5 * MINUTE, 5 * MINUTE)),
	}),
);
const restart = fc.record({
	kind: fc.constant('restart' as const),
	awayMs: fc.integer({ min: 1000, max: 30 * MINUTE }),
});

const histories = (restarts: boolean): fc.Arbitrary<ClockHistory> =>
	fc.record({
		isFiltered: fc.constantFrom(true, true, true, false),
		empty: fc.boolean(),
		headerMs: fc.oneof(fc.constantFrom(0, 5 * MINUTE, -5 * MINUTE), away(FURTHEST_APART_MS)),
		overlapMs: fc.constantFrom(0, 2 * MINUTE),
		intervalMs: fc.constantFrom(30_000, MINUTE, 5 * MINUTE),
		steps: fc.array(
			fc.record({
				afterMs: fc.oneof(fc.nat(20_000), fc.nat(4 * MINUTE)),
				step: fc.oneof(
					{ weight: 5, arbitrary: change },
					{ weight: 2, arbitrary: clock },
					...(restarts ? [{ weight: 1, arbitrary: restart }] : []),
				),
			}),
			{ maxLength: 20 },
		),
	});

/** Records that are there before anything is followed, by their age. */
const AGES = [5000, MINUTE, 30 * MINUTE, 3 * HOUR, 26 * HOUR, 90 * HOUR];
const EACH = 4;

/** Lives through a history; gives what should have started the workflow, and what did. */
async function live(history: ClockHistory, keepsKeys: boolean) {
	const { isFiltered, empty, headerMs, overlapMs, intervalMs, steps } = history;
	const bench = new FollowBench({
		sources: [list({ isFiltered })],
		overlapMs,
		intervalMs,
		...(!keepsKeys && { repeatStartsForMs: 0 }),
	});
	bench.keepsKeys = keepsKeys;
	let stamps = 0;
	let header = headerMs;
	const stamp = (ageMs = 0) => new Date(bench.now + stamps - ageMs).toISOString();
	bench.date = () => Math.floor((bench.now + header) / 1000) * 1000;
	const old = AGES.flatMap((age) => Array.from({ length: EACH }, (_, index) => ({ age, index })));
	if (!empty) {
		for (const { age, index } of old) {
			bench.upsertRecord({
				Id: `old ${age} ${index}`,
				CreatedAt: stamp(age),
				Stamp: stamp(age),
				N: 0,
			});
		}
	}
	await bench.open(2000);
	const expected: string[] = [];
	const untouched = empty ? [] : old.map(({ age, index }) => `old ${age} ${index}`);
	for (const { afterMs, step } of steps) {
		await bench.time.pass(afterMs);
		if (step.kind === 'restart') await bench.restart(step.awayMs);
		else if (step.kind === 'all') {
			const before = stamps;
			stamps = bounded(stamps + step.byMs, FURTHEST_MS);
			header += stamps - before;
			// Of a compared list, a clock that was wrong between two polls alone leaves no trace but dates from before.
			if (!isFiltered) await bench.time.pass(2 * intervalMs);
		} else if (step.kind === 'header') {
			header = stamps + bounded(header + step.byMs - stamps, FURTHEST_APART_MS);
		} else if (step.kind === 'stamps') {
			stamps = header + bounded(stamps + step.byMs - header, FURTHEST_APART_MS);
		} else {
			const id = step.kind === 'update' ? untouched.splice(expected.length % 5, 1)[0] : undefined;
			const before = bench.lists.people!.find(({ Id }) => Id === id);
			const Id = id ?? `new ${expected.length}`;
			bench.upsertRecord({ CreatedAt: stamp(), ...before, Id, Stamp: stamp(), N: 1 });
			expected.push(`${before ? 'updated' : 'created'} ${Id}`);
		}
	}
	await bench.time.pass(25 * MINUTE);
	bench.kill();
	return { expected: expected.sort(), startedChanges: bench.startedChanges.sort(), bench };
}

async function holds(restarts: boolean, keepsKeys: boolean): Promise<void> {
	await fc.assert(
		fc.asyncProperty(histories(restarts), async (history) => {
			const { expected, startedChanges } = await live(history, keepsKeys);
			expect(startedChanges).toEqual(expected);
		}),
		{ numRuns: runs(75) },
	);
}

describe('clocks of the service that are set, back and ahead: no change is missed, none starts twice', () => {
	test('while n8n runs, even if n8n remembers no keys', async () => {
		await holds(false, false);
	}, 300_000);

	test('while n8n is killed and restarted', async () => {
		await holds(true, true);
	}, 300_000);
});

const person = (Id: string, stampMs: number, over: object = {}) => {
	const stamp = new Date(stampMs).toISOString();
	return { Id, CreatedAt: stamp, Stamp: stamp, ...over };
};

describe('a clock that is set back by an hour', () => {
	test('is noticed at the next answer: what was changed since is read, and it is reported once', async () => {
		const bench = new FollowBench();
		let back = 0;
		bench.date = () => Math.floor((bench.now - back) / 1000) * 1000;
		bench.upsertRecord(person('old', NOON - 30 * MINUTE));
		await bench.open();
		await bench.time.pass(5 * MINUTE);
		back = HOUR;
		bench.upsertRecord(person('a', bench.now - back));
		await bench.time.pass(2 * MINUTE);
		expect(bench.startedChanges).toEqual(['created a']);
		for (let index = 0; index < 70; index++) {
			bench.upsertRecord(person(`b${index}`, bench.now - back));
			await bench.time.pass(MINUTE);
		}
		expect(bench.startedChanges).toHaveLength(71);
		expect(new Set(bench.startedChanges).size).toBe(71);
		expect(bench.reports).toEqual([
			{ kind: 'clockSetBack', byMs: expect.closeTo(HOUR, -4) as number },
		]);
	});

	test('is reported once for all lists, and again a day later when it is set back again', async () => {
		const sources = ['people', 'orders'].map((key) => list({ key, name: key }));
		const bench = new FollowBench({ sources });
		bench.lists.orders = [];
		let back = 0;
		bench.date = () => Math.floor((bench.now - back) / 1000) * 1000;
		await bench.open();
		back = HOUR;
		await bench.time.pass(5 * MINUTE);
		back = 2 * HOUR;
		await bench.time.pass(5 * MINUTE);
		expect(bench.reports).toHaveLength(1);
		await bench.time.pass(24 * HOUR);
		back = 3 * HOUR;
		await bench.time.pass(5 * MINUTE);
		expect(bench.reports).toHaveLength(2);
	});

	test('one wrong date of one answer is not reported, and nothing is missed for it', async () => {
		const bench = new FollowBench();
		await bench.open();
		const right = bench.date;
		let wrong = 1;
		bench.date = (page) => right(page)! - (wrong-- > 0 ? HOUR : 0);
		bench.findDate = () => undefined;
		await bench.time.pass(2 * MINUTE);
		bench.upsertRecord(person('a', bench.now));
		await bench.time.pass(2 * MINUTE);
		expect([bench.startedChanges, bench.reports]).toEqual([['created a'], []]);
	});
});

describe('stamps that are behind the Date header', () => {
	test.each([5, 45])('by %d minutes are noticed and reported once', async (minutes) => {
		const bench = new FollowBench();
		bench.date = () => Math.floor((bench.now + minutes * MINUTE) / 1000) * 1000;
		await bench.open();
		for (let index = 0; index < 30; index++) {
			bench.upsertRecord(person(`p${index}`, bench.now));
			await bench.time.pass(MINUTE);
		}
		expect(bench.startedChanges).toHaveLength(30);
		expect(bench.reports).toEqual([
			{
				kind: 'lateChange',
				list: bench.sources[0],
				byMs: expect.closeTo(minutes * MINUTE, -5) as number,
			},
		]);
	});

	test('do not make every check read more and more, once that is known', async () => {
		const bench = new FollowBench();
		bench.date = () => Math.floor((bench.now + 5 * MINUTE) / 1000) * 1000;
		await bench.open();
		bench.upsertRecord(person('a', bench.now));
		await bench.time.pass(10 * MINUTE);
		const { since, at } = bench.polls.at(-1)!;
		// The overlap, the interval, and the time until the change was seen.
		expect(NOON + at - since!).toBeLessThanOrEqual(5 * MINUTE);
	});
});

test('two machines whose clocks differ do not let a quiet list be read from ever further back', async () => {
	const bench = new FollowBench();
	const right = bench.date;
	let responses = 0;
	bench.date = (page) => right(page)! - (responses++ % 2) * MINUTE;
	bench.findDate = () => undefined;
	bench.upsertRecord(person('a', NOON - HOUR));
	await bench.open();
	bench.upsertRecord(person('b', bench.now));
	await bench.time.pass(10 * HOUR);
	// A poll that reaches back on purpose may read two hours more than the others.
	const reaches = bench.polls.slice(-30).map(({ since, at }) => NOON + at - since!);
	expect(Math.min(...reaches)).toBeLessThanOrEqual(1.1 * HOUR);
	expect(Math.max(...reaches)).toBeLessThanOrEqual(3.2 * HOUR);
	expect(bench.startedChanges).toEqual(['created b']);
});

test('the wider overlap of a quiet list costs no records', async () => {
	const bench = new FollowBench();
	for (let index = 0; index < 50; index++) bench.upsertRecord(person(`p${index}`, NOON - 3 * HOUR));
	await bench.open();
	await bench.time.pass(10 * MINUTE);
	const taken = bench.polls.slice(-3).map(({ since }) => {
		return bench.lists.people!.filter(({ Stamp }) => Date.parse(`${String(Stamp)}`) > since!)
			.length;
	});
	expect(taken).toEqual([0, 0, 0]);
});

test('an old date of a record that was changed just now says nothing of the clocks', async () => {
	const oneTimeEvents = [{ kind: 'checkedIn', dateFields: ['CheckIn'] }];
	const bench = new FollowBench({
		sources: [list({ changeSchema: { oneTimeEvents, updated: 'updated' } })],
	});
	const visit = (N: number) => ({ Id: 'a', CheckIn: text(-9 * HOUR), Stamp: text(N * 90_000), N });
	bench.upsertRecord(visit(0));
	await bench.open();
	for (let change = 1; change <= 3; change++) {
		bench.upsertRecord(visit(change));
		await bench.time.pass(90_000);
	}
	expect([bench.startedChanges, bench.reports]).toEqual([
		['updated a', 'updated a', 'updated a'],
		[],
	]);
	expect(bench.polls.at(-1)!.since).toBeGreaterThan(NOON - 10 * HOUR);
});
