import { dated, FollowBench, HOUR, list, MINUTE, NOON, text } from './listHarness';

const zoneless = (afterMs: number) => text(afterMs).slice(0, -1);

describe('the time that a poll reads a list from', () => {
	test('is proven by the stamp of the last change, minus the overlap', async () => {
		const bench = await new FollowBench({ overlapMs: 2 * MINUTE, pageSize: 1 }).open();
		bench.upsertRecord(dated('a', 2000));
		bench.upsertRecord(dated('b', 2000));
		await bench.time.pass(2 * MINUTE);
		// Stamped at 2 s, seen at 60.01 s: at 60 s the clock that stamps records showed 1.99 s or more.
		expect(bench.polls.at(-1)).toMatchObject({ at: 120_000, since: NOON + 1990 - 2 * MINUTE });
		bench.upsertRecord(dated('c', 180_000));
		await bench.time.pass(2 * MINUTE);
		// On the third page, at 180.03 s.
		expect(bench.polls.at(-1)).toMatchObject({ at: 240_000, since: NOON + 179_970 - 2 * MINUTE });
	});

	test('is the Date header of the first response of the last poll, minus the overlap, if dates have no zone', async () => {
		const bench = new FollowBench({ overlapMs: 2 * MINUTE });
		bench.upsertRecord({ Id: 'old', CreatedAt: zoneless(-HOUR), Stamp: zoneless(-HOUR) });
		await bench.open();
		await bench.time.pass(2 * MINUTE);
		expect(bench.polls.at(-1)).toMatchObject({ at: 120_000, since: NOON + 60_000 - 2 * MINUTE });
	});

	test('stays at the beginning of the first poll as long as there is no record', async () => {
		const bench = await new FollowBench().open();
		await bench.time.pass(2 * MINUTE);
		expect(bench.polls.at(-1)!.since).toBe(bench.polls[0]!.since ?? NOON - 28 * HOUR - 2 * MINUTE);
	});

	test('is not that of a later page if the first response had no Date header', async () => {
		const bench = await new FollowBench({ pageSize: 1, maxUnconfirmed: 1 }).open();
		const dates = bench.date;
		bench.date = (page) => (page < 2 ? undefined : dates(page));
		bench.findDate = () => undefined;
		bench.run = async () => await bench.time.sleep(HOUR);
		for (const Id of ['a', 'b', 'c']) bench.upsertRecord(dated(Id, 2000));
		await bench.time.pass(6 * HOUR);
		// The third page is read when there is room for another start: an hour after the first.
		const [first, ...later] = bench.polls.filter(({ at }) => at >= MINUTE);
		const next = later.find(({ since }) => since !== first!.since);
		expect(next!.at).toBeGreaterThan(HOUR);
		expect(next!.since).toBeLessThanOrEqual(NOON + first!.at);
	});

	test('is at least a second earlier, since a record written later in the same second has the same stamp', async () => {
		const bench = new FollowBench({ overlapMs: 0, sources: [list()] });
		bench.upsertRecord({ Id: 'old', CreatedAt: zoneless(-HOUR), Stamp: zoneless(-HOUR) });
		await bench.open();
		await bench.time.pass(MINUTE);
		expect(bench.polls.at(-1)).toMatchObject({ since: NOON - 1000 });
		// Written within the second in which the last look began, after it.
		bench.upsertRecord(dated('a', MINUTE));
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual(['created a']);
	});

	test('a record from a response without a Date header is not forgotten at once', async () => {
		const bench = new FollowBench({ repeatStartsForMs: 0 });
		bench.keepsKeys = false;
		const old = (afterMs: number) => ({
			Id: 'old',
			CreatedAt: text(-100 * HOUR).slice(0, -1),
			Stamp: text(afterMs).slice(0, -1),
		});
		bench.upsertRecord(old(-100 * HOUR));
		await bench.open();
		bench.findDate = () => undefined;
		const dates = bench.date;
		bench.date = () => undefined;
		bench.kill();
		await bench.open();
		bench.upsertRecord(old(bench.time.at));
		await bench.time.pass(MINUTE);
		bench.date = dates;
		await bench.time.pass(2 * MINUTE);
		expect(bench.startedChanges).toEqual(['updated old']);
	});
});

describe('pages that shift while they are read', () => {
	test('a record that moved to a page already read is found, even if nothing is left on the next', async () => {
		const bench = await new FollowBench({ pageSize: 2 }).open();
		for (const Id of ['a', 'b', 'c']) bench.upsertRecord(dated(Id, 2000));
		let shifts = 1;
		bench.before = (_, page) => {
			if (page === 1 && shifts-- > 0) bench.lists.people!.shift();
		};
		// Nothing is seen again later: the overlap is over by then.
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual(['created a', 'created b', 'created c']);
	});

	test('a record that the first poll of a compared list missed is not new', async () => {
		const bench = new FollowBench({ pageSize: 2, sources: [list({ isFiltered: false })] });
		for (const Id of ['a', 'b', 'c', 'd']) bench.upsertRecord({ Id });
		let shifts = 1;
		bench.before = (_, page) => {
			if (page === 1 && shifts-- > 0) bench.lists.people!.shift();
		};
		await bench.open();
		await bench.time.pass(2 * MINUTE);
		expect(bench.startedChanges).toEqual([]);
	});
});

test('a record created during the first poll is new, even in the same second', async () => {
	const bench = new FollowBench({ pageSize: 2, sources: [list({ isFiltered: false })] });
	for (const Id of ['a', 'b']) bench.upsertRecord({ Id, CreatedAt: text(-HOUR) });
	bench.before = (_, page) => {
		if (page === 0 && bench.polls.length === 2)
			bench.upsertRecord({ Id: 'c', CreatedAt: text(40) });
	};
	await bench.open();
	expect(bench.polls.every(({ at }) => at < 1000)).toBe(true);
	expect(bench.startedChanges).toEqual(['created c']);
});
