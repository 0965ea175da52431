// Protects organisers from messages that leave them guessing: each says what is wrong in their words, and what to do.
import { locateById, locateByName } from '../../support/locators';
import { openPanel } from '../../support/panel';
import { mapperValue } from './demoIds';
import { useResource } from './resourceRig';

const { rig, run } = useResource('contact', { registrations: 1 });
const readHints = (result: { run: { data: { resultData: { runData: object } } } }) =>
	Object.values(
		result.run.data.resultData.runData as Record<
			string,
			Array<{ hints?: Array<{ message: string }> }>
		>,
	)
		.flat()
		.flatMap(({ hints = [] }) => hints.map(({ message }) => message));
const createList = async (name: string) => {
	const { outputItems } = await rig.run('eventRegistration', {
		resource: 'contactList',
		operation: 'create',
		name,
	});
	return outputItems[0]!.ContactListId as number;
};
const people = ['ada', 'bo'].map((name) => ({ email: `${name}@example.com`, last: name }));

describe('mapped columns that the input does not have', () => {
	const details = mapperValue({
		FirstName: '={{ $json.firstname }}',
		LastName: '={{ $json.lastname }}',
		Email: '={{ $json.email }}',
	});
	const blankNames = /First ?Name and Last ?Name were blank in all 2 rows\. Check the mapping\./i;

	it.each([
		['add', {}],
		['createOrUpdate', { email: '={{ $json.email }}' }],
		['sync', { email: '={{ $json.email }}', mode: 'preview' }],
	])('are named in a hint of %s', async (operation, parameters) => {
		const contactListId = locateById(await createList(`For ${operation}`));
		const result = await run(operation, { contactListId, details, ...parameters }, people);
		expect(result.error).toBeUndefined();
		expect(readHints(result).join()).toMatch(blankNames);
	});

	it('give no hint for one row, or if one row has a value', async () => {
		const contactListId = locateById(await createList('Others'));
		const one = await run('add', { contactListId, details }, people.slice(0, 1));
		const some = await run('add', { contactListId, details }, [
			{ ...people[0], firstname: 'Ada', lastname: 'Park' },
			{ email: 'cy@example.com' },
		]);
		expect([...readHints(one), ...readHints(some)].join()).not.toContain('blank');
	});
});

it('a contact list is found by its name, in an operation and in its form', async () => {
	const id = await createList('Spring  Fête');
	const contactListId = locateByName('spring fete');
	const { outputItems, error } = await rig.run('eventRegistration', {
		resource: 'contactList',
		operation: 'get',
		contactListId,
	});
	expect(error).toBeUndefined();
	expect(outputItems).toMatchObject([{ ContactListId: id }]);
	const panel = openPanel(rig.kit, 'eventRegistration', {
		resource: 'contact',
		operation: 'add',
		contactListId,
	});
	expect((await panel.inputs('getContactForm')).fields.length).toBeGreaterThan(2);
	const missing = await run('getMany', { contactListId: locateByName('Autumn') });
	expect(missing.error?.message).toMatch(/^No contact list is named "Autumn"/);
});

it('an email address in place of an ID is answered with the way to find a person by address', async () => {
	const { error } = await run('get', {
		contactListId: locateById(1),
		contactId: locateById('someone@example.com'),
	});
	expect(error?.message).toContain('\'Contact\' must be a number, not "someone@example.com"');
	expect((error as { description?: string }).description).toContain('by email address, use Search');
});

it('a field to match by that the list does not have is answered with the fields that it has', async () => {
	const contactListId = locateById(await createList('No members'));
	const { error } = await run(
		'sync',
		{
			contactListId,
			matchBy: 'Membership',
			mode: 'preview',
			details: mapperValue({ LastName: '={{ $json.last }}' }),
		},
		people,
	);
	expect(error?.message).toContain("This list has no field 'Membership'");
	expect((error as { description?: string }).description).toMatch(/The list has .*Email/);
});

it('an empty key is named before anything is sent', async () => {
	const { kit } = rig;
	const credential = kit.credentialData.eventRegistrationApi!;
	kit.credentialData.eventRegistrationApi = { ...credential, apiKey: ' ' };
	rig.sandbox.requestLog.clear();
	const { error } = await run('getMany', { contactListId: locateById(1) });
	kit.credentialData.eventRegistrationApi = credential;
	expect(error?.message).toBe("'API Key' in the credential is empty");
	expect(rig.sandbox.requestLog.entries()).toEqual([]);
});

it('a base URL that ends with the beginning of the path is named when nothing is found', async () => {
	const { kit } = rig;
	const credential = kit.credentialData.eventRegistrationApi!;
	kit.credentialData.eventRegistrationApi = {
		...credential,
		baseUrl: `${credential.baseUrl as string}/api/v1/`,
	};
	const { error } = await run('getMany', { contactListId: locateById(1) });
	kit.credentialData.eventRegistrationApi = credential;
	expect((error as { description?: string }).description).toMatch(
		/'Base URL' .* ends in \/api\/v1.* Remove that part\./,
	);
});
