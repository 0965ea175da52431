// Protects contact lists from invalid rows: Sync stops before it writes, or writes the valid rows and removes no contact.
import { locateById } from '../../../support/locators';
import { applyMode, readChanges, readLastNames, errorOutput, makePerson } from './people';
import { useSync } from './syncRig';

const { rig, createList, readContacts, sync, countWrites } = useSync();

describe('invalid rows', () => {
	const people = [makePerson('ada'), { Email: ' ', LastName: 'nobody' }, makePerson('cem')];

	it('invalid rows stop Sync before the first write', async () => {
		const listId = await createList([makePerson('bob')]);
		const { outputItems, error } = await sync(listId, people, { ...applyMode, missing: 'remove' });
		expect(outputItems).toEqual([]);
		expect(error?.message).toMatch(/^Row 2 of 3: 'Email' is blank/);
		expect(countWrites()).toEqual([0, 0, 0]);
	});

	it('invalid rows go to the error output, valid rows are written, and no contact is removed', async () => {
		const listId = await createList([makePerson('bob')]);
		const { outputItems, errorItems } = await sync(
			listId,
			people,
			{ ...applyMode, missing: 'remove' },
			errorOutput,
		);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(readChanges(outputItems)).toEqual([
			['created', true],
			['created', true],
			['missing', false],
		]);
		expect(outputItems[2]!.reason).toMatch(/Nothing is removed while input items are invalid/);
		expect(readLastNames(await readContacts(listId))).toEqual(['ada', 'bob', 'cem']);
	});

	it('a contact with an invalid row does not count as missing', async () => {
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const listId = await createList([makePerson('ada'), makePerson('bob'), makePerson('cem')]);
		const rows = [makePerson('cem'), makePerson('bob', { LastCall: 'at noon' })];
		const { outputItems, errorItems } = await sync(
			listId,
			rows,
			{ missing: 'report' },
			errorOutput,
		);
		expect(errorItems.map(({ json }) => json.LastName)).toEqual(['bob']);
		expect(outputItems.map(({ key, change }) => [key, change])).toEqual([
			['cem@x.org', 'unchanged'],
			['ada@x.org', 'missing'],
		]);
	});

	it('items without values are skipped, and Sync fails if no item has a value', async () => {
		const listId = await createList([makePerson('bob')]);
		const resultWithRow = await sync(listId, [{}, makePerson('bob'), { other: 1 }], applyMode);
		expect(readChanges(resultWithRow.outputItems)).toEqual([['unchanged', false]]);
		const resultWithoutRows = await sync(listId, [{}], { ...applyMode, missing: 'remove' });
		expect(resultWithoutRows.error?.message).toMatch(/No input item has a value for the form/);
		expect(countWrites()).toEqual([0, 0, 0]);
	});

	it('items for several lists fail before any request', async () => {
		const listId = await createList();
		const { error } = await rig.run(
			'eventRegistration',
			{
				resource: 'contact',
				operation: 'sync',
				contactListId: locateById('={{ $json.list }}'),
				email: '={{ $json.Email }}',
				details: { mappingMode: 'autoMapInputData', value: null, schema: [] },
			},
			[makePerson('ada', { list: listId }), makePerson('bob', { list: 7003 })],
		);
		expect(error?.message).toMatch(/'Contact List' must be the same for all items/);
		expect(rig.sandbox.requestLog.count('eventRegistration')).toBe(0);
	});

	it('Sync fails if Match By is not a text field', async () => {
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const listId = await createList();
		const { error } = await sync(listId, [makePerson('ada')], { matchBy: 'Employees' });
		expect(error?.message).toMatch(/'Match By' can't be 'Number of employees'/);
	});
});
