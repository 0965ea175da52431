import { FollowBench, forever, HOUR, list, MINUTE, text } from './listHarness';

const person = (over: object = {}) => ({ Id: 'a', CreatedAt: text(-5 * HOUR), ...over });
/** A record that is created after the first poll. */
const created = (Id: string) => ({ Id, CreatedAt: text(2000), Stamp: text(2000) });
const plain = list({ isFiltered: false });
const accepting = async () => 'a run';
const rejecting = async () => await Promise.reject<string>(new Error('no'));

/** Kills n8n after it rejected a batch of two records, `a` and `b`. From then on n8n accepts. */
async function killedWithBatch(): Promise<FollowBench> {
	const bench = await new FollowBench({ batchesChanges: true }).open();
	bench.run = rejecting;
	for (const Id of ['a', 'b']) bench.upsertRecord(created(Id));
	await bench.time.pass(MINUTE);
	bench.kill();
	bench.run = accepting;
	return bench;
}

describe('after n8n was killed and restarted', () => {
	test('a record that was started as new and changed meanwhile starts as updated', async () => {
		const bench = await new FollowBench().open();
		bench.upsertRecord(created('a'));
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual(['created a']);
		bench.kill();
		bench.upsertRecord({ Id: 'a', CreatedAt: text(2000), Stamp: text(2 * MINUTE) });
		await bench.restart();
		expect(bench.startedChanges).toEqual(['created a', 'updated a']);
	});

	test('a record that is again as it was before the last start has changed', async () => {
		const bench = new FollowBench({ sources: [plain] });
		bench.upsertRecord(person({ Status: 'pending' }));
		await bench.open();
		bench.upsertRecord(person({ Status: 'confirmed' }));
		await bench.time.pass(MINUTE);
		bench.kill();
		bench.upsertRecord(person({ Status: 'pending' }));
		await bench.restart();
		expect(bench.startedChanges).toEqual(['status a', 'status a']);
		expect(bench.started.map(({ changes }) => changes[0]!.record.Status)).toEqual([
			'confirmed',
			'pending',
		]);
	});

	test('a second change while the start of the first one still runs is started once', async () => {
		const bench = new FollowBench({ sources: [plain] });
		bench.run = forever;
		bench.upsertRecord(person({ Status: 'pending' }));
		await bench.open();
		bench.upsertRecord(person({ Status: 'confirmed' }));
		await bench.time.pass(MINUTE);
		bench.upsertRecord(person({ Status: 'canceled' }));
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual(['status a', 'status a']);
		await bench.restart();
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual(['status a', 'status a']);
	});

	test('a requested start that n8n never accepted is repeated with the same key', async () => {
		const bench = new FollowBench({ sources: [plain] });
		bench.upsertRecord(person({ Status: 'pending' }));
		await bench.open();
		bench.run = rejecting;
		bench.upsertRecord(person({ Status: 'confirmed' }));
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual([]);
		bench.kill();
		bench.run = accepting;
		await bench.restart();
		expect(bench.startedChanges).toEqual(['status a']);
		expect(new Set(bench.requestedStarts.map(({ key }) => key)).size).toBe(1);
	});

	test('changes beyond the limit of unconfirmed starts are started, none twice', async () => {
		const bench = await new FollowBench({ maxUnconfirmed: 2 }).open();
		bench.run = forever;
		for (const Id of ['a', 'b', 'c', 'd', 'e']) {
			bench.upsertRecord(created(Id));
		}
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual(['created a', 'created b']);
		bench.run = accepting;
		await bench.restart();
		expect(bench.startedChanges).toEqual(['a', 'b', 'c', 'd', 'e'].map((id) => `created ${id}`));
	});

	test('a batch is not repeated because something came after it', async () => {
		const bench = await new FollowBench({ batchesChanges: true }).open();
		for (const Id of ['a', 'b']) bench.upsertRecord(created(Id));
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual(['created a + created b']);
		bench.kill();
		bench.upsertRecord({ Id: 'c', CreatedAt: text(2 * MINUTE), Stamp: text(2 * MINUTE) });
		await bench.restart();
		expect(bench.startedChanges).toEqual(['created a + created b', 'created c']);
	});

	test('a batch with a deleted record is requested again without it', async () => {
		const bench = await killedWithBatch();
		bench.lists.people!.shift();
		await bench.restart();
		expect(bench.startedChanges).toEqual(['created b']);
		expect(JSON.parse(bench.column)).toMatchObject({ pendingStarts: [] });
	});

	test('a record that comes later than the rest of its batch is started by itself', async () => {
		const bench = await killedWithBatch();
		const [hidden] = bench.lists.people!.splice(0, 1);
		await bench.restart();
		expect(bench.startedChanges).toEqual(['created b']);
		bench.upsertRecord(hidden!);
		await bench.time.pass(2 * MINUTE);
		expect(bench.startedChanges).toEqual(['created b', 'created a']);
		expect(new Set(bench.started.map(({ key }) => key)).size).toBe(2);
	});

	test('a batch of two lists waits until both were read', async () => {
		const sources = ['people', 'orders'].map((key) => list({ key }));
		const bench = new FollowBench({ batchesChanges: true, sources });
		bench.lists.orders = [];
		await bench.open();
		bench.run = rejecting;
		bench.upsertRecord(created('a'));
		bench.upsertRecord(created('b'), 'orders');
		await bench.time.pass(MINUTE);
		bench.kill();
		bench.run = accepting;
		bench.failPage = (key) => (key === 'orders' ? { kind: 'failed', message: '422' } : undefined);
		await bench.restart();
		expect(bench.startedChanges).toEqual([]);
		bench.failPage = () => undefined;
		await bench.time.pass(10 * MINUTE);
		expect(bench.startedChanges).toEqual(['created a + created b']);
	});

	test('a change that the record no longer shows is not requested again', async () => {
		const bench = new FollowBench({ sources: [plain], kinds: new Set(['status']) });
		bench.upsertRecord(person({ Status: 'pending' }));
		await bench.open();
		bench.run = forever;
		bench.upsertRecord(person({ Status: 'confirmed' }));
		await bench.time.pass(MINUTE);
		bench.kill();
		bench.upsertRecord(person({ Status: 'canceled' }));
		bench.run = accepting;
		await bench.restart();
		expect(bench.requestedStarts).toHaveLength(2);
		expect(JSON.parse(bench.column)).toMatchObject({ pendingStarts: [] });
	});

	test('a list whose first poll is not fully confirmed resumes and does not start over', async () => {
		const bench = new FollowBench({ sources: [plain], pageSize: 1 });
		bench.run = forever;
		bench.before = (_, page) => {
			if (page === 1 && bench.polls.length === 1) {
				bench.time.at += 2000;
				bench.upsertRecord({ Id: 'new', CreatedAt: text(bench.time.at) });
			}
		};
		bench.upsertRecord(person());
		await bench.open(5000);
		bench.upsertRecord({ Id: 'next', CreatedAt: text(MINUTE) });
		await bench.time.pass(MINUTE);
		expect(bench.startedChanges).toEqual(['created new', 'created next']);
		bench.kill();
		// Without a date, it is known to be new only because the list was read before.
		bench.upsertRecord({ Id: 'undated' });
		await bench.restart();
		expect(bench.startedChanges).toEqual(['created new', 'created next', 'created undated']);
	});

	test('an edit long after the record was created counts as an update', async () => {
		const bench = await new FollowBench({ kinds: new Set(['updated']) }).open();
		bench.upsertRecord(created('a'));
		await bench.time.pass(5 * HOUR);
		bench.kill();
		bench.upsertRecord({ Id: 'a', CreatedAt: text(2000), Stamp: text(5 * HOUR) });
		await bench.restart();
		expect(bench.startedChanges).toEqual(['updated a']);
	});

	test('a start requested 72 hours ago is reported as unclear once its record is read again', async () => {
		const bench = await new FollowBench().open();
		bench.run = forever;
		bench.upsertRecord(created('a'));
		await bench.time.pass(MINUTE);
		bench.failPage = () => ({ kind: 'unavailable', message: '503' });
		await bench.restart(70 * HOUR);
		expect(bench.reports).toEqual([]);
		await bench.time.pass(3 * HOUR);
		bench.failPage = () => undefined;
		await bench.time.pass(HOUR);
		expect(bench.requestedStarts).toHaveLength(1);
		expect(bench.reports.filter(({ kind }) => kind === 'startsUnclear')).toEqual([
			{ kind: 'startsUnclear', ids: ['a'] },
		]);
	});
});

test('a list that is missing for a while keeps its starts in progress', async () => {
	const bench = new FollowBench({ sources: [plain], repeatStartsForMs: 0 });
	bench.keepsKeys = false;
	let finish: () => void = () => undefined;
	bench.run = async () => await new Promise<void>((resolve) => (finish = resolve));
	await bench.open();
	bench.upsertRecord({ Id: 'a', CreatedAt: text(2000) });
	await bench.time.pass(MINUTE);
	bench.sources = [];
	await bench.time.pass(MINUTE);
	finish();
	bench.sources = [plain];
	await bench.time.pass(3 * MINUTE);
	expect(bench.startedChanges).toEqual(['created a']);
});
