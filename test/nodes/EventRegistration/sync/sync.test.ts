import type { IDataObject } from 'n8n-workflow';

import type { FaultDecision } from './faultProxy';
import { apply, changesIn, lastNames, person } from './people';
import { useSync } from './syncRig';

const { rig, proxy, list, contacts, count, sync, writes } = useSync();

/** The plan without the time of its reading. */
const digestIn = ([item]: IDataObject[]) => (item!.plan as string).split('Z_')[1];

describe('a preview', () => {
	it('shows each item in its place, and writes nothing', async () => {
		const listId = await list([person('ada', { Phone: '1' }), person('bob')]);
		const { outputItems, items, error } = await sync(listId, [
			person('bob'),
			person('cem'),
			person('ada', { Phone: '2' }),
			person('bob'),
		]);
		expect(error).toBeUndefined();
		expect(changesIn(outputItems)).toEqual([
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
		expect(writes()).toEqual([0, 0, 0]);
		expect(count('getContactForm')).toBe(1);
	});

	it('shows only changes, or one summary', async () => {
		const listId = await list([person('ada'), person('bob')]);
		const people = [person('ada'), person('cem')];
		const reportMissing = { missing: 'report' } as const;
		const { outputItems, items } = await sync(listId, people, {
			...reportMissing,
			show: 'changes',
		});
		expect(changesIn(outputItems)).toEqual([
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
		expect(digestIn(summaries)).toBe(digestIn(outputItems));
	});
});

describe('the summary of Apply', () => {
	const summary = async (listId: number, people: IDataObject[]) =>
		(await sync(listId, people, { ...apply, show: 'summary' })).outputItems[0]!;

	it('says whether anything was written', async () => {
		const listId = await list([person('ada')]);
		expect(await summary(listId, [person('ada')])).toMatchObject({
			applied: false,
			hasChanges: false,
		});
		expect(await summary(listId, [person('ada'), person('bob')])).toMatchObject({
			applied: true,
			hasChanges: true,
			counts: { created: 1, unchanged: 1 },
		});
	});

	it('leaves `applied` null if a response was lost', async () => {
		const listId = await list([person('ada')]);
		proxy.decide(({ method }) => (method === 'POST' ? 'dropResponse' : 'pass'));
		expect(await summary(listId, [person('ada', { Phone: '1' }), person('bob')])).toMatchObject({
			applied: null,
			hasChanges: true,
			counts: { updated: 1, uncertain: 1 },
			examples: { uncertain: [expect.objectContaining({ key: 'bob@x.org' })] },
		});
	});
});

describe('Apply', () => {
	it('adds, changes and removes, and a second run finds nothing to do', async () => {
		const listId = await list([
			person('ada', { CustomFields: [{ Name: 'Country', Value: 'Norway' }] }),
			person('bob'),
			person('eve'),
		]);
		const people = [
			person('ada', { Phone: '2', Topics: ['Data', 'Security'] }),
			person('bob'),
			person('cem', { MemberNumber: '00123', Employees: 12, Newsletter: true }),
		];
		const applyAndRemove = { ...apply, missing: 'remove' } as const;
		const { outputItems, error, items } = await sync(listId, people, applyAndRemove);
		expect(error).toBeUndefined();
		expect(changesIn(outputItems)).toEqual([
			['updated', true],
			['unchanged', false],
			['created', true],
			['removed', true],
		]);
		expect(items('Node').at(-1)!.pairedItem).toEqual([]);
		expect(writes()).toEqual([1, 1, 1]);
		const after = await contacts(listId);
		expect(lastNames(after)).toEqual(['ada', 'bob', 'cem']);
		expect(after.find(({ LastName }) => LastName === 'ada')).toMatchObject({
			Phone: '2',
			CustomFields: [
				{ Name: 'Country', Value: 'Norway' },
				{ Name: 'Topics', Value: 'Data, Security' },
			],
		});
		rig.sandbox.requestLog.clear();
		const { outputItems: again } = await sync(listId, people, applyAndRemove);
		expect(again.map(({ change }) => change)).toEqual(Array(3).fill('unchanged'));
		expect(writes()).toEqual([0, 0, 0]);
	});

	it('matches by a member number, exactly', async () => {
		const number = (Value: string) => ({ CustomFields: [{ Name: 'MemberNumber', Value }] });
		const listId = await list([person('ada', number('00123'))]);
		const { outputItems } = await sync(
			listId,
			[
				{ Email: 'new@x.org', LastName: 'ada', MemberNumber: '00123' },
				{ Email: 'other@x.org', LastName: 'other', MemberNumber: '123' },
			],
			{ ...apply, matchBy: 'MemberNumber' },
		);
		expect(changesIn(outputItems)).toEqual([
			['updated', true],
			['created', true],
		]);
		expect((await contacts(listId)).map(({ Email }) => Email)).toEqual([
			'new@x.org',
			'other@x.org',
		]);
	});

	it('clears blank fields only if the user wants that, and never a required one', async () => {
		const listId = await list([
			person('ada', { Phone: '1', CustomFields: [{ Name: 'Country', Value: 'Norway' }] }),
		]);
		const blank = person('ada', { Phone: ' ', Country: '' });
		expect(changesIn((await sync(listId, [blank], apply)).outputItems)).toEqual([
			['unchanged', false],
		]);
		const options = { clearBlank: true };
		const { outputItems } = await sync(listId, [blank], { ...apply, options });
		expect(outputItems[0]!.changes).toEqual([
			{ field: 'Phone', from: '1', to: '' },
			{ field: 'Country', from: 'Norway', to: '' },
		]);
		expect((await contacts(listId))[0]).toMatchObject({
			Phone: '',
			CustomFields: [{ Name: 'Country', Value: '' }],
		});
		const again = await sync(listId, [blank], { ...apply, options });
		expect(changesIn(again.outputItems)).toEqual([['unchanged', false]]);
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const given = { ...apply, options, matchBy: 'LastName' };
		const { error } = await sync(listId, [{ ...blank, Email: '' }], given);
		expect(error?.message).toMatch(/'Email address' is missing/);
	});

	it('writes no conflict, and names the contacts', async () => {
		const listId = await list([person('ada'), person('ada')]);
		const [firstId, secondId] = (await contacts(listId)).map(
			({ ContactId }) => ContactId as number,
		);
		rig.sandbox.requestLog.clear();
		const { outputItems } = await sync(listId, [person('ada', { Phone: '1' })], apply);
		expect(outputItems[0]).toMatchObject({
			change: 'conflict',
			applied: false,
			reason: `Several contacts have this key: ${firstId}, ${secondId}`,
		});
		expect(writes()).toEqual([0, 0, 0]);
	});

	it('one update is sent alone, then ten at a time, with the fields that differ', async () => {
		const people = Array.from({ length: 25 }, (_, index) => person(`p${index}`));
		const listId = await list(people);
		let updates = 0;
		let release: () => void = () => undefined;
		const ten = new Promise<void>((resolve) => (release = resolve));
		proxy.decide(async ({ method }): Promise<FaultDecision> => {
			// The first is written alone. None of the next ten is answered before all of them have come.
			if (method !== 'PATCH' || ++updates === 1) return 'pass';
			if (updates === 11) release();
			await ten;
			return 'pass';
		});
		const { outputItems } = await sync(
			listId,
			people.map((row) => ({ ...row, Phone: '1' })),
			apply,
		);
		expect(
			outputItems.every(({ change, applied }) => change === 'updated' && applied === true),
		).toBe(true);
		expect(writes()).toEqual([0, 25, 0]);
		// The form, two states of the list, one page, the first contact before and after, and the updates.
		expect(rig.sandbox.requestLog.count('eventRegistration')).toBe(1 + 2 + 1 + 2 + 25);
		const order = rig.sandbox.requestLog.entries().map(({ operationId }) => operationId);
		expect(order.slice(4, 7)).toEqual(['getContact', 'updateContact', 'getContact']);
	});
});
