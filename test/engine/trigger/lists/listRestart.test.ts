import { FollowerHarness, neverEnd, HOUR, createList, MINUTE, formatTime } from './listHarness';

const createPerson = (over: object = {}) => ({
	Id: 'a',
	CreatedAt: formatTime(-5 * HOUR),
	...over,
});
/** A record that is created after the first poll. */
const newPerson = (Id: string) => ({ Id, CreatedAt: formatTime(2000), Stamp: formatTime(2000) });
const comparedList = createList({ isFiltered: false });
const acceptStart = async () => 'a run';
const rejectStart = async () => await Promise.reject<string>(new Error('no'));

/** Kills n8n after it rejected a batch of two records, `a` and `b`. From then on n8n accepts. */
async function killWithRejectedBatch(): Promise<FollowerHarness> {
	const harness = await new FollowerHarness({ batchesChanges: true }).open();
	harness.runExecution = rejectStart;
	for (const Id of ['a', 'b']) harness.upsertRecord(newPerson(Id));
	await harness.time.advance(MINUTE);
	harness.kill();
	harness.runExecution = acceptStart;
	return harness;
}

describe('after n8n was killed and restarted', () => {
	test('a record that was started as new and changed meanwhile starts as updated', async () => {
		const harness = await new FollowerHarness().open();
		harness.upsertRecord(newPerson('a'));
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created a']);
		harness.kill();
		harness.upsertRecord({ Id: 'a', CreatedAt: formatTime(2000), Stamp: formatTime(2 * MINUTE) });
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created a', 'updated a']);
	});

	test('a record that is again as it was before the last start has changed', async () => {
		const harness = new FollowerHarness({ listDefinitions: [comparedList] });
		harness.upsertRecord(createPerson({ Status: 'pending' }));
		await harness.open();
		harness.upsertRecord(createPerson({ Status: 'confirmed' }));
		await harness.time.advance(MINUTE);
		harness.kill();
		harness.upsertRecord(createPerson({ Status: 'pending' }));
		await harness.restart();
		expect(harness.startedChanges).toEqual(['status a', 'status a']);
		expect(harness.acceptedStarts.map(({ changes }) => changes[0]!.record.Status)).toEqual([
			'confirmed',
			'pending',
		]);
	});

	test('a second change while the start of the first one still runs is started once', async () => {
		const harness = new FollowerHarness({ listDefinitions: [comparedList] });
		harness.runExecution = neverEnd;
		harness.upsertRecord(createPerson({ Status: 'pending' }));
		await harness.open();
		harness.upsertRecord(createPerson({ Status: 'confirmed' }));
		await harness.time.advance(MINUTE);
		harness.upsertRecord(createPerson({ Status: 'canceled' }));
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['status a', 'status a']);
		await harness.restart();
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['status a', 'status a']);
	});

	test('a requested start that n8n never accepted is repeated with the same key', async () => {
		const harness = new FollowerHarness({ listDefinitions: [comparedList] });
		harness.upsertRecord(createPerson({ Status: 'pending' }));
		await harness.open();
		harness.runExecution = rejectStart;
		harness.upsertRecord(createPerson({ Status: 'confirmed' }));
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual([]);
		harness.kill();
		harness.runExecution = acceptStart;
		await harness.restart();
		expect(harness.startedChanges).toEqual(['status a']);
		expect(new Set(harness.requestedStarts.map(({ key }) => key)).size).toBe(1);
	});

	test('changes beyond the limit of unconfirmed starts are started, none twice', async () => {
		const harness = await new FollowerHarness({ maxUnconfirmed: 2 }).open();
		harness.runExecution = neverEnd;
		for (const Id of ['a', 'b', 'c', 'd', 'e']) {
			harness.upsertRecord(newPerson(Id));
		}
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created a', 'created b']);
		harness.runExecution = acceptStart;
		await harness.restart();
		expect(harness.startedChanges).toEqual(['a', 'b', 'c', 'd', 'e'].map((id) => `created ${id}`));
	});

	test('a batch is not repeated because of a later change', async () => {
		const harness = await new FollowerHarness({ batchesChanges: true }).open();
		for (const Id of ['a', 'b']) harness.upsertRecord(newPerson(Id));
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created a + created b']);
		harness.kill();
		harness.upsertRecord({
			Id: 'c',
			CreatedAt: formatTime(2 * MINUTE),
			Stamp: formatTime(2 * MINUTE),
		});
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created a + created b', 'created c']);
	});

	test('a batch with a deleted record is requested again without it', async () => {
		const harness = await killWithRejectedBatch();
		harness.lists.people!.shift();
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created b']);
		expect(JSON.parse(harness.serializeState)).toMatchObject({ pendingStarts: [] });
	});

	test('a record that is read later than the rest of its batch is started by itself', async () => {
		const harness = await killWithRejectedBatch();
		const [hidden] = harness.lists.people!.splice(0, 1);
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created b']);
		harness.upsertRecord(hidden!);
		await harness.time.advance(2 * MINUTE);
		expect(harness.startedChanges).toEqual(['created b', 'created a']);
		expect(new Set(harness.acceptedStarts.map(({ key }) => key)).size).toBe(2);
	});

	test('a batch of two lists waits until both were read', async () => {
		const listDefinitions = ['people', 'orders'].map((key) => createList({ key }));
		const harness = new FollowerHarness({ batchesChanges: true, listDefinitions });
		harness.lists.orders = [];
		await harness.open();
		harness.runExecution = rejectStart;
		harness.upsertRecord(newPerson('a'));
		harness.upsertRecord(newPerson('b'), 'orders');
		await harness.time.advance(MINUTE);
		harness.kill();
		harness.runExecution = acceptStart;
		harness.failPage = (key) => (key === 'orders' ? { kind: 'failed', message: '422' } : undefined);
		await harness.restart();
		expect(harness.startedChanges).toEqual([]);
		harness.failPage = () => undefined;
		await harness.time.advance(10 * MINUTE);
		expect(harness.startedChanges).toEqual(['created a + created b']);
	});

	test('a change that the record no longer shows is not requested again', async () => {
		const harness = new FollowerHarness({
			listDefinitions: [comparedList],
			kinds: new Set(['status']),
		});
		harness.upsertRecord(createPerson({ Status: 'pending' }));
		await harness.open();
		harness.runExecution = neverEnd;
		harness.upsertRecord(createPerson({ Status: 'confirmed' }));
		await harness.time.advance(MINUTE);
		harness.kill();
		harness.upsertRecord(createPerson({ Status: 'canceled' }));
		harness.runExecution = acceptStart;
		await harness.restart();
		expect(harness.requestedStarts).toHaveLength(2);
		expect(JSON.parse(harness.serializeState)).toMatchObject({ pendingStarts: [] });
	});

	test('a list whose first poll is not fully confirmed resumes and does not start over', async () => {
		const harness = new FollowerHarness({ listDefinitions: [comparedList], pageSize: 1 });
		harness.runExecution = neverEnd;
		harness.beforePage = (_, page) => {
			if (page === 1 && harness.polls.length === 1) {
				harness.time.nowMs += 2000;
				harness.upsertRecord({ Id: 'new', CreatedAt: formatTime(harness.time.nowMs) });
			}
		};
		harness.upsertRecord(createPerson());
		await harness.open(5000);
		harness.upsertRecord({ Id: 'next', CreatedAt: formatTime(MINUTE) });
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created new', 'created next']);
		harness.kill();
		// Without a date, it is known to be new only because the list was read before.
		harness.upsertRecord({ Id: 'undated' });
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created new', 'created next', 'created undated']);
	});

	test('an edit long after the record was created counts as an update', async () => {
		const harness = await new FollowerHarness({ kinds: new Set(['updated']) }).open();
		harness.upsertRecord(newPerson('a'));
		await harness.time.advance(5 * HOUR);
		harness.kill();
		harness.upsertRecord({ Id: 'a', CreatedAt: formatTime(2000), Stamp: formatTime(5 * HOUR) });
		await harness.restart();
		expect(harness.startedChanges).toEqual(['updated a']);
	});

	test('a start requested 72 hours ago is reported as unclear once its record is read again', async () => {
		const harness = await new FollowerHarness().open();
		harness.runExecution = neverEnd;
		harness.upsertRecord(newPerson('a'));
		await harness.time.advance(MINUTE);
		harness.failPage = () => ({ kind: 'unavailable', message: '503' });
		await harness.restart(70 * HOUR);
		expect(harness.reports).toEqual([]);
		await harness.time.advance(3 * HOUR);
		harness.failPage = () => undefined;
		await harness.time.advance(HOUR);
		expect(harness.requestedStarts).toHaveLength(1);
		expect(harness.reports.filter(({ kind }) => kind === 'startsUnclear')).toEqual([
			{ kind: 'startsUnclear', ids: ['a'] },
		]);
	});
});

test('a list that is missing for a while keeps its starts in progress', async () => {
	const harness = new FollowerHarness({ listDefinitions: [comparedList], repeatStartsForMs: 0 });
	harness.keepsKeys = false;
	let finish: () => void = () => undefined;
	harness.runExecution = async () => await new Promise<void>((resolve) => (finish = resolve));
	await harness.open();
	harness.upsertRecord({ Id: 'a', CreatedAt: formatTime(2000) });
	await harness.time.advance(MINUTE);
	harness.listDefinitions = [];
	await harness.time.advance(MINUTE);
	finish();
	harness.listDefinitions = [comparedList];
	await harness.time.advance(3 * MINUTE);
	expect(harness.startedChanges).toEqual(['created a']);
});
