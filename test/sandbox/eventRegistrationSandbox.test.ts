// Protects tests against the event registration service: the sandbox carries out each operation, with one error format.
import services from '../../contracts/services.json';
import {
	registrationClient,
	useEventRegistration,
	expectEveryIdOperation,
	expectEveryOperation,
	expectSuccess,
	sendSample,
} from './eventClients';
import type { Json, SampleRequest } from './eventClients';

const { sandbox, http } = useEventRegistration();

const eventPath = '/events/1004';
const person = { FirstName: 'Zoë', LastName: "O'Hara", Email: 'zoe@a.example' };

/** Returns a valid request for every operation. The deletion of the list comes last, since others need the list. */
async function validRequests(): Promise<Record<string, SampleRequest>> {
	const readFirstId = async (path: string, id: string) =>
		(await http.get<Json[]>(path, { params: { pageSize: 1 } })).data[0]![id] as number;
	const list = '/contactlists/7003';
	const contact = `${list}/contacts/${await readFirstId(`${list}/contacts`, 'ContactId')}`;
	const sessionId = await readFirstId(`${eventPath}/sessions`, 'SessionId');
	const groupId = await readFirstId(
		`${eventPath}/registrationoptiongroups`,
		'RegistrationOptionGroupId',
	);
	const typeId = await readFirstId(`${eventPath}/registrationtypes`, 'RegistrationTypeId');
	const optionsPath = `${eventPath}/registrationoptiongroups/${groupId}`;
	const RegistrationOptionId = await readFirstId(optionsPath, 'RegistrationOptionId');
	const registrationId = await readFirstId(`${eventPath}/registrations`, 'RegistrationId');
	const registration = `${eventPath}/registrations/${registrationId}`;
	const { data: orders } = await http.post<Json[]>('/orders/search', 1004);
	const order = `/orders/${orders[0]!.OrderId as number}`;
	const options = { RegistrationOptions: [{ RegistrationOptionId }] };
	return {
		getManyContactLists: ['GET', '/contactlists'],
		createContactList: ['POST', '/contactlists', { Name: 'New' }],
		getContactList: ['GET', list],
		updateContactList: ['PATCH', list, { Name: 'Newer' }],
		getManyContacts: ['GET', `${list}/contacts`],
		addContacts: ['POST', `${list}/contacts`, [{ Email: 'a@b.example' }]],
		getContactForm: ['GET', `${list}/contacts/contactform`],
		searchContacts: ['POST', `${list}/contacts/search`, {}],
		getContact: ['GET', contact],
		updateContact: ['PATCH', contact, { Title: 'Captain' }],
		getManyEvents: ['GET', '/events'],
		getEvent: ['GET', eventPath],
		getManyEventAttendance: ['GET', `${eventPath}/attendance`],
		getManySessionAttendance: ['GET', `${eventPath}/attendance/${sessionId}`],
		getManyOptionGroups: ['GET', `${eventPath}/registrationoptiongroups`],
		getOptionGroupOptions: ['GET', optionsPath],
		getManyRegistrations: ['GET', `${eventPath}/registrations`],
		createRegistration: ['POST', `${eventPath}/registrations`, person],
		getRegistrationForm: ['GET', `${eventPath}/registrations/registrationform`],
		searchRegistrations: ['POST', `${eventPath}/registrations/search`, {}],
		getRegistration: ['GET', registration],
		updateRegistration: ['PATCH', registration, { LastName: 'Hara' }],
		getRegistrationOptions: ['GET', `${registration}/options`],
		replaceRegistrationOptions: ['PUT', `${registration}/options`, options],
		getManyRegistrationTypes: ['GET', `${eventPath}/registrationtypes`],
		getRegistrationType: ['GET', `${eventPath}/registrationtypes/${typeId}`],
		getManySessions: ['GET', `${eventPath}/sessions`],
		searchSessions: ['POST', `${eventPath}/sessions/search`, {}],
		getSession: ['GET', `${eventPath}/sessions/${sessionId}`],
		searchOrders: ['POST', '/orders/search', 1004],
		searchOrderItems: ['POST', '/orders/items/search?eventId=1004', registrationId],
		getOrder: ['GET', `${order}?eventId=1004`],
		getOrderItems: ['GET', `${order}/items?eventId=1004`],
		getManyTransactions: ['GET', '/transactions'],
		searchTransactions: ['POST', '/transactions/search', 1004],
		getTransaction: ['GET', `/transactions/${await readFirstId('/transactions', 'TransactionId')}`],
		removeContact: ['DELETE', contact],
		deleteContactList: ['DELETE', list],
	};
}

/** Requests for records that do not exist: one for every operation with an ID in its path. */
const unknown: SampleRequest[] = [
	['GET', '/contactlists/1'],
	['PATCH', '/contactlists/1', { Name: 'x' }],
	['DELETE', '/contactlists/1'],
	['GET', '/contactlists/1/contacts'],
	['POST', '/contactlists/1/contacts', [{ Email: 'a@b.example' }]],
	['GET', '/contactlists/1/contacts/contactform'],
	['POST', '/contactlists/1/contacts/search', {}],
	['GET', '/contactlists/7001/contacts/1'],
	['PATCH', '/contactlists/7001/contacts/1', {}],
	['DELETE', '/contactlists/7001/contacts/1'],
	['GET', '/events/1'],
	['GET', '/events/1/attendance'],
	['GET', '/events/1004/attendance/1'],
	['GET', '/events/1/registrationoptiongroups'],
	['GET', '/events/1004/registrationoptiongroups/1'],
	['GET', '/events/1/registrations'],
	['POST', '/events/1/registrations', person],
	['GET', '/events/1/registrations/registrationform'],
	['POST', '/events/1/registrations/search', {}],
	['GET', '/events/1004/registrations/1'],
	['PATCH', '/events/1004/registrations/1', {}],
	['GET', '/events/1004/registrations/1/options'],
	['PUT', '/events/1004/registrations/1/options', { RegistrationOptions: [] }],
	['GET', '/events/1/registrationtypes'],
	['GET', '/events/1004/registrationtypes/1'],
	['GET', '/events/1/sessions'],
	['POST', '/events/1/sessions/search', {}],
	['GET', '/events/1004/sessions/1'],
	['POST', '/orders/search', 1],
	['POST', '/orders/items/search?eventId=1004', 1],
	['POST', '/orders/items/search?eventId=1', 5000001],
	['GET', '/orders/1?eventId=1004'],
	['GET', '/orders/6000001?eventId=1004'],
	['GET', '/orders/1/items?eventId=1004'],
	['POST', '/transactions/search', 1],
	['GET', '/transactions/1'],
];

describe('every operation of the event registration service', () => {
	it('succeeds, and reports a wrong key, too many requests and an internal failure in one error format', async () => {
		const allSamples = await validRequests();
		await expectEveryOperation(services.eventRegistration.contract, allSamples);
		const service = 'eventRegistration';
		const httpWithWrongKey = registrationClient(sandbox, 'not-the-key');
		for (const [operation, sample] of Object.entries(allSamples)) {
			const unauthorizedResponse = await sendSample(httpWithWrongKey, sample);
			expect([operation, unauthorizedResponse.status]).toEqual([operation, 401]);
			expect(unauthorizedResponse.data).toEqual({ Message: expect.stringContaining('denied') });

			sandbox.faultRules.add({ service, operation, kind: '429', retryAfter: 7, times: 1 });
			const rateLimitedResponse = await sendSample(http, sample);
			expect([rateLimitedResponse.status, rateLimitedResponse.headers['retry-after']]).toEqual([
				429,
				'7',
			]);
			expect(rateLimitedResponse.data).toMatchObject({ Message: expect.any(String) });

			sandbox.faultRules.add({ service, operation, kind: '500', times: 1 });
			const failedResponse = await sendSample(http, sample);
			expect(failedResponse.status).toBe(500);
			expect(failedResponse.data).toMatchObject({ Message: expect.any(String) });

			const successResponse = await sendSample(http, sample);
			expectSuccess(services.eventRegistration.contract, operation, successResponse);
		}
	});

	it('with an ID in its path is in the list of requests for missing records', async () => {
		await expectEveryIdOperation(services.eventRegistration.contract, unknown);
	});

	it.each(unknown)('responds 404 to %s %s', async (...sample) => {
		const { status, data } = await sendSample(http, sample);
		expect(status).toBe(404);
		expect(data).toEqual({
			Message: 'The resource was not found.',
			MessageDetail: expect.stringMatching(/^There is no .* \d+/),
		});
	});

	it.each<[field: string, ...SampleRequest]>([
		['contactListId', 'GET', '/contactlists/abc'],
		['updatedAfter', 'GET', '/contactlists?updatedAfter=yesterday'],
		['Name', 'POST', '/contactlists', {}],
		['Name', 'POST', '/contactlists', { Name: ' ' }],
		['Name', 'PATCH', '/contactlists/7001', { Name: '' }],
		['Owner', 'PATCH', '/contactlists/7001', { Name: 'x', Owner: 'me' }],
		['pageSize', 'GET', '/contactlists/7001/contacts?pageSize=201'],
		['body', 'POST', '/contactlists/7001/contacts', []],
		['body', 'POST', '/contactlists/7001/contacts', { Email: 'a@b.example' }],
		['0.Nick', 'POST', '/contactlists/7001/contacts', [{ Email: 'a@b.example', Nick: 'a' }]],
		['UpdatedAfter', 'POST', '/contactlists/7001/contacts/search', { UpdatedAfter: 'x' }],
		['RegistrationTypeId', 'POST', '/contactlists/7001/contacts/search', { RegistrationTypeId: 3 }],
		['pageSize', 'GET', '/events?pageSize=0'],
		['page', 'GET', '/events?page=-1'],
		['lastUpdatedAfter', 'GET', '/events/1004/attendance?lastUpdatedAfter=2026-02-30T00:00:00Z'],
		['Shoe', 'POST', '/events/1004/registrations/search', { Shoe: 42 }],
		['RegistrationTypeId', 'POST', '/events/1004/registrations', { RegistrationTypeId: 'x' }],
		['Nick', 'PATCH', '/events/1004/registrations/5001151', { Nick: 'x' }],
		['RegistrationOptions', 'PUT', '/events/1004/registrations/5001151/options', {}],
		['Ending', 'POST', '/events/1004/sessions/search', { Ending: 'x' }],
		['body', 'POST', '/orders/search', '1004'],
		['eventId', 'POST', '/orders/items/search', 5000001],
		['eventId', 'GET', '/orders/6000001'],
		['addedAfter', 'GET', '/transactions?addedAfter=x'],
	])('names the field %s in a 400 to %s %s', async (field, ...sample) => {
		const { status, data } = await sendSample(http, sample);
		expect(status).toBe(400);
		expect(data).toEqual({
			Message: 'The request is invalid.',
			MessageDetail: expect.any(String),
			ModelState: expect.objectContaining({
				[field]: expect.arrayContaining([expect.any(String)]),
			}),
		});
	});
});

describe('the API key', () => {
	it('is sent alone in Authorization, unless the settings name a prefix or another header', async () => {
		const { apiKey } = sandbox.demo.eventRegistration;
		const getStatusWith = async (headers: Record<string, string>) =>
			(await http.get('/events', { headers })).status;
		expect(await getStatusWith({ Authorization: `Bearer ${apiKey}` })).toBe(401);
		sandbox.settings.eventRegistration.prefix = 'Bearer';
		expect(await getStatusWith({ Authorization: `Bearer ${apiKey}` })).toBe(200);
		expect(await getStatusWith({ Authorization: apiKey })).toBe(401);
		Object.assign(sandbox.settings.eventRegistration, { prefix: '', headerName: 'X-Key' });
		expect(await getStatusWith({ 'x-key': apiKey })).toBe(200);
	});
});
