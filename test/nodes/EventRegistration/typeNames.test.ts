import { useAcceleratedTime } from '../../support/fakeClock';
import { useResource } from './registrationFixture';
import { locateById, demoIds } from './samples';

const { rig, countRequests, run } = useResource('registration', { registrations: 60 });
const event = { eventId: locateById(demoIds.eventId) };
const LIST = 'getManyRegistrationTypes';
useAcceleratedTime();

/** The types as the service lists them. */
const listTypes = async () => {
	const { outputItems } = await rig.run('eventRegistration', {
		resource: 'registrationType',
		operation: 'getMany',
		...event,
		returnAll: true,
	});
	return new Map(outputItems.map(({ RegistrationTypeId, Name }) => [RegistrationTypeId, Name]));
};

it('operations output the type name of every registration, with one request for all items', async () => {
	const names = await listTypes();
	expect(names.size).toBeGreaterThan(1);
	const before = countRequests(LIST);
	const { outputItems } = await run('getMany', { ...event, limit: 20 }, [{}, {}, {}]);
	expect(outputItems.length).toBeGreaterThan(3);
	for (const { RegistrationTypeId, RegistrationType } of outputItems) {
		expect(RegistrationType).toBe(names.get(RegistrationTypeId));
	}
	expect(countRequests(LIST)).toBe(before + 1);
	const keys = Object.keys(outputItems[0]!);
	expect(keys.indexOf('RegistrationType')).toBe(keys.indexOf('RegistrationTypeId') + 1);
});

it('operations request no type names without Simplify, or if nothing is found', async () => {
	const { outputItems } = await run('getMany', { ...event, simplify: false });
	expect(outputItems[0]).not.toHaveProperty('RegistrationType');
	const nobody = { ...event, criteria: { email: 'nobody@email.com' } };
	expect((await run('search', nobody)).outputItems).toEqual([]);
	expect(countRequests(LIST)).toBe(0);
});

it.each(['503', 'html', 'drop'] as const)(
	'operations output their result without type names if these cannot be read (%s)',
	async (kind) => {
		rig.sandbox.faultRules.add({ service: 'eventRegistration', operation: LIST, kind });
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
