// Protects the other lists of a trigger when one fails: they are still polled, and the failure is reported once.
import { createRecord, FollowerHarness, HOUR, createList, MINUTE, formatTime } from './listHarness';

describe('several lists', () => {
	const listDefinitions = ['people', 'orders', 'events'].map((key) =>
		createList({ key, name: key }),
	);
	const createHarness = () => {
		const harness = new FollowerHarness({ listDefinitions });
		harness.lists.orders = [];
		harness.lists.events = [];
		return harness;
	};

	test('a list that always fails is reported, does not delay the others, and is read once it recovers', async () => {
		const harness = await createHarness().open();
		harness.failPage = (key) =>
			key === 'people' ? { kind: 'unavailable', message: '500' } : undefined;
		harness.upsertRecord(createRecord('o', 2000), 'orders');
		harness.upsertRecord(createRecord('e', 2000), 'events');
		await harness.time.advance(5 * MINUTE);
		expect(harness.startedChanges.sort()).toEqual(['created e', 'created o']);
		expect(harness.reports).toEqual([
			{ kind: 'listFailed', list: listDefinitions[0], isGone: false, message: '500' },
		]);
		harness.failPage = () => undefined;
		harness.upsertRecord(createRecord('p', 6 * MINUTE));
		await harness.time.advance(HOUR);
		expect(harness.startedChanges).toContain('created p');
	});

	test.each([
		['during its first poll', 5],
		['after the starts of its first poll', 15],
	])(
		'each is polled first after one of three restarts if n8n is always killed %s',
		async (_, lifetimeMs) => {
			const harness = await createHarness().open();
			const firstKeys: string[] = [];
			for (let restart = 1; restart <= 6; restart++) {
				harness.kill();
				for (const { key } of listDefinitions)
					harness.upsertRecord(createRecord(`${key} ${restart}`, harness.time.nowMs), key);
				const earlierPolls = harness.polls.length;
				await harness.open(0);
				// n8n saves the static data at the end of the activation.
				harness.staticData = harness.serializedState;
				await harness.time.advance(lifetimeMs);
				firstKeys.push(harness.polls[earlierPolls]!.key);
			}
			expect(new Set(firstKeys.slice(0, 3)).size).toBe(3);
			expect(firstKeys.slice(3)).toEqual(firstKeys.slice(0, 3));
		},
	);

	test.each(['unavailable', 'rateLimited'] as const)(
		'a credential that one list rejects does not stop the trigger if the other lists are %s',
		async (kind) => {
			const harness = await createHarness().open();
			harness.failPage = (key) =>
				key === 'people'
					? { kind: 'credentialRejected', message: '403' }
					: { kind, message: '5xx' };
			await harness.time.advance(HOUR);
			harness.failPage = () => undefined;
			harness.upsertRecord(createRecord('p', HOUR));
			await harness.time.advance(2 * HOUR);
			expect(harness.startedChanges).toContain('created p');
		},
	);

	test.each([
		[
			'that was discovered since the last round is followed since that round',
			'lists',
			['created since'],
		],
		['that the user selected is followed from now on', undefined, []],
	] as const)('a compared list %s', async (_, discoveredAs, expected) => {
		const harness = new FollowerHarness({ listDefinitions: [] });
		await harness.open();
		harness.upsertRecord({ Id: 'before', CreatedAt: formatTime(-MINUTE) });
		harness.upsertRecord({ Id: 'since', CreatedAt: formatTime(30_000) });
		harness.listDefinitions = [createList({ isFiltered: false, discoveredAs })];
		await harness.time.advance(2 * MINUTE);
		expect(harness.startedChanges).toEqual(expected);
	});
});
