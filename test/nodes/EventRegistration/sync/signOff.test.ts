import { apply, lastNames, person } from './people';
import { useSync } from './syncRig';

const { rig, list, contacts, control, sync, writes } = useSync();

describe('change limits and sign-off', () => {
	const members = Array.from({ length: 20 }, (_, index) => person(`p${index}`));

	it('change limits stop Apply before it writes, and warn in a preview', async () => {
		const listId = await list(members);
		const removeAndSummarize = { missing: 'remove', show: 'summary' } as const;
		const preview = await sync(listId, members.slice(0, 14), removeAndSummarize);
		expect(preview.outputItems[0]!.limitExceeded).toMatch(/^6 of 20 contacts would be removed/);
		expect(preview.hints.map(({ message }) => message).join()).toMatch(/Apply would stop here/);
		const { error } = await sync(listId, members.slice(0, 14), { ...removeAndSummarize, ...apply });
		expect(error?.message).toMatch(/Nothing was written: 6 of 20 contacts would be removed/);
		expect(writes()).toEqual([0, 0, 0]);
		const options = { maxRemovals: '30%' };
		const allowed = await sync(listId, members.slice(0, 14), {
			...removeAndSummarize,
			...apply,
			options,
		});
		expect(allowed.outputItems[0]).toMatchObject({ counts: { removed: 6, unchanged: 14 } });
		expect(await contacts(listId)).toHaveLength(14);
	});

	it('Apply accepts the plan that was signed off, in any order of the input', async () => {
		const listId = await list(members);
		const people = [person('p0', { Phone: '1' }), person('new'), ...members.slice(1, 18)];
		const removeMissing = { missing: 'remove' } as const;
		const { outputItems } = await sync(listId, people, removeMissing);
		const options = { expectedPlan: outputItems[0]!.plan as string };
		// A new sign-up does not void the sign-off, and is not removed.
		rig.sandbox.clock.advance(5000);
		control('addContact', { contactListId: listId, ...person('late') });
		rig.sandbox.clock.advance(5000);
		const done = await sync(listId, [...people].reverse(), { ...removeMissing, ...apply, options });
		expect(done.error).toBeUndefined();
		expect(done.outputItems.filter(({ applied }) => applied).map(({ change }) => change)).toEqual([
			'created',
			'updated',
			'removed',
			'removed',
		]);
		expect(done.outputItems.find(({ key }) => key === 'late@x.org')).toMatchObject({
			change: 'missing',
		});
		expect(lastNames(await contacts(listId))).toContain('late');
	});

	it('Apply writes nothing if the plan differs, and gives the counts', async () => {
		const listId = await list(members);
		const people = [person('p0', { Phone: '1' }), ...members.slice(1)];
		const { outputItems } = await sync(listId, people);
		const options = { expectedPlan: outputItems[0]!.plan as string };
		const [first] = await contacts(listId);
		control('changeContact', {
			contactListId: listId,
			contactId: first!.ContactId,
			Phone: '9',
		});
		const { error } = await sync(listId, people, { ...apply, options });
		expect(error).toMatchObject({
			message: expect.stringMatching(/another one than the expected one, so nothing was written/),
			description: expect.stringContaining("Today's plan: 1 updated, 19 unchanged."),
		});
		expect(writes()).toEqual([0, 0, 0]);
	});

	it('Apply fails if the expected plan is blank', async () => {
		const listId = await list(members);
		const { error } = await sync(listId, members, { ...apply, options: { expectedPlan: '' } });
		expect(error?.message).toMatch(/Expected Plan/);
		expect(rig.sandbox.requestLog.count('eventRegistration')).toBe(0);
	});
});
