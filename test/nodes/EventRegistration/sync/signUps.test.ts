import type { IDataObject } from 'n8n-workflow';

import { apply, changesIn, customFields, lastNames, person } from './people';
import { useSync } from './syncRig';

const { rig, proxy, list, contacts, control, count, sync } = useSync();

/** Adds a person when the whole list was read: the form, the list, a page and the list come first. */
const signUpMeanwhile = (listId: number, newcomer: IDataObject, then = () => {}) => {
	let isAdded = false;
	proxy.decide(({ number }) => {
		if (number > 4 && !isAdded) {
			isAdded = true;
			rig.sandbox.clock.advance(1000);
			control('addContact', { contactListId: listId, ...newcomer });
			then();
		}
		return 'pass';
	});
};

it.each([
	['the only new row', []],
	['one of several new rows', [person('cem'), person('dan')]],
])('a person who signs up while Sync runs is not added again: %s', async (_, others) => {
	const listId = await list([person('ada')]);
	signUpMeanwhile(listId, person('bob'));
	const { outputItems, error } = await sync(
		listId,
		[person('ada'), person('bob'), ...others],
		apply,
	);
	expect(error).toBeUndefined();
	expect(changesIn(outputItems)).toEqual([
		['unchanged', false],
		['conflict', false],
		...others.map(() => ['created', true]),
	]);
	const bobs = (await contacts(listId)).filter(({ LastName }) => LastName === 'bob');
	expect(bobs).toHaveLength(1);
	expect(outputItems[1]!.reason).toBe(
		`A contact with this key or email address was added or changed after the list was read: ${bobs[0]!.ContactId as number}`,
	);
	proxy.decide(() => 'pass');
	const again = await sync(listId, [person('ada'), person('bob', { Phone: '1' })], apply);
	expect(changesIn(again.outputItems)).toEqual([
		['unchanged', false],
		['updated', true],
	]);
});

it('an address that a person signs up with meanwhile is a conflict, whatever the key', async () => {
	const listId = await list([person('ada', customFields({ MemberNumber: '1' }))]);
	signUpMeanwhile(listId, person('bob'));
	const people = [person('bob', { Email: 'BOB@x.org', MemberNumber: '2' })];
	const { outputItems } = await sync(listId, people, { ...apply, matchBy: 'MemberNumber' });
	expect(changesIn(outputItems)).toEqual([['conflict', false]]);
	expect(count('addContacts')).toBe(0);
});

it('another person who signs up meanwhile changes nothing', async () => {
	const listId = await list([person('ada')]);
	signUpMeanwhile(listId, person('eve'));
	const { outputItems } = await sync(listId, [person('ada', { Phone: '1' }), person('bob')], apply);
	expect(changesIn(outputItems)).toEqual([
		['updated', true],
		['created', true],
	]);
	expect(lastNames(await contacts(listId))).toEqual(['ada', 'bob', 'eve']);
});

it('contacts are read again only if the list has changed', async () => {
	const listId = await list([person('ada')]);
	await sync(listId, [person('ada'), person('bob')], apply);
	expect(count('getManyContacts')).toBe(1);
});

it('nothing is added if the list cannot be read again', async () => {
	const listId = await list([person('ada')]);
	const rule = { service: 'eventRegistration', operation: 'getManyContacts' } as const;
	signUpMeanwhile(listId, person('eve'), () =>
		rig.sandbox.faultRules.add({ ...rule, kind: 'truncate' }),
	);
	const { error } = await sync(listId, [person('ada'), person('bob')], apply);
	expect(error?.message).toMatch(/^Sync stopped after 0 changed, 0 added and 0 removed contacts/);
	expect(count('addContacts')).toBe(0);
});
