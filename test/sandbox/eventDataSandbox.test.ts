import services from '../../contracts/services.json';
import {
	eventDataClient,
	useEventData,
	expectEveryId,
	expectEveryOperation,
	expectSuccess,
	send,
} from './eventClients';
import type { Json, SampleRequest } from './eventClients';
import { attendee, pairOf, session } from './eventData.fixture';

interface Page {
	data: Json[];
	pagination: { page: number; limit: number; total: number };
}

const { sandbox, http } = useEventData();

/** A good request for every operation. */
async function samples(): Promise<Record<string, SampleRequest>> {
	const { attendeeId, registrationId } = await pairOf(http, 'evt_1004');
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

/** A request for something that is not there, for every operation with an id in its path. */
const unknown: SampleRequest[] = [
	['GET', '/events/evt_9999'],
	['GET', '/attendees/att_1'],
	['PUT', '/attendees/att_1', attendee],
	['GET', '/sessions/ses_1'],
	['PUT', '/sessions/ses_1', session],
	['GET', '/registrations/reg_1'],
	['PUT', '/registrations/reg_1', { eventId: 'evt_1004', attendeeId: 'att_1' }],
];

describe('every operation of the event data service', () => {
	it('succeeds, and rejects a wrong key, too many requests and its own failure in one format', async () => {
		const allSamples = await samples();
		await expectEveryOperation(services.eventData.contract, allSamples);
		const stranger = eventDataClient(sandbox, 'not-the-key');
		for (const [operation, sample] of Object.entries(allSamples)) {
			const unauthorizedResponse = await send(stranger, sample);
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
			const rateLimitedResponse = await send(http, sample);
			expect([
				operation,
				rateLimitedResponse.status,
				rateLimitedResponse.headers['retry-after'],
			]).toEqual([operation, 429, '7']);
			expect(rateLimitedResponse.data).toMatchObject({ error: 'too_many_requests' });

			sandbox.faultRules.add({ service: 'eventData', operation, kind: '500', times: 1 });
			const failedResponse = await send(http, sample);
			expect([operation, failedResponse.status]).toEqual([operation, 500]);
			expect(failedResponse.data).toMatchObject({ error: 'internal_error' });

			expectSuccess(services.eventData.contract, operation, await send(http, sample));
		}
	});

	it('has a request for a missing record below', async () => {
		await expectEveryId(services.eventData.contract, unknown);
	});

	it.each(unknown)('responds 404 to %s %s', async (...sample) => {
		const { status, data } = await send(http, sample);
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
		const { status, data } = await send(http, sample);
		expect(status).toBe(400);
		expect(data).toMatchObject({
			error: 'bad_request',
			details: expect.arrayContaining([expect.objectContaining({ field })]),
		});
	});
});

describe('events', () => {
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
		const count = async (status: string) =>
			(await http.get<Page>('/events', { params: { status } })).data.pagination.total;
		const countsBefore = [await count('past'), await count('ongoing'), await count('upcoming')];
		expect(countsBefore).toEqual([9, 2, 5]);
		sandbox.clock.advance(365 * 86_400_000);
		expect([await count('past'), await count('ongoing'), await count('upcoming')]).toEqual([
			16, 0, 0,
		]);
	});

	it('count the attendees that they list', async () => {
		const { data: event } = await http.get<Json>('/events/evt_1010');
		const { data: attendees } = await http.get<Json[]>('/attendees?eventId=evt_1010');
		expect(attendees).toHaveLength(event.attendeeCount as number);
		expect(attendees.some(({ checkInTime }) => checkInTime !== null)).toBe(true);
	});
});

describe('lists', () => {
	it.each(['attendees', 'registrations'])('filter %s by event and status', async (listName) => {
		const { data: allRecords } = await http.get<Json[]>(`/${listName}`);
		expect(allRecords).toHaveLength(5000);
		const { data: some } = await http.get<Json[]>(`/${listName}?eventId=evt_1002&status=cancelled`);
		expect(some).toEqual(
			allRecords.filter(({ eventId, status }) => eventId === 'evt_1002' && status === 'cancelled'),
		);
		expect(some.length).toBeGreaterThan(0);
		expect((await http.get(`/${listName}?eventId=evt_1`)).data).toEqual([]);
	});

	it('filter sessions by event', async () => {
		const { data: allSessions } = await http.get<Json[]>('/sessions');
		const { data: some } = await http.get<Json[]>('/sessions?eventId=evt_1003');
		expect(some).toEqual(allSessions.filter(({ eventId }) => eventId === 'evt_1003'));
	});

	it('are bare or wrapped, depending on the setting', async () => {
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

it('the sandbox accepts the key in the header of the setting', async () => {
	sandbox.settings.eventData.headerName = 'X-Other-Key';
	expect((await http.get('/events')).status).toBe(401);
	const headers = { 'x-other-key': sandbox.demo.eventData.apiKey };
	expect((await http.get('/events', { headers })).status).toBe(200);
});
