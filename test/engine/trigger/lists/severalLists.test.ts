import { dated, FollowBench, HOUR, list, MINUTE, text } from './listHarness';

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
