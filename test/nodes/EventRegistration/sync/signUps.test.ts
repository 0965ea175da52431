// Protects people who sign up while Sync runs: they are not added a second time, and the other rows are written.
import type { IDataObject } from 'n8n-workflow';

import { applyMode, readChanges, makeCustomFields, readLastNames, makePerson } from './people';
import { useSync } from './syncRig';

const { rig, proxy, createList, readContacts, performAction, countRequests, sync } = useSync();

const READING_REQUESTS = 4;

/** Adds a person after the whole list was read. The first four requests read the form, the list, a page and the list again. */
const signUpMeanwhile = (listId: number, newcomer: IDataObject, onSignUp = () => {}) => {
	let isAdded = false;
	proxy.decide(({ number }) => {
		if (number > READING_REQUESTS && !isAdded) {
			isAdded = true;
			rig.sandbox.clock.advance(1000);
			performAction('addContact', { contactListId: listId, ...newcomer });
			onSignUp();
		}
		return 'pass';
	});
};

it.each([
	['the only new row', []],
	['one of several new rows', [makePerson('cem'), makePerson('dan')]],
])('a person who signs up while Sync runs is not added again: %s', async (_, others) => {
	const listId = await createList([makePerson('ada')]);
	signUpMeanwhile(listId, makePerson('bob'));
	const { outputItems, error } = await sync(
		listId,
		[makePerson('ada'), makePerson('bob'), ...others],
		applyMode,
	);
	expect(error).toBeUndefined();
	expect(readChanges(outputItems)).toEqual([
		['unchanged', false],
		['conflict', false],
		...others.map(() => ['created', true]),
	]);
	const bobs = (await readContacts(listId)).filter(({ LastName }) => LastName === 'bob');
	expect(bobs).toHaveLength(1);
	expect(outputItems[1]!.reason).toBe(
		`A contact with this key or email address was added or changed after the list was read: ${bobs[0]!.ContactId as number}`,
	);
	proxy.decide(() => 'pass');
	const secondRun = await sync(
		listId,
		[makePerson('ada'), makePerson('bob', { Phone: '1' })],
		applyMode,
	);
	expect(readChanges(secondRun.outputItems)).toEqual([
		['unchanged', false],
		['updated', true],
	]);
});

it('a row with the address of a person who signs up while Sync runs is a conflict, even if its key differs', async () => {
	const listId = await createList([makePerson('ada', makeCustomFields({ MemberNumber: '1' }))]);
	signUpMeanwhile(listId, makePerson('bob'));
	const people = [makePerson('bob', { Email: 'BOB@x.org', MemberNumber: '2' })];
	const { outputItems } = await sync(listId, people, { ...applyMode, matchBy: 'MemberNumber' });
	expect(readChanges(outputItems)).toEqual([['conflict', false]]);
	expect(countRequests('addContacts')).toBe(0);
});

it('a person without a row who signs up while Sync runs does not change the result', async () => {
	const listId = await createList([makePerson('ada')]);
	signUpMeanwhile(listId, makePerson('eve'));
	const { outputItems } = await sync(
		listId,
		[makePerson('ada', { Phone: '1' }), makePerson('bob')],
		applyMode,
	);
	expect(readChanges(outputItems)).toEqual([
		['updated', true],
		['created', true],
	]);
	expect(readLastNames(await readContacts(listId))).toEqual(['ada', 'bob', 'eve']);
});

it('contacts are not read again if the list has not changed', async () => {
	const listId = await createList([makePerson('ada')]);
	await sync(listId, [makePerson('ada'), makePerson('bob')], applyMode);
	expect(countRequests('getManyContacts')).toBe(1);
});

it('no contact is added if the list changed and cannot be read again', async () => {
	const listId = await createList([makePerson('ada')]);
	const rule = { service: 'eventRegistration', operation: 'getManyContacts' } as const;
	signUpMeanwhile(listId, makePerson('eve'), () =>
		rig.sandbox.faultRules.add({ ...rule, kind: 'truncate' }),
	);
	const { error } = await sync(listId, [makePerson('ada'), makePerson('bob')], applyMode);
	expect(error?.message).toMatch(/^Sync stopped after 0 changed, 0 added and 0 removed contacts/);
	expect(countRequests('addContacts')).toBe(0);
});
