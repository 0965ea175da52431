// Protects the sign-off of Sync: Apply writes only the plan that the user approved, within the change limits.
import type { IDataObject } from 'n8n-workflow';

import { useFake } from '../fakeService';
import type { Reply } from '../fakeService';
import { applyMode, applyToFake, readLastNames, makePerson } from './people';
import { useSync } from './syncRig';

const { rig, createList, readContacts, performAction, sync, countWrites } = useSync();

describe('change limits and sign-off', () => {
	const members = Array.from({ length: 20 }, (_, index) => makePerson(`p${index}`));

	it('a change limit stops Apply before it writes, and gives a hint in a preview', async () => {
		const listId = await createList(members);
		const removeAndSummarize = { missing: 'remove', show: 'summary' } as const;
		const preview = await sync(listId, members.slice(0, 14), removeAndSummarize);
		expect(preview.outputItems[0]!.limitExceeded).toMatch(/^6 of 20 contacts would be removed/);
		expect(preview.hints.map(({ message }) => message).join()).toMatch(/Apply would stop here/);
		const { error } = await sync(listId, members.slice(0, 14), {
			...removeAndSummarize,
			...applyMode,
		});
		expect(error?.message).toMatch(/Nothing was written: 6 of 20 contacts would be removed/);
		expect(countWrites()).toEqual([0, 0, 0]);
		const options = { maxRemovals: '30%' };
		const allowed = await sync(listId, members.slice(0, 14), {
			...removeAndSummarize,
			...applyMode,
			options,
		});
		expect(allowed.outputItems[0]).toMatchObject({ counts: { removed: 6, unchanged: 14 } });
		expect(await readContacts(listId)).toHaveLength(14);
	});

	it('Apply accepts the plan that was signed off, in any order of the input', async () => {
		const listId = await createList(members);
		const people = [makePerson('p0', { Phone: '1' }), makePerson('new'), ...members.slice(1, 18)];
		const removeMissing = { missing: 'remove' } as const;
		const { outputItems } = await sync(listId, people, removeMissing);
		const options = { expectedPlan: outputItems[0]!.plan as string };
		// A new sign-up does not make the sign-off invalid, and is not removed.
		rig.sandbox.clock.advance(5000);
		performAction('addContact', { contactListId: listId, ...makePerson('late') });
		rig.sandbox.clock.advance(5000);
		const appliedRun = await sync(listId, [...people].reverse(), {
			...removeMissing,
			...applyMode,
			options,
		});
		expect(appliedRun.error).toBeUndefined();
		expect(
			appliedRun.outputItems.filter(({ applied }) => applied).map(({ change }) => change),
		).toEqual(['created', 'updated', 'removed', 'removed']);
		expect(appliedRun.outputItems.find(({ key }) => key === 'late@x.org')).toMatchObject({
			change: 'missing',
		});
		expect(readLastNames(await readContacts(listId))).toContain('late');
	});

	it('Apply writes nothing if the plan differs, and the error has the counts of the new plan', async () => {
		const listId = await createList(members);
		const people = [makePerson('p0', { Phone: '1' }), ...members.slice(1)];
		const { outputItems } = await sync(listId, people);
		const options = { expectedPlan: outputItems[0]!.plan as string };
		const [first] = await readContacts(listId);
		performAction('changeContact', {
			contactListId: listId,
			contactId: first!.ContactId,
			Phone: '9',
		});
		const { error } = await sync(listId, people, { ...applyMode, options });
		expect(error).toMatchObject({
			message: expect.stringMatching(/another one than the expected one, so nothing was written/),
			description: expect.stringContaining("Today's plan: 1 updated, 19 unchanged."),
		});
		expect(countWrites()).toEqual([0, 0, 0]);
	});

	it('Apply fails if the expected plan is blank', async () => {
		const listId = await createList(members);
		const { error } = await sync(listId, members, { ...applyMode, options: { expectedPlan: '' } });
		expect(error?.message).toMatch(/Expected Plan/);
		expect(rig.sandbox.requestLog.count('eventRegistration')).toBe(0);
	});
});

describe('a service that does not date changes', () => {
	const fake = useFake();
	const ada = { ContactId: 1, ...makePerson('ada') };
	const old = { ContactId: 2, ...makePerson('old') };

	/** Previews the removal of a contact, lets the service change the list, and applies the plan. Returns the result. */
	async function applyAfterChange(before: IDataObject, after: IDataObject) {
		let contacts = [ada, before];
		const methods: string[] = [];
		fake.respondWith(({ method, url }): Reply => {
			methods.push(method);
			if (url.endsWith('/contactform')) return { body: { Email: 'Email', Last: 'LastName' } };
			if (url.includes('/contacts?')) return { body: contacts };
			if (url.endsWith('/contacts/2')) return { body: contacts[1] };
			return { body: { ContactListId: 7, ContactCount: 2, LastUpdated: 'monday' } };
		});
		const runSync = async (mode: 'preview' | 'apply', options: object) =>
			await fake.operate(
				'contact',
				'sync',
				{ ...applyToFake, mode, missing: 'remove', options: { tries: 1, ...options } },
				[makePerson('ada')],
			);
		const preview = await runSync('preview', {});
		expect(preview.outputItems.map(({ change }) => change)).toEqual(['unchanged', 'removed']);
		contacts = [ada, after];
		const { error } = await runSync('apply', { expectedPlan: preview.outputItems[0]!.plan });
		return { message: error?.message, hasRemoved: methods.includes('DELETE') };
	}

	it.each([
		['without a time', {}],
		['with the same time', { LastUpdated: '2026-05-01T12:00:00Z' }],
	])('a contact that has changed since the preview is not removed: %s', async (_, time) => {
		const changed = { ...old, ...time, LastName: 'married' };
		expect(await applyAfterChange({ ...old, ...time }, changed)).toEqual({
			message: expect.stringMatching(/another one than the expected one, so nothing was written/),
			hasRemoved: false,
		});
	});

	it('a contact that is the same is removed', async () => {
		expect(await applyAfterChange(old, { ...old, LastName: ' old ' })).toEqual({
			message: undefined,
			hasRemoved: true,
		});
	});
});
