// Protects Sync as a whole: a preview writes nothing, Apply makes the list match the input, a second run changes nothing.
import type { IDataObject } from 'n8n-workflow';

import type { FaultDecision } from './faultProxy';
import { applyMode, readChanges, readLastNames, makePerson } from './people';
import { useSync } from './syncRig';

const { rig, proxy, createList, readContacts, countRequests, sync, countWrites } = useSync();

/** Returns the plan without the time of its reading. */
const readDigest = ([item]: IDataObject[]) => (item!.plan as string).split('Z_')[1];

describe('a preview', () => {
	it('outputs the change of each item in the order of the input, and writes nothing', async () => {
		const listId = await createList([makePerson('ada', { Phone: '1' }), makePerson('bob')]);
		const { outputItems, items, error } = await sync(listId, [
			makePerson('bob'),
			makePerson('cem'),
			makePerson('ada', { Phone: '2' }),
			makePerson('bob'),
		]);
		expect(error).toBeUndefined();
		expect(readChanges(outputItems)).toEqual([
			['unchanged', false],
			['created', false],
			['updated', false],
			['duplicate', false],
		]);
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(outputItems[2]).toMatchObject({
			key: 'ada@x.org',
			ContactId: expect.any(Number),
			changes: [{ field: 'Phone', from: '1', to: '2' }],
		});
		expect(outputItems[1]).not.toHaveProperty('ContactId');
		expect(new Set(outputItems.map(({ plan }) => plan)).size).toBe(1);
		expect(countWrites()).toEqual([0, 0, 0]);
		expect(countRequests('getContactForm')).toBe(1);
	});

	it('outputs only the changes, or one summary', async () => {
		const listId = await createList([makePerson('ada'), makePerson('bob')]);
		const people = [makePerson('ada'), makePerson('cem')];
		const reportMissing = { missing: 'report' } as const;
		const { outputItems, items } = await sync(listId, people, {
			...reportMissing,
			show: 'changes',
		});
		expect(readChanges(outputItems)).toEqual([
			['created', false],
			['missing', false],
		]);
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, []]);
		const { outputItems: summaries } = await sync(listId, people, {
			...reportMissing,
			show: 'summary',
		});
		expect(summaries).toEqual([
			{
				hasChanges: true,
				applied: false,
				counts: {
					created: 1,
					updated: 0,
					unchanged: 1,
					duplicate: 0,
					conflict: 0,
					uncertain: 0,
					missing: 1,
					removed: 0,
					invalid: 0,
				},
				examples: {
					created: [expect.objectContaining({ key: 'cem@x.org' })],
					unchanged: [expect.objectContaining({ key: 'ada@x.org' })],
					missing: [expect.objectContaining({ key: 'bob@x.org' })],
				},
				plan: expect.stringMatching(/Z_[\w-]{32}$/),
			},
		]);
		expect(readDigest(summaries)).toBe(readDigest(outputItems));
	});
});

describe('the summary of Apply', () => {
	const getSummary = async (listId: number, people: IDataObject[]) =>
		(await sync(listId, people, { ...applyMode, show: 'summary' })).outputItems[0]!;

	it('says whether anything was written', async () => {
		const listId = await createList([makePerson('ada')]);
		expect(await getSummary(listId, [makePerson('ada')])).toMatchObject({
			applied: false,
			hasChanges: false,
		});
		expect(await getSummary(listId, [makePerson('ada'), makePerson('bob')])).toMatchObject({
			applied: true,
			hasChanges: true,
			counts: { created: 1, unchanged: 1 },
		});
	});

	it('leaves `applied` null if a response was lost', async () => {
		const listId = await createList([makePerson('ada')]);
		proxy.decide(({ method }) => (method === 'POST' ? 'dropResponse' : 'pass'));
		expect(
			await getSummary(listId, [makePerson('ada', { Phone: '1' }), makePerson('bob')]),
		).toMatchObject({
			applied: null,
			hasChanges: true,
			counts: { updated: 1, uncertain: 1 },
			examples: { uncertain: [expect.objectContaining({ key: 'bob@x.org' })] },
		});
	});
});

describe('Apply', () => {
	it('adds, changes and removes contacts, and a second run changes nothing', async () => {
		const listId = await createList([
			makePerson('ada', { CustomFields: [{ Name: 'Country', Value: 'Norway' }] }),
			makePerson('bob'),
			makePerson('eve'),
		]);
		const people = [
			makePerson('ada', { Phone: '2', Topics: ['Data', 'Security'] }),
			makePerson('bob'),
			makePerson('cem', { MemberNumber: '00123', Employees: 12, Newsletter: true }),
		];
		const applyAndRemove = { ...applyMode, missing: 'remove' } as const;
		const { outputItems, error, items } = await sync(listId, people, applyAndRemove);
		expect(error).toBeUndefined();
		expect(readChanges(outputItems)).toEqual([
			['updated', true],
			['unchanged', false],
			['created', true],
			['removed', true],
		]);
		expect(items('Node').at(-1)!.pairedItem).toEqual([]);
		expect(countWrites()).toEqual([1, 1, 1]);
		const contactsAfter = await readContacts(listId);
		expect(readLastNames(contactsAfter)).toEqual(['ada', 'bob', 'cem']);
		expect(contactsAfter.find(({ LastName }) => LastName === 'ada')).toMatchObject({
			Phone: '2',
			CustomFields: [
				{ Name: 'Country', Value: 'Norway' },
				{ Name: 'Topics', Value: 'Data, Security' },
			],
		});
		rig.sandbox.requestLog.clear();
		const { outputItems: secondRun } = await sync(listId, people, applyAndRemove);
		expect(secondRun.map(({ change }) => change)).toEqual(Array(3).fill('unchanged'));
		expect(countWrites()).toEqual([0, 0, 0]);
	});

	it('clears blank fields only if Clear Blank Fields is on, and never a required one', async () => {
		const listId = await createList([
			makePerson('ada', { Phone: '1', CustomFields: [{ Name: 'Country', Value: 'Norway' }] }),
		]);
		const personWithBlanks = makePerson('ada', { Phone: ' ', Country: '' });
		expect(readChanges((await sync(listId, [personWithBlanks], applyMode)).outputItems)).toEqual([
			['unchanged', false],
		]);
		const options = { clearBlank: true };
		const { outputItems } = await sync(listId, [personWithBlanks], { ...applyMode, options });
		expect(outputItems[0]!.changes).toEqual([
			{ field: 'Phone', from: '1', to: '' },
			{ field: 'Country', from: 'Norway', to: '' },
		]);
		expect((await readContacts(listId))[0]).toMatchObject({
			Phone: '',
			CustomFields: [{ Name: 'Country', Value: '' }],
		});
		const secondRun = await sync(listId, [personWithBlanks], { ...applyMode, options });
		expect(readChanges(secondRun.outputItems)).toEqual([['unchanged', false]]);
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const parameters = { ...applyMode, options, matchBy: 'LastName' };
		const { error } = await sync(listId, [{ ...personWithBlanks, Email: '' }], parameters);
		expect(error?.message).toMatch(/'Email address' is missing/);
	});

	it('does not write a row that conflicts, and the reason has the IDs of the contacts', async () => {
		const listId = await createList([makePerson('ada'), makePerson('ada')]);
		const [firstId, secondId] = (await readContacts(listId)).map(
			({ ContactId }) => ContactId as number,
		);
		rig.sandbox.requestLog.clear();
		const { outputItems } = await sync(listId, [makePerson('ada', { Phone: '1' })], applyMode);
		expect(outputItems[0]).toMatchObject({
			change: 'conflict',
			applied: false,
			reason: `Several contacts have this key: ${firstId}, ${secondId}`,
		});
		expect(countWrites()).toEqual([0, 0, 0]);
	});

	it('sends the first update alone, and the next ones ten at a time', async () => {
		const people = Array.from({ length: 25 }, (_, index) => makePerson(`p${index}`));
		const listId = await createList(people);
		let updates = 0;
		let release: () => void = () => undefined;
		const tenUpdatesArrived = new Promise<void>((resolve) => (release = resolve));
		proxy.decide(async ({ method }): Promise<FaultDecision> => {
			// The first update gets its response at once. The next ten get theirs only when all ten have arrived.
			if (method !== 'PATCH' || ++updates === 1) return 'pass';
			if (updates === 11) release();
			await tenUpdatesArrived;
			return 'pass';
		});
		const { outputItems } = await sync(
			listId,
			people.map((row) => ({ ...row, Phone: '1' })),
			applyMode,
		);
		expect(
			outputItems.every(({ change, applied }) => change === 'updated' && applied === true),
		).toBe(true);
		expect(countWrites()).toEqual([0, 25, 0]);
		// The form, two states of the list, three pages (two prove that the first is the only one), the first contact before and after, and the updates.
		expect(rig.sandbox.requestLog.count('eventRegistration')).toBe(1 + 2 + 3 + 2 + 25);
		const requestOrder = rig.sandbox.requestLog.entries().map(({ operationId }) => operationId);
		expect(requestOrder.slice(6, 9)).toEqual(['getContact', 'updateContact', 'getContact']);
	});
});
