// Protects tests against the event data service: the sandbox carries out each operation, and rejects it in one error format.
import services from '../../contracts/services.json';
import {
	eventDataClient,
	useEventData,
	expectEveryIdOperation,
	expectEveryOperation,
	expectSuccess,
	sendSample,
} from './eventClients';
import type { Json, SampleRequest } from './eventClients';
import { attendee, findRegisteredAttendee, session } from './eventData.fixture';

interface Page {
	data: Json[];
	pagination: { page: number; limit: number; total: number };
}

const { sandbox, http } = useEventData();

/** Returns a valid request for every operation. */
async function validRequests(): Promise<Record<string, SampleRequest>> {
	const { attendeeId, registrationId } = await findRegisteredAttendee(http, 'evt_1004');
	const { data } = await http.get<Json[]>('/sessions', { params: { eventId: 'evt_1004' } });
	const sessionId = data[0]!.id as string;
	return {
		getManyEvents: ['GET', '/events'],
		getEvent: ['GET', '/events/evt_1004'],
		getManyAttendees: ['GET', '/attendees?eventId=evt_1004'],
		getAttendee: ['GET', `/attendees/${attendeeId}`],
		updateAttendee: ['PUT', `/attendees/${attendeeId}`, attendee],
		getManySessions: ['GET', '/sessions?eventId=evt_1004'],
		createSession: ['POST', '/sessions', session],
		getSession: ['GET', `/sessions/${sessionId}`],
		updateSession: ['PUT', `/sessions/${sessionId}`, session],
		getManyRegistrations: ['GET', '/registrations?eventId=evt_1004'],
		createRegistration: ['POST', '/registrations', { eventId: 'evt_1004', attendeeId }],
		getRegistration: ['GET', `/registrations/${registrationId}`],
		updateRegistration: [
			'PUT',
			`/registrations/${registrationId}`,
			{ eventId: 'evt_1004', attendeeId },
		],
	};
}

/** Requests for records that do not exist: one for every operation with an ID in its path. */
const requestsForMissingRecords: SampleRequest[] = [
	['GET', '/events/evt_9999'],
	['GET', '/attendees/att_1'],
	['PUT', '/attendees/att_1', attendee],
	['GET', '/sessions/ses_1'],
	['PUT', '/sessions/ses_1', session],
	['GET', '/registrations/reg_1'],
	['PUT', '/registrations/reg_1', { eventId: 'evt_1004', attendeeId: 'att_1' }],
];

describe('every operation of the event data service', () => {
	it('succeeds, and reports a wrong key, too many requests and an internal failure in one error format', async () => {
		const allSamples = await validRequests();
		await expectEveryOperation(services.eventData.contract, allSamples);
		const httpWithWrongKey = eventDataClient(sandbox, 'not-the-key');
		for (const [operation, sample] of Object.entries(allSamples)) {
			const unauthorizedResponse = await sendSample(httpWithWrongKey, sample);
			expect([operation, unauthorizedResponse.status]).toEqual([operation, 401]);
			expect(unauthorizedResponse.data).toMatchObject({
				error: 'unauthorized',
				message: expect.any(String),
			});

			sandbox.faultRules.add({
				service: 'eventData',
				operation,
				kind: '429',
				retryAfter: 7,
				times: 1,
			});
			const rateLimitedResponse = await sendSample(http, sample);
			expect([
				operation,
				rateLimitedResponse.status,
				rateLimitedResponse.headers['retry-after'],
			]).toEqual([operation, 429, '7']);
			expect(rateLimitedResponse.data).toMatchObject({ error: 'too_many_requests' });

			sandbox.faultRules.add({ service: 'eventData', operation, kind: '500', times: 1 });
			const failedResponse = await sendSample(http, sample);
			expect([operation, failedResponse.status]).toEqual([operation, 500]);
			expect(failedResponse.data).toMatchObject({ error: 'internal_error' });

			expectSuccess(services.eventData.contract, operation, await sendSample(http, sample));
		}
	});

	it('with an ID in its path is in the list of requests for missing records', async () => {
		await expectEveryIdOperation(services.eventData.contract, requestsForMissingRecords);
	});

	it.each(requestsForMissingRecords)('responds 404 to %s %s', async (...sample) => {
		const { status, data } = await sendSample(http, sample);
		expect(status).toBe(404);
		const id = sample[1].split('/')[2]!;
		expect(data).toMatchObject({ error: 'not_found', message: expect.stringContaining(id) });
	});

	it.each<[field: string, ...SampleRequest]>([
		['status', 'GET', '/events?status=soon'],
		['page', 'GET', '/events?page=0'],
		['page', 'GET', '/attendees?page=1'],
		['status', 'GET', '/attendees?status=pending'],
		['status', 'GET', '/registrations?status=registered'],
		['email', 'PUT', '/attendees/att_1', { ...attendee, email: 'no address' }],
		['lastName', 'PUT', '/attendees/att_1', { ...attendee, lastName: undefined }],
		['nick', 'PUT', '/attendees/att_1', { ...attendee, nick: 'Z' }],
		['title', 'POST', '/sessions', { ...session, title: '' }],
		['startTime', 'POST', '/sessions', { ...session, startTime: 'tomorrow' }],
		['capacity', 'PUT', '/sessions/ses_1', { ...session, capacity: -1 }],
		['attendeeId', 'POST', '/registrations', { eventId: 'evt_1004' }],
		['status', 'POST', '/registrations', { eventId: 'e', attendeeId: 'a', status: 'confirmed' }],
		['status', 'PUT', '/registrations/reg_1', { eventId: 'e', attendeeId: 'a', status: 'gone' }],
	])('names the field %s in a 400 to %s %s', async (field, ...sample) => {
		const { status, data } = await sendSample(http, sample);
		expect(status).toBe(400);
		expect(data).toMatchObject({
			error: 'bad_request',
			details: expect.arrayContaining([expect.objectContaining({ field })]),
		});
	});
});

describe('events of the event data service', () => {
	it('are returned in pages that contain each event once', async () => {
		const pages: Page[] = [];
		for (const page of [1, 2, 3]) {
			pages.push((await http.get<Page>('/events', { params: { page } })).data);
		}
		const { limit, total } = pages[0]!.pagination;
		expect(pages.map(({ pagination }) => pagination)).toEqual([
			{ page: 1, limit, total },
			{ page: 2, limit, total },
			{ page: 3, limit, total },
		]);
		expect(pages[0]!.data).toHaveLength(limit);
		expect(pages[2]!.data).toEqual([]);
		const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
		expect(new Set(ids).size).toBe(total);
		expect((await http.get<Page>('/events')).data).toEqual(pages[0]);
	});

	it('are upcoming, ongoing or past according to the clock', async () => {
		const countEvents = async (status: string) =>
			(await http.get<Page>('/events', { params: { status } })).data.pagination.total;
		const countsBefore = [
			await countEvents('past'),
			await countEvents('ongoing'),
			await countEvents('upcoming'),
		];
		expect(countsBefore).toEqual([9, 2, 5]);
		sandbox.clock.advance(365 * 86_400_000);
		expect([
			await countEvents('past'),
			await countEvents('ongoing'),
			await countEvents('upcoming'),
		]).toEqual([16, 0, 0]);
	});

	it('have an attendeeCount that equals the number of their attendees', async () => {
		const { data: event } = await http.get<Json>('/events/evt_1010');
		const { data: attendees } = await http.get<Json[]>('/attendees?eventId=evt_1010');
		expect(attendees).toHaveLength(event.attendeeCount as number);
		expect(attendees.some(({ checkInTime }) => checkInTime !== null)).toBe(true);
	});
});

describe('lists of the event data service', () => {
	it.each(['attendees', 'registrations'])('filter %s by event and status', async (listName) => {
		const { data: allRecords } = await http.get<Json[]>(`/${listName}`);
		expect(allRecords).toHaveLength(5000);
		const { data: filteredRecords } = await http.get<Json[]>(
			`/${listName}?eventId=evt_1002&status=cancelled`,
		);
		expect(filteredRecords).toEqual(
			allRecords.filter(({ eventId, status }) => eventId === 'evt_1002' && status === 'cancelled'),
		);
		expect(filteredRecords.length).toBeGreaterThan(0);
		expect((await http.get(`/${listName}?eventId=evt_1`)).data).toEqual([]);
	});

	it('filter sessions by event', async () => {
		const { data: allSessions } = await http.get<Json[]>('/sessions');
		const { data: filteredRecords } = await http.get<Json[]>('/sessions?eventId=evt_1003');
		expect(filteredRecords).toEqual(allSessions.filter(({ eventId }) => eventId === 'evt_1003'));
	});

	it('are a bare array or an object with data and pagination, as the setting says', async () => {
		const { data: bare } = await http.get<Json[]>('/sessions?eventId=evt_1003');
		sandbox.settings.eventData.lists = 'wrapped';
		const total = bare.length;
		expect((await http.get('/sessions?eventId=evt_1003')).data).toEqual({
			data: bare,
			pagination: { page: 1, limit: total, total },
		});
		const { data: wrapped } = await http.get<Page>('/events?page=2');
		sandbox.settings.eventData.lists = 'bare';
		expect((await http.get('/events?page=2')).data).toEqual(wrapped.data);
		expect((await http.get('/events?page=9')).data).toEqual([]);
	});
});

it('the sandbox accepts the key only in the header that the setting names', async () => {
	sandbox.settings.eventData.headerName = 'X-Other-Key';
	expect((await http.get('/events')).status).toBe(401);
	const headers = { 'x-other-key': sandbox.demo.eventData.apiKey };
	expect((await http.get('/events', { headers })).status).toBe(200);
});
