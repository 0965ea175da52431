// Protects displayed records from services with other names: no record becomes empty without a word.
import { locateById } from '../../support/locators';
import { useFake } from './fakeService';

const fake = useFake();
const list = (parameters: object = {}) =>
	fake.operate('registration', 'getMany', {
		eventId: locateById(1),
		returnAll: true,
		...parameters,
	});
const hintsOf = ({ hints }: Awaited<ReturnType<typeof list>>) =>
	hints.map(({ message }) => message);

it.each([
	{ registrationId: 7, firstName: 'Ada', customFields: [{ Name: 'Meal', Value: 'none' }] },
	{ registration_id: 7, first_name: 'Ada', custom_fields: [{ Name: 'Meal', Value: 'none' }] },
])('the names of %j are found', async (record) => {
	fake.respondWith(() => ({ body: [record] }));
	const result = await list();
	expect(result.outputItems).toEqual([
		{ RegistrationId: 7, FirstName: 'Ada', CustomFields: { Meal: 'none' } },
	]);
	expect(hintsOf(result)).toEqual([]);
});

it.each([
	{ given: 'Ada', family: 'Byron' },
	{ RegistrationId: 7, given: 'Ada' },
])('%j is output as a whole, with a hint', async (record) => {
	fake.respondWith(() => ({ body: [record] }));
	const result = await list();
	expect(result.outputItems).toEqual([record]);
	expect(hintsOf(result)).toEqual([expect.stringContaining('the output is the whole record')]);
});

it('a short record with known names, and a record without Simplify, need no hint', async () => {
	fake.respondWith(() => ({ body: [{ RegistrationId: 7, FirstName: 'Ada', note: 'x' }] }));
	const simplified = await list();
	expect([simplified.outputItems, hintsOf(simplified)]).toEqual([
		[{ RegistrationId: 7, FirstName: 'Ada' }],
		[],
	]);
	fake.respondWith(() => ({ body: [{ given: 'Ada' }] }));
	const whole = await list({ simplify: false });
	expect([whole.outputItems, hintsOf(whole)]).toEqual([[{ given: 'Ada' }], []]);
});

it('an ID in another case identifies no record', async () => {
	fake.respondWith(() => ({ body: { registrationId: 7, firstName: 'Ada' } }));
	const { error } = await fake.operate('registration', 'get', {
		eventId: locateById(1),
		registrationId: locateById(7),
	});
	expect(error!.message).toContain('a record without an ID');
});
