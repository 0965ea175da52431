import { dated, FollowBench, HOUR, list, MINUTE, text } from './listHarness';

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
