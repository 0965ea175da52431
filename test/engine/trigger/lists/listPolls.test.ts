import { FollowBench, forever, HOUR, list, MINUTE, NOON, text } from './listBench';

const dated = (Id: string, afterMs: number) => ({
	Id,
	CreatedAt: text(afterMs),
	Stamp: text(afterMs),
});

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

describe('several lists', () => {
	const sources = ['people', 'orders', 'events'].map((key) => list({ key, name: key }));
	const bench3 = () => {
		const bench = new FollowBench({ sources });
		bench.lists.orders = [];
		bench.lists.events = [];
		return bench;
	};

	test('a list that always fails does not delay the others, and is reported', async () => {
		const bench = await bench3().open();
		bench.failPage = (key) =>
			key === 'people' ? { kind: 'unavailable', message: '500' } : undefined;
		bench.upsertRecord(dated('o', 2000), 'orders');
		bench.upsertRecord(dated('e', 2000), 'events');
		await bench.time.pass(5 * MINUTE);
		expect(bench.startedChanges.sort()).toEqual(['created e', 'created o']);
		expect(bench.reports).toEqual([
			{ kind: 'listFailed', list: sources[0], isGone: false, message: '500' },
		]);
		bench.failPage = () => undefined;
		bench.upsertRecord(dated('p', 6 * MINUTE));
		await bench.time.pass(HOUR);
		expect(bench.startedChanges).toContain('created p');
	});

	test.each(['unavailable', 'rateLimited'] as const)(
		'a credential that one list rejects does not stop the trigger while the others are %s',
		async (kind) => {
			const bench = await bench3().open();
			bench.failPage = (key) =>
				key === 'people'
					? { kind: 'credentialRejected', message: '403' }
					: { kind, message: '5xx' };
			await bench.time.pass(HOUR);
			bench.failPage = () => undefined;
			bench.upsertRecord(dated('p', HOUR));
			await bench.time.pass(2 * HOUR);
			expect(bench.startedChanges).toContain('created p');
		},
	);

	test('a service that becomes unavailable for all lists is not reported as the problem of one', async () => {
		const bench = await bench3().open();
		bench.failPage = () => ({ kind: 'unavailable', message: '503' });
		await bench.time.pass(HOUR);
		bench.failPage = () => undefined;
		await bench.time.pass(HOUR);
		expect(bench.reports).toEqual([{ kind: 'unavailable', message: '503' }]);
	});

	test.each([
		['was found since the last round counts from that round on', 'lists', ['created since']],
		['was chosen counts from now on', undefined, []],
	] as const)('a compared one that %s', async (_, discoveredAs, expected) => {
		const bench = new FollowBench({ sources: [] });
		await bench.open();
		bench.upsertRecord({ Id: 'before', CreatedAt: text(-MINUTE) });
		bench.upsertRecord({ Id: 'since', CreatedAt: text(30_000) });
		bench.sources = [list({ isFiltered: false, discoveredAs })];
		await bench.time.pass(2 * MINUTE);
		expect(bench.startedChanges).toEqual(expected);
	});
});

describe('the start of following', () => {
	test('is the activation of the trigger, even if the service responds later', async () => {
		const bench = new FollowBench({ kinds: new Set(['created']) });
		bench.upsertRecord(dated('old', -3000));
		bench.failPage = () => ({ kind: 'unavailable', message: '503' });
		bench.findDate = () => undefined;
		await bench.open();
		bench.upsertRecord(dated('new', 5000));
		bench.failPage = () => undefined;
		await bench.restart(10_000);
		expect(bench.startedChanges).toEqual(['created new']);
	});

	test('does not move when the local clock is changed before the service responds', async () => {
		const bench = new FollowBench({ kinds: new Set(['created']) });
		bench.upsertRecord(dated('old', -HOUR));
		bench.failPage = () => ({ kind: 'unavailable', message: '503' });
		bench.findDate = () => undefined;
		await bench.open();
		bench.time.ahead += 5 * 24 * HOUR;
		bench.failPage = () => undefined;
		await bench.time.pass(5 * MINUTE);
		expect(bench.startedChanges).toEqual([]);
	});

	test('is known before the first poll of a list, which reaches back further', async () => {
		const sources = ['people', 'orders'].map((key) => list({ key }));
		const bench = new FollowBench({ sources, kinds: new Set(['created']) });
		const old = (afterMs: number) => ({
			Id: 'old',
			CreatedAt: text(-HOUR).slice(0, -1),
			Stamp: text(afterMs).slice(0, -1),
		});
		for (const { key } of sources) bench.lists[key] = [old(-HOUR)];
		bench.findDate = () => undefined;
		bench.failPage = () => ({ kind: 'unavailable', message: '503' });
		await bench.open();
		await bench.time.pass(70 * HOUR);
		bench.failPage = () => undefined;
		await bench.time.pass(HOUR);
		for (const { key } of sources) bench.upsertRecord(old(71 * HOUR), key);
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual([]);
	});

	test('is before everything if existing records are included, even if no response has a date', async () => {
		const bench = new FollowBench({ includeExisting: true, kinds: new Set(['created']) });
		bench.date = () => undefined;
		bench.upsertRecord(dated('a', -HOUR));
		await bench.open();
		// Written before the newest that was seen, and visible only now.
		bench.upsertRecord(dated('late', -HOUR - 5000));
		await bench.time.pass(2 * MINUTE);
		expect(bench.startedChanges).toEqual(['created a', 'created late']);
	});
});

test('waiting for a confirmed start leaves no listener behind', async () => {
	const bench = await new FollowBench({ maxUnconfirmed: 1 }).open();
	const added = jest.spyOn(AbortSignal.prototype, 'addEventListener');
	const removed = jest.spyOn(AbortSignal.prototype, 'removeEventListener');
	bench.run = async () => await bench.time.sleep(100);
	for (let index = 0; index < 20; index++) bench.upsertRecord(dated(`r${index}`, 2000));
	await bench.time.pass(2 * MINUTE);
	expect(bench.started).toHaveLength(20);
	expect(added.mock.calls.length).toBeGreaterThan(19);
	// The nap that was over and the one that has begun are even.
	expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
});

test('a day of backlog is started in order, page by page, within the limit of unconfirmed starts', async () => {
	const bench = new FollowBench({ pageSize: 20, maxUnconfirmed: 5 });
	await bench.open();
	bench.failPage = () => ({ kind: 'unavailable', message: '503' });
	await bench.time.pass(MINUTE);
	for (let index = 0; index < 300; index++)
		bench.upsertRecord(dated(`r${index}`, index * 4 * MINUTE));
	await bench.time.pass(24 * HOUR);
	bench.failPage = () => undefined;
	let underWay = 0;
	let most = 0;
	bench.run = async () => {
		most = Math.max(most, ++underWay);
		await bench.time.sleep(1000);
		underWay--;
	};
	await bench.time.pass(HOUR);
	expect(bench.startedChanges).toEqual(
		Array.from({ length: 300 }, (_, index) => `created r${index}`),
	);
	expect(most).toBe(5);
});

test('comparing a long list never blocks the event loop for long', async () => {
	// A millisecond for each record, and how many were compared since the event loop last turned.
	let stretch = 0;
	const stretches: number[] = [];
	const source = list({
		isFiltered: false,
		identify: ({ Id }) => {
			bench.time.at++;
			stretches.push(++stretch);
			return Id;
		},
	});
	const bench: FollowBench = new FollowBench({ sources: [source], pageSize: 2000 });
	const { sleep } = bench.time;
	Object.assign(bench.time, {
		sleep: async (ms: number, signal?: AbortSignal) => {
			stretch = 0;
			await sleep(ms, signal);
		},
	});
	for (let Id = 0; Id < 1000; Id++) bench.upsertRecord({ Id, N: 0 });
	await bench.open(10_000);
	for (let Id = 0; Id < 1000; Id += 100) bench.upsertRecord({ Id, N: 1 });
	await bench.time.pass(2 * MINUTE);
	expect(stretches.length).toBeGreaterThanOrEqual(3000);
	expect(Math.max(...stretches)).toBeLessThanOrEqual(20);
	expect(bench.startedChanges).toEqual(
		Array.from({ length: 10 }, (_, index) => `updated ${100 * index}`),
	);
});

test('at most ten starts are unconfirmed, so that a kill of n8n crashes no more executions', async () => {
	const bench = await new FollowBench().open();
	bench.run = forever;
	for (let index = 0; index < 60; index++) bench.upsertRecord(dated(`p${index}`, 2000));
	await bench.time.pass(3 * MINUTE);
	expect(bench.requestedStarts).toHaveLength(10);
});
