import { useResource } from './registrationFixture';
import { byId, known } from './samples';

const { rig, settings, count, run } = useResource('registration', { registrations: 2000 });
const event = { eventId: byId(known.eventId) };
const registration = { ...event, registrationId: byId(known.registrationId) };
const raw = async (id: unknown = known.registrationId) =>
	(await run('get', { ...event, registrationId: byId(id), simplify: false })).out[0]!;

describe('Get and Get Many', () => {
	it('simplify to twelve fields, with custom fields by name', async () => {
		const { out } = await run('get', registration);
		const full = await raw();
		expect(Object.keys(out[0]!)).toHaveLength(12);
		expect(Object.keys(full)).toHaveLength(15);
		expect(out[0]!.CustomFields).toHaveProperty('Diet');
		expect(out[0]!.CustomFields).toEqual(full.CustomFields);
	});

	it('return all records or up to the limit, with either first page number', async () => {
		const { out: events } = await rig.run('eventRegistration', {
			resource: 'event',
			operation: 'get',
			eventId: byId(1010),
		});
		const total = events[0]!.RegistrationCount as number;
		expect(total).toBeGreaterThan(200);
		for (const firstPage of [0, 1]) {
			settings().firstPage = firstPage;
			const { out } = await run('getMany', { eventId: byId(1010), returnAll: true });
			expect(new Set(out.map(({ RegistrationId }) => RegistrationId)).size).toBe(total);
			expect(out).toHaveLength(total);
		}
		expect((await run('getMany', { eventId: byId(1010), limit: 7 })).out).toHaveLength(7);
		expect((await run('getMany', { eventId: byId(1010) })).out).toHaveLength(50);
	});

	it('read a date without a time zone in the zone of the workflow', async () => {
		const filters = { filters: { changedAfter: '2026-03-01T00:00:00' } };
		await run('getMany', { ...event, ...filters }, [{}], { timezone: 'America/New_York' });
		const entries = rig.sandbox.requestLog.entries({ operationId: 'getManyRegistrations' });
		expect(entries[0]!.query).toMatchObject({ lastUpdatedAfter: '2026-03-01T05:00:00.000Z' });
	});

	it('read IDs that are strings, and pass them on unchanged', async () => {
		settings().idsAs = 'string';
		const { out } = await run('getMany', { eventId: byId(1010), returnAll: true });
		expect(typeof out[0]!.RegistrationId).toBe('string');
		expect(new Set(out.map(({ RegistrationId }) => RegistrationId)).size).toBe(out.length);
	});
});

describe('Search', () => {
	it('finds by email, type and any other field of the form together', async () => {
		const full = await raw();
		const { Diet: diet } = full.CustomFields as { Diet: string };
		const { out } = await run('search', {
			...event,
			criteria: {
				email: (full.Email as string).toUpperCase(),
				registrationTypeId: byId(full.RegistrationTypeId),
				changedAfter: '2000-01-01',
				changedBefore: '2100-01-01',
			},
			otherFields: {
				fields: [
					{ name: 'Diet', value: diet },
					{ name: '', value: 'unused row' },
				],
			},
		});
		expect(out.map(({ RegistrationId }) => RegistrationId)).toContain(full.RegistrationId);
		for (const { Email } of out) expect(Email).toBe(full.Email);
	});

	it('rejects a criterion that an expression left blank, which would match everyone', async () => {
		const { error } = await run('search', { ...event, criteria: { email: '={{ $json.none }}' } });
		const other = await run('search', {
			...event,
			otherFields: { fields: [{ name: 'Diet', value: '={{ $json.none }}' }] },
		});
		expect(error?.message).toBe("'Email' is missing");
		expect(other.error?.message).toBe("'Diet' is missing");
		expect(count('searchRegistrations')).toBe(0);
	});

	it('fails with a message if the form has no such field', async () => {
		const { error } = await run('search', {
			...event,
			otherFields: { fields: [{ name: 'Shoe.Size', value: '44' }] },
		});
		expect(error?.message).toContain('There is no field Shoe.Size on the form.');
	});
});

describe('Get Form', () => {
	it.each(['captionToName', 'nameToCaption', 'array', 'object'])(
		'lists the fields if the service responds as %s',
		async (formShape) => {
			settings().formShape = formShape;
			const { out } = await run('getForm', event);
			expect(out).toHaveLength(9);
			const diet = out.find(({ name }) => name === 'Diet');
			expect(diet).toMatchObject({ name: 'Diet', caption: 'Dietary needs' });
			// A map of names and captions does not say what is required.
			const says = ['array', 'object'].includes(formShape);
			expect(diet?.required).toBe(says ? false : undefined);
			expect('required' in diet!).toBe(says);
		},
	);

	it('outputs the response of the service if Simplify is off', async () => {
		const { out } = await run('getForm', { ...event, simplify: false });
		expect(out).toHaveLength(1);
		expect(out[0]).toMatchObject({ 'First name': 'FirstName' });
	});
});
