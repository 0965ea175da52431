import { apply, changesIn, lastNames, onError, person } from './people';
import { useSync } from './syncRig';

const { rig, list, contacts, sync, writes } = useSync();

describe('invalid rows', () => {
	const people = [person('ada'), { Email: ' ', LastName: 'nobody' }, person('cem')];

	it('invalid rows stop Sync before the first write', async () => {
		const listId = await list([person('bob')]);
		const { outputItems, error } = await sync(listId, people, { ...apply, missing: 'remove' });
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(/'Email' is blank \[item 1\]/);
		expect(writes()).toEqual([0, 0, 0]);
	});

	it('invalid rows go to the error output; the others are written, and nothing is removed', async () => {
		const listId = await list([person('bob')]);
		const { outputItems, errorItems } = await sync(
			listId,
			people,
			{ ...apply, missing: 'remove' },
			onError,
		);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(changesIn(outputItems)).toEqual([
			['created', true],
			['created', true],
			['missing', false],
		]);
		expect(outputItems[2]!.reason).toMatch(/Nothing is removed while input items are invalid/);
		expect(lastNames(await contacts(listId))).toEqual(['ada', 'bob', 'cem']);
	});

	it('a contact with an invalid row does not count as missing', async () => {
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const listId = await list([person('ada'), person('bob'), person('cem')]);
		const rows = [person('cem'), person('bob', { LastCall: 'at noon' })];
		const { outputItems, errorItems } = await sync(listId, rows, { missing: 'report' }, onError);
		expect(errorItems.map(({ json }) => json.LastName)).toEqual(['bob']);
		expect(outputItems.map(({ key, change }) => [key, change])).toEqual([
			['cem@x.org', 'unchanged'],
			['ada@x.org', 'missing'],
		]);
	});

	it('items without any value are not invalid rows; without rows Sync fails', async () => {
		const listId = await list([person('bob')]);
		const some = await sync(listId, [{}, person('bob'), { other: 1 }], apply);
		expect(changesIn(some.outputItems)).toEqual([['unchanged', false]]);
		const none = await sync(listId, [{}], { ...apply, missing: 'remove' });
		expect(none.error?.message).toMatch(/No input item has a value for the form/);
		expect(writes()).toEqual([0, 0, 0]);
	});

	it('items that name several lists fail before anything is sent', async () => {
		const listId = await list();
		const { error } = await rig.run(
			'eventRegistration',
			{
				resource: 'contact',
				operation: 'sync',
				contactListId: { __rl: true, mode: 'id', value: '={{ $json.list }}' },
				email: '={{ $json.Email }}',
				details: { mappingMode: 'autoMapInputData', value: null, schema: [] },
			},
			[person('ada', { list: listId }), person('bob', { list: 7003 })],
		);
		expect(error?.message).toMatch(/'Contact List' must be the same for all items/);
		expect(rig.sandbox.requestLog.count('eventRegistration')).toBe(0);
	});

	it('rows are rejected if the key is not a text field', async () => {
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const listId = await list();
		const { error } = await sync(listId, [person('ada')], { matchBy: 'Employees' });
		expect(error?.message).toMatch(/'Match By' can't be 'Number of employees'/);
	});
});
