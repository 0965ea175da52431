// Protects list triggers from kills of n8n: no change is lost, and none starts the workflow twice.
import {
	FollowerHarness,
	neverEnd,
	HOUR,
	createList,
	createRecord,
	MINUTE,
	formatTime,
} from './listHarness';

/** A record of a compared list from before the first poll. */
const createOldPerson = (fields: object = {}) => ({
	Id: 'a',
	CreatedAt: formatTime(-5 * HOUR),
	...fields,
});
/** A record that is created after the first poll. */
const createNewPerson = (Id: string) => ({
	Id,
	CreatedAt: formatTime(2000),
	Stamp: formatTime(2000),
});
const comparedList = createList({ isFiltered: false });
const acceptStart = async () => 'a run';
const rejectStart = async () => await Promise.reject<string>(new Error('rejected'));

/** Kills n8n after it rejected a batch of two records, `a` and `b`. From then on n8n accepts. */
async function killWithRejectedBatch(): Promise<FollowerHarness> {
	const harness = await new FollowerHarness({ batchesChanges: true }).open();
	harness.runExecution = rejectStart;
	for (const Id of ['a', 'b']) harness.upsertRecord(createNewPerson(Id));
	await harness.time.advance(MINUTE);
	harness.kill();
	harness.runExecution = acceptStart;
	return harness;
}

describe('after n8n was killed and restarted', () => {
	test('a record that was started as new before, and has changed since, starts as updated', async () => {
		const harness = await new FollowerHarness().open();
		harness.upsertRecord(createNewPerson('a'));
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created a']);
		harness.kill();
		harness.upsertRecord({ Id: 'a', CreatedAt: formatTime(2000), Stamp: formatTime(2 * MINUTE) });
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created a', 'updated a']);
	});

	test('a record that returned to its earlier state starts as changed', async () => {
		const harness = new FollowerHarness({ listDefinitions: [comparedList] });
		harness.upsertRecord(createOldPerson({ Status: 'pending' }));
		await harness.open();
		harness.upsertRecord(createOldPerson({ Status: 'confirmed' }));
		await harness.time.advance(MINUTE);
		harness.kill();
		harness.upsertRecord(createOldPerson({ Status: 'pending' }));
		await harness.restart();
		expect(harness.startedChanges).toEqual(['status a', 'status a']);
		expect(harness.acceptedStarts.map(({ changes }) => changes[0]!.record.Status)).toEqual([
			'confirmed',
			'pending',
		]);
	});

	test('two changes of a record whose starts still run are not started again', async () => {
		const harness = new FollowerHarness({ listDefinitions: [comparedList] });
		harness.runExecution = neverEnd;
		harness.upsertRecord(createOldPerson({ Status: 'pending' }));
		await harness.open();
		harness.upsertRecord(createOldPerson({ Status: 'confirmed' }));
		await harness.time.advance(MINUTE);
		harness.upsertRecord(createOldPerson({ Status: 'canceled' }));
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['status a', 'status a']);
		await harness.restart();
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['status a', 'status a']);
	});

	test('a requested start that n8n never accepted is repeated with the same key', async () => {
		const harness = new FollowerHarness({ listDefinitions: [comparedList] });
		harness.upsertRecord(createOldPerson({ Status: 'pending' }));
		await harness.open();
		harness.runExecution = rejectStart;
		harness.upsertRecord(createOldPerson({ Status: 'confirmed' }));
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual([]);
		harness.kill();
		harness.runExecution = acceptStart;
		await harness.restart();
		expect(harness.startedChanges).toEqual(['status a']);
		expect(new Set(harness.requestedStarts.map(({ key }) => key)).size).toBe(1);
	});

	test('changes that waited because of the limit of unconfirmed starts are started once', async () => {
		const harness = await new FollowerHarness({ maxUnconfirmed: 2 }).open();
		harness.runExecution = neverEnd;
		for (const Id of ['a', 'b', 'c', 'd', 'e']) {
			harness.upsertRecord(createNewPerson(Id));
		}
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created a', 'created b']);
		harness.runExecution = acceptStart;
		await harness.restart();
		expect(harness.startedChanges).toEqual(['a', 'b', 'c', 'd', 'e'].map((id) => `created ${id}`));
	});

	test('a confirmed batch is not repeated when another record changes', async () => {
		const harness = await new FollowerHarness({ batchesChanges: true }).open();
		for (const Id of ['a', 'b']) harness.upsertRecord(createNewPerson(Id));
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

	test('a rejected batch is requested again without a record that was deleted', async () => {
		const harness = await killWithRejectedBatch();
		harness.lists.people!.shift();
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created b']);
		expect(JSON.parse(harness.serializedState)).toMatchObject({ pendingStarts: [] });
	});

	test('a record of a rejected batch that is read later than the others has its own start', async () => {
		const harness = await killWithRejectedBatch();
		const [hiddenRecord] = harness.lists.people!.splice(0, 1);
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created b']);
		harness.upsertRecord(hiddenRecord!);
		await harness.time.advance(2 * MINUTE);
		expect(harness.startedChanges).toEqual(['created b', 'created a']);
		expect(new Set(harness.acceptedStarts.map(({ key }) => key)).size).toBe(2);
	});

	test('a rejected batch of two lists is requested again once both lists were read', async () => {
		const listDefinitions = ['people', 'orders'].map((key) => createList({ key }));
		const harness = new FollowerHarness({ batchesChanges: true, listDefinitions });
		harness.lists.orders = [];
		await harness.open();
		harness.runExecution = rejectStart;
		harness.upsertRecord(createNewPerson('a'));
		harness.upsertRecord(createNewPerson('b'), 'orders');
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

	test('a start is not requested again if the record no longer shows its change', async () => {
		const harness = new FollowerHarness({
			listDefinitions: [comparedList],
			kinds: new Set(['status']),
		});
		harness.upsertRecord(createOldPerson({ Status: 'pending' }));
		await harness.open();
		harness.runExecution = neverEnd;
		harness.upsertRecord(createOldPerson({ Status: 'confirmed' }));
		await harness.time.advance(MINUTE);
		harness.kill();
		harness.upsertRecord(createOldPerson({ Status: 'canceled' }));
		harness.runExecution = acceptStart;
		await harness.restart();
		expect(harness.requestedStarts).toHaveLength(2);
		expect(JSON.parse(harness.serializedState)).toMatchObject({ pendingStarts: [] });
	});

	test('a list whose first poll has unconfirmed starts is not read as if for the first time', async () => {
		const harness = new FollowerHarness({ listDefinitions: [comparedList], pageSize: 1 });
		harness.runExecution = neverEnd;
		harness.beforePage = (_, page) => {
			if (page === 1 && harness.polls.length === 1) {
				harness.time.nowMs += 2000;
				harness.upsertRecord({ Id: 'new', CreatedAt: formatTime(harness.time.nowMs) });
			}
		};
		harness.upsertRecord(createOldPerson());
		await harness.open(5000);
		harness.upsertRecord({ Id: 'next', CreatedAt: formatTime(MINUTE) });
		await harness.time.advance(MINUTE);
		expect(harness.startedChanges).toEqual(['created new', 'created next']);
		harness.kill();
		// Only a list that was read before can tell that a record without a date is new.
		harness.upsertRecord({ Id: 'undated' });
		await harness.restart();
		expect(harness.startedChanges).toEqual(['created new', 'created next', 'created undated']);
	});

	test('an edit five hours after the creation of a record starts as updated', async () => {
		const harness = await new FollowerHarness({ kinds: new Set(['updated']) }).open();
		harness.upsertRecord(createNewPerson('a'));
		await harness.time.advance(5 * HOUR);
		harness.kill();
		harness.upsertRecord({ Id: 'a', CreatedAt: formatTime(2000), Stamp: formatTime(5 * HOUR) });
		await harness.restart();
		expect(harness.startedChanges).toEqual(['updated a']);
	});

	test('a start requested more than 72 hours ago is reported as unclear, and not repeated', async () => {
		const harness = await new FollowerHarness().open();
		harness.runExecution = neverEnd;
		harness.upsertRecord(createNewPerson('a'));
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

describe.each([0, 2 * MINUTE])('with an overlap of %d ms', (overlapMs) => {
	test.each([1, 5, 20, 27])(
		'no old record starts if the clock of the service is set back by %d hours during a restart',
		async (hours) => {
			const harness = new FollowerHarness({ overlapMs });
			let setBackMs = 0;
			harness.dateHeader = () => Math.floor((harness.now - setBackMs) / 1000) * 1000;
			// The first poll reads the changes of 28 hours and the overlap, so it knows some of these records.
			for (let index = 0; index < 200; index++)
				harness.upsertRecord(createRecord(`old ${index}`, -28 * HOUR - index * 1000));
			await harness.open();
			harness.upsertRecord(createRecord('new', 2000));
			await harness.time.advance(MINUTE);
			setBackMs = hours * HOUR;
			await harness.restart();
			await harness.time.advance(20 * MINUTE);
			harness.upsertRecord(createRecord('later', harness.time.nowMs - setBackMs));
			await harness.time.advance(20 * MINUTE);
			expect(harness.startedChanges).toEqual(['created new', 'created later']);
		},
	);
});

test('a start of a list that is not discovered for a while is not repeated', async () => {
	const harness = new FollowerHarness({ listDefinitions: [comparedList], repeatStartsForMs: 0 });
	harness.keepsKeys = false;
	let finishExecution: () => void = () => undefined;
	harness.runExecution = async () =>
		await new Promise<void>((resolve) => (finishExecution = resolve));
	await harness.open();
	harness.upsertRecord({ Id: 'a', CreatedAt: formatTime(2000) });
	await harness.time.advance(MINUTE);
	harness.listDefinitions = [];
	await harness.time.advance(MINUTE);
	finishExecution();
	harness.listDefinitions = [comparedList];
	await harness.time.advance(3 * MINUTE);
	expect(harness.startedChanges).toEqual(['created a']);
});
