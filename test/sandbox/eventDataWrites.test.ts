// Protects tests of writes to the event data service: the sandbox replaces the whole record, and rejects an invalid one.
import { useEventData, sendSample } from './eventClients';
import type { Json, SampleRequest } from './eventClients';
import { attendee, findRegisteredAttendee, session } from './eventData.fixture';

const { sandbox, http } = useEventData();

describe('writes to the event data service', () => {
	it('replace a whole attendee, so that omitted fields are lost', async () => {
		const { attendeeId } = await findRegisteredAttendee(http, 'evt_1004');
		const path = `/attendees/${attendeeId}`;
		const { data: attendeeBefore } = await http.get<Json>(path);
		const { data: attendeeAfter } = await http.put<Json>(path, {
			...attendee,
			status: 'cancelled',
		});
		const { id, createdAt, checkInTime } = attendeeBefore;
		expect(attendeeAfter).toEqual({
			...attendee,
			id,
			createdAt,
			checkInTime,
			company: '',
			status: 'cancelled',
		});
		expect((await http.get(path)).data).toEqual(attendeeAfter);
		expect((await http.put<Json>(path, attendee)).data.status).toBe('registered');
	});

	it('move an attendee to another event', async () => {
		const { attendeeId } = await findRegisteredAttendee(http, 'evt_1004');
		const isAttendeeOf = async (eventId: string) =>
			(await http.get<Json[]>(`/attendees?eventId=${eventId}`)).data.some(
				({ id }) => id === attendeeId,
			);
		await http.put(`/attendees/${attendeeId}`, { ...attendee, eventId: 'evt_1005' });
		expect([await isAttendeeOf('evt_1004'), await isAttendeeOf('evt_1005')]).toEqual([false, true]);
		expect((await http.get<Json>(`/attendees/${attendeeId}`)).data.eventId).toBe('evt_1005');
	});

	it('create and replace a session', async () => {
		const fullSession = {
			...session,
			speaker: 'Ada',
			location: 'Hall A',
			capacity: 40,
			description: 'x',
		};
		const { data: newSession } = await http.post<Json>('/sessions', fullSession);
		expect(newSession).toMatchObject({
			...fullSession,
			startTime: '2031-05-05T09:00:00.000Z',
			endTime: expect.any(String),
		});
		expect(Math.abs(Date.parse(newSession.createdAt as string) - sandbox.clock.now())).toBeLessThan(
			60_000,
		);
		const path = `/sessions/${newSession.id as string}`;
		const { data: replacedSession } = await http.put<Json>(path, { ...session, title: 'Gates' });
		expect(replacedSession).toMatchObject({
			id: newSession.id,
			title: 'Gates',
			speaker: '',
			createdAt: newSession.createdAt,
		});
		expect(replacedSession).not.toHaveProperty('capacity');
		const { data: sessions } = await http.get<Json[]>('/sessions?eventId=evt_1004');
		expect(sessions.at(-1)).toEqual(replacedSession);
	});

	it('create and replace a registration', async () => {
		const { attendeeId } = await findRegisteredAttendee(http, 'evt_1004');
		const input = { eventId: 'evt_1004', attendeeId };
		const { data: newRegistration } = await http.post<Json>('/registrations', input);
		expect(newRegistration).toMatchObject({ ...input, status: 'pending' });
		const path = `/registrations/${newRegistration.id as string}`;
		await http.put(path, { ...input, status: 'confirmed' });
		expect((await http.get(path)).data).toEqual({ ...newRegistration, status: 'confirmed' });
		sandbox.reset();
		expect((await http.get(path)).status).toBe(404);
	});

	it.each<[field: string, ...SampleRequest]>([
		['eventId', 'PUT', '/attendees/:attendee', { ...attendee, eventId: 'evt_1' }],
		['eventId', 'POST', '/sessions', { ...session, eventId: 'evt_1' }],
		['endTime', 'POST', '/sessions', { ...session, endTime: session.startTime }],
		['endTime', 'PUT', '/sessions/ses_3001', { ...session, endTime: '2031-05-05T09:30:00+02:00' }],
		['attendeeId', 'POST', '/registrations', { eventId: 'evt_1004', attendeeId: 'att_1' }],
		['attendeeId', 'POST', '/registrations', { eventId: 'evt_1005', attendeeId: ':attendee' }],
		['eventId', 'PUT', '/registrations/reg_5000001', { eventId: 'evt_1', attendeeId: 'att_1' }],
	])('reject an invalid %s with 422: %s %s', async (field, ...request) => {
		const { attendeeId } = await findRegisteredAttendee(http, 'evt_1004');
		const requestText = JSON.stringify(request).replaceAll(':attendee', attendeeId);
		const { status, data } = await sendSample(http, JSON.parse(requestText) as SampleRequest);
		expect(status).toBe(422);
		expect(data).toMatchObject({
			error: 'unprocessable',
			details: expect.arrayContaining([expect.objectContaining({ field })]),
		});
	});
});
