// Protects the type names in the output: one request serves all items, and its failure removes only the names.
import type { IDataObject } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById } from '../../support/locators';
import { demoIds } from './demoIds';
import { useResource } from './resourceRig';

const { rig, countRequests, run } = useResource('registration', { registrations: 60 });
const event = { eventId: locateById(demoIds.eventId) };
const READ_TYPES = 'getManyRegistrationTypes';
useAcceleratedTime();

/** Returns the names of the types by their IDs. */
const readTypeNames = async () => {
	const { outputItems, error } = await rig.run('eventRegistration', {
		resource: 'registrationType',
		operation: 'getMany',
		...event,
		returnAll: true,
	});
	expect(error).toBeUndefined();
	return new Map(outputItems.map(({ RegistrationTypeId, Name }) => [RegistrationTypeId, Name]));
};

it('Get Many outputs the type name of every registration, with one request for all items', async () => {
	const typeNames = await readTypeNames();
	expect(typeNames.size).toBeGreaterThan(1);
	const requestsBefore = countRequests(READ_TYPES);
	const { outputItems } = await run('getMany', { ...event, limit: 20 }, [{}, {}, {}]);
	expect(outputItems.length).toBeGreaterThan(3);
	for (const { RegistrationTypeId, RegistrationType } of outputItems) {
		expect(RegistrationType).toBe(typeNames.get(RegistrationTypeId));
	}
	expect(countRequests(READ_TYPES)).toBe(requestsBefore + 1);
	const keys = Object.keys(outputItems[0]!);
	expect(keys.indexOf('RegistrationType')).toBe(keys.indexOf('RegistrationTypeId') + 1);
});

it('a failed lookup is not cached: the next item of the execution gets the names', async () => {
	rig.sandbox.faultRules.add({
		service: 'eventRegistration',
		operation: READ_TYPES,
		kind: '503',
		times: 1,
	});
	const { outputItems, hints } = await rig.run(
		'eventRegistration',
		{
			resource: 'event',
			operation: 'getSummary',
			...event,
			options: { itemsAtATime: 1, tries: 1 },
		},
		[{}, {}, {}],
	);
	const namedTypes = outputItems.map(({ byType }) =>
		(byType as IDataObject[]).every(({ RegistrationType }) => RegistrationType !== ''),
	);
	expect(namedTypes).toEqual([false, true, true]);
	expect(hints).toHaveLength(1);
	// One failed request, and one for the other two items.
	expect(countRequests(READ_TYPES)).toBe(2);
});

it('Get Many without Simplify and Search without a result request no type names', async () => {
	const { outputItems } = await run('getMany', { ...event, simplify: false });
	expect(outputItems[0]).not.toHaveProperty('RegistrationType');
	const searchWithoutResult = { ...event, criteria: { email: 'nobody@email.com' } };
	expect((await run('search', searchWithoutResult)).outputItems).toEqual([]);
	expect(countRequests(READ_TYPES)).toBe(0);
});

it.each(['503', 'html', 'drop'] as const)(
	'Get Many outputs registrations without type names if the types cannot be read (%s)',
	async (kind) => {
		rig.sandbox.faultRules.add({ service: 'eventRegistration', operation: READ_TYPES, kind });
		const { outputItems, error, hints } = await run('getMany', { ...event, limit: 3 }, [{}, {}]);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(6);
		expect(outputItems[0]).not.toHaveProperty('RegistrationType');
		expect(outputItems[0]).toHaveProperty('RegistrationTypeId');
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Some names couldn't be looked up\. \w/),
		]);
	},
);
