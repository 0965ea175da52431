// Protects reads of registrations: they output every record with its fields, and a blank criterion never matches everyone.
import { locateById } from '../../support/locators';
import { demoIds } from './demoIds';
import { useResource } from './resourceRig';

const { rig, settings, countRequests, run } = useResource('registration', { registrations: 2000 });
const event = { eventId: locateById(demoIds.eventId) };
const registration = { ...event, registrationId: locateById(demoIds.registrationId) };
const getFullRegistration = async (id: unknown = demoIds.registrationId) =>
	(await run('get', { ...event, registrationId: locateById(id), simplify: false })).outputItems[0]!;

describe('Get and Get Many', () => {
	it('Get returns 12 fields with Simplify and 15 without, and custom fields by name', async () => {
		const { outputItems } = await run('get', registration);
		const fullRegistration = await getFullRegistration();
		expect(Object.keys(outputItems[0]!)).toHaveLength(12);
		expect(Object.keys(fullRegistration)).toHaveLength(15);
		expect(outputItems[0]!.CustomFields).toHaveProperty('Diet');
		expect(outputItems[0]!.CustomFields).toEqual(fullRegistration.CustomFields);
	});

	it('Get Many returns all records or up to the limit, with either first page number', async () => {
		const { outputItems: events } = await rig.run('eventRegistration', {
			resource: 'event',
			operation: 'get',
			eventId: locateById(1010),
		});
		const total = events[0]!.RegistrationCount as number;
		expect(total).toBeGreaterThan(200);
		for (const firstPage of [0, 1]) {
			settings().firstPage = firstPage;
			const { outputItems } = await run('getMany', { eventId: locateById(1010), returnAll: true });
			expect(new Set(outputItems.map(({ RegistrationId }) => RegistrationId)).size).toBe(total);
			expect(outputItems).toHaveLength(total);
		}
		expect(
			(await run('getMany', { eventId: locateById(1010), limit: 7 })).outputItems,
		).toHaveLength(7);
		expect((await run('getMany', { eventId: locateById(1010) })).outputItems).toHaveLength(50);
	});

	it('IDs that are strings are output unchanged', async () => {
		settings().idsAs = 'string';
		const { outputItems } = await run('getMany', { eventId: locateById(1010), returnAll: true });
		expect(typeof outputItems[0]!.RegistrationId).toBe('string');
		expect(new Set(outputItems.map(({ RegistrationId }) => RegistrationId)).size).toBe(
			outputItems.length,
		);
	});
});

describe('Search', () => {
	it('Search combines the email, the type, the times and any other field of the form', async () => {
		const fullRegistration = await getFullRegistration();
		const { Diet: diet } = fullRegistration.CustomFields as { Diet: string };
		const search = async (changedCriteria: object = {}, value = diet) => {
			const { outputItems, error } = await run('search', {
				...event,
				criteria: {
					email: (fullRegistration.Email as string).toUpperCase(),
					registrationTypeId: locateById(fullRegistration.RegistrationTypeId),
					changedAfter: '2000-01-01',
					changedBefore: '2100-01-01',
					...changedCriteria,
				},
				otherFields: {
					fields: [
						{ name: 'Diet', value },
						{ name: '', value: 'unused row' },
					],
				},
			});
			expect(error).toBeUndefined();
			return outputItems.map(({ RegistrationId }) => RegistrationId);
		};
		expect(await search()).toEqual([fullRegistration.RegistrationId]);
		const otherType = locateById((fullRegistration.RegistrationTypeId as number) + 1);
		expect(await search({ email: 'nobody@example.com' })).toEqual([]);
		expect(await search({ registrationTypeId: otherType })).toEqual([]);
		expect(await search({ changedAfter: '2099-01-01' })).toEqual([]);
		expect(await search({ changedBefore: '2001-01-01' })).toEqual([]);
		expect(await search({}, `${diet} and more`)).toEqual([]);
	});

	it('Search rejects a criterion that an expression left blank, since it would match everyone', async () => {
		const { error } = await run('search', { ...event, criteria: { email: '={{ $json.none }}' } });
		const otherFieldResult = await run('search', {
			...event,
			otherFields: { fields: [{ name: 'Diet', value: '={{ $json.none }}' }] },
		});
		expect(error?.message).toBe("'Email' is missing");
		expect(otherFieldResult.error?.message).toBe("'Diet' is missing");
		expect(countRequests('searchRegistrations')).toBe(0);
	});

	it('Search fails with a message if the form has no such field', async () => {
		const { error } = await run('search', {
			...event,
			otherFields: { fields: [{ name: 'Shoe.Size', value: '44' }] },
		});
		expect(error?.message).toContain('There is no field Shoe.Size on the form.');
	});
});

describe('Get Form', () => {
	it.each(['captionToName', 'nameToCaption', 'array', 'object'])(
		'Get Form lists the fields if the service responds as %s',
		async (formShape) => {
			settings().formShape = formShape;
			const { outputItems } = await run('getForm', event);
			expect(outputItems).toHaveLength(9);
			const diet = outputItems.find(({ name }) => name === 'Diet');
			expect(diet).toMatchObject({ name: 'Diet', caption: 'Dietary needs' });
			// A map of names and captions does not say what is required.
			const saysRequired = ['array', 'object'].includes(formShape);
			expect(diet?.required).toBe(saysRequired ? false : undefined);
			expect('required' in diet!).toBe(saysRequired);
		},
	);

	it('Get Form outputs the response of the service if Simplify is off', async () => {
		const { outputItems } = await run('getForm', { ...event, simplify: false });
		expect(outputItems).toHaveLength(1);
		expect(outputItems[0]).toMatchObject({ 'First name': 'FirstName' });
	});
});
