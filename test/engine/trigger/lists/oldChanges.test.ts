// Protects users from starts for old changes: those before the moment they set start nothing, and late ones are reported.
import {
	createList,
	createRecord,
	FollowerHarness,
	formatTime,
	HOUR,
	MINUTE,
	NOON,
} from './listHarness';

/** The local time that is noon at the service, whose clock is an hour ahead. */
const LOCAL_NOON = NOON - HOUR;

/** Starts a follower again with other options, and with the state that it saved before. */
async function reopen(before: FollowerHarness, options: object, list = createList()) {
	before.kill();
	const after = new FollowerHarness({ listDefinitions: [list], ...options });
	after.lists.people = before.lists.people!;
	after.staticData = before.staticData;
	after.time.nowMs = before.time.nowMs;
	await after.open();
	return after;
}

const reportsOf = ({ reports }: FollowerHarness) => reports;

test('changes before the moment start nothing, by the clock of the service', async () => {
	const before = await new FollowerHarness().open();
	await before.time.advance(10 * MINUTE);
	before.upsertRecord(createRecord('a', 4 * MINUTE));
	before.upsertRecord(createRecord('b', 6 * MINUTE));
	const after = await reopen(before, { startFrom: LOCAL_NOON + 5 * MINUTE });
	expect(after.startedChanges).toEqual(['created b']);
	expect(reportsOf(after)).toEqual([{ kind: 'changesIgnored', ids: ['a'] }]);
});

test('without a Date header, the moment is compared with the dates as it is', async () => {
	const before = await new FollowerHarness().open();
	await before.time.advance(10 * MINUTE);
	before.upsertRecord(createRecord('a', 4 * MINUTE));
	before.upsertRecord(createRecord('b', 6 * MINUTE));
	before.kill();
	const after = new FollowerHarness({ startFrom: NOON + 5 * MINUTE });
	after.dateHeader = () => undefined;
	after.lists.people = before.lists.people!;
	after.staticData = before.staticData;
	after.time.nowMs = before.time.nowMs;
	await after.open();
	expect(after.startedChanges).toEqual(['created b']);
});

test('a change without a date starts nothing only until the list was read once with that moment', async () => {
	const list = createList({ isFiltered: false });
	const before = new FollowerHarness({ listDefinitions: [list] });
	const person = { Id: 'a', CreatedAt: formatTime(-HOUR), Status: 'in' };
	before.upsertRecord(person);
	await before.open();
	before.upsertRecord({ ...person, Status: 'out' });
	const options = { startFrom: LOCAL_NOON + MINUTE };
	const after = await reopen(before, options, list);
	expect([after.startedChanges, reportsOf(after)]).toEqual([
		[],
		[{ kind: 'changesIgnored', ids: ['a'] }],
	]);
	after.staticData = after.serializedState;
	after.upsertRecord({ ...person, Status: 'in' });
	const restarted = await reopen(after, options, list);
	expect([restarted.startedChanges, reportsOf(restarted)]).toEqual([['status a'], []]);
	restarted.staticData = restarted.serializedState;
	restarted.upsertRecord({ ...person, Status: 'out' });
	const later = await reopen(restarted, { startFrom: LOCAL_NOON + 2 * MINUTE }, list);
	expect(later.startedChanges).toEqual([]);
	expect(later.serializedState.match(/startFrom \d+/g)).toEqual([
		`startFrom ${LOCAL_NOON + 2 * MINUTE}`,
	]);
});

test('a check-in that was dated before the moment and appears later starts nothing', async () => {
	const list = createList({ isFiltered: false });
	const harness = new FollowerHarness({
		listDefinitions: [list],
		startFrom: LOCAL_NOON + MINUTE,
	});
	const person = { Id: 'a', CreatedAt: formatTime(-HOUR) };
	harness.upsertRecord(person);
	await harness.open();
	harness.upsertRecord({ ...person, CheckIn: formatTime(30_000) });
	harness.upsertRecord({ ...person, Id: 'b', CheckIn: formatTime(2 * MINUTE) });
	await harness.time.advance(3 * MINUTE);
	expect(harness.startedChanges).toEqual(['checkedIn b']);
	expect(reportsOf(harness)).toEqual([]);
});

test('a start that was requested before the moment is dropped and reported, a later one is repeated', async () => {
	const before = new FollowerHarness();
	before.runExecution = async () => await new Promise<never>(() => undefined);
	await before.open();
	before.upsertRecord(createRecord('a', 2000));
	await before.time.advance(2 * MINUTE);
	before.upsertRecord(createRecord('b', 2 * MINUTE));
	await before.time.advance(2 * MINUTE);
	expect(before.startedChanges).toEqual(['created a', 'created b']);
	const after = await reopen(before, { startFrom: LOCAL_NOON + 110_000 });
	expect(after.startedChanges).toEqual(['created b']);
	expect(reportsOf(after)).toEqual([{ kind: 'changesIgnored', ids: ['a'] }]);
});

test.each([
	[61, 'is', [{ kind: 'changesLate', ids: ['a'], byMs: expect.any(Number) as number }]],
	[59, 'is not', []],
])(
	'a change that is %d minutes old at the restart %s reported as late if the limit is an hour',
	async (minutes, _, expectedReports) => {
		const before = await new FollowerHarness().open();
		before.upsertRecord(createRecord('a', 2 * MINUTE));
		before.kill();
		await before.time.advance((minutes + 2) * MINUTE);
		const after = await reopen(before, { reportOlderThanMs: HOUR });
		expect(after.startedChanges).toEqual(['created a']);
		expect(reportsOf(after)).toEqual(expectedReports);
		await after.time.advance(10 * MINUTE);
		expect(reportsOf(after)).toEqual(expectedReports);
	},
);

test('a change that the running follower finds late is not reported', async () => {
	const harness = await new FollowerHarness({ reportOlderThanMs: HOUR }).open();
	harness.failPage = () => ({ kind: 'unavailable', message: 'down' });
	await harness.time.advance(5 * MINUTE);
	harness.upsertRecord(createRecord('a', 3 * MINUTE));
	await harness.time.advance(2 * HOUR);
	harness.failPage = () => undefined;
	await harness.time.advance(HOUR);
	expect(harness.startedChanges).toEqual(['created a']);
	expect(reportsOf(harness).map(({ kind }) => kind)).toEqual(['unavailable']);
});
