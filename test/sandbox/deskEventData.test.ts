import { atDesk, doAtDesk } from './deskClient';
import { useEventData } from './eventClients';
import type { Json } from './eventClients';

const { sandbox, http } = useEventData();

const eventId = 'evt_1004';
const person = { firstName: 'Đức', lastName: "N'Dour", email: 'duc@ndour.example' };
const service = 'eventData';
const act = <T = Json>(action: string, input: unknown) =>
	doAtDesk<T>(sandbox, service, action, input);
const rejection = (action: string, input: unknown) => atDesk(sandbox, service, action, input);
const get = async <T = Json>(path: string, params: Json = {}) =>
	(await http.get<T>(path, { params })).data;
const now = () => new Date(sandbox.clock.now()).toISOString();

describe('people', () => {
	it('are registered with an attendee and a registration', async () => {
		const eventBefore = await get(`/events/${eventId}`);
		const since = now();
		const { attendee, registration } = await act<Record<string, Json>>('register', {
			eventId,
			...person,
		});
		expect(attendee).toMatchObject({ ...person, status: 'registered', checkInTime: null });
		expect((attendee!.createdAt as string) >= since).toBe(true);
		expect(registration).toMatchObject({ attendeeId: attendee!.id, status: 'pending' });
		expect(await get(`/attendees/${String(attendee!.id)}`)).toEqual(attendee);
		expect(await get(`/registrations/${String(registration!.id)}`)).toEqual(registration);
		expect((await get<Json[]>('/attendees', { eventId })).at(-1)).toEqual(attendee);
		expect((await get<Json[]>('/registrations', { eventId })).at(-1)).toEqual(registration);
		expect((await get(`/events/${eventId}`)).attendeeCount).toBe(
			(eventBefore.attendeeCount as number) + 1,
		);
	});

	it('are added without a registration, and registered later', async () => {
		const { length } = await get<Json[]>('/registrations', { eventId });
		const { id } = await act('addAttendee', { eventId, ...person, company: 'Gate & Sons' });
		expect(await get('/registrations', { eventId })).toHaveLength(length);
		await act('addRegistration', { eventId, attendeeId: id });
		expect(await get('/registrations', { eventId })).toHaveLength(length + 1);
	});

	it('are changed only in the named fields, and check in and out', async () => {
		const newAttendee = await act('addAttendee', { eventId, ...person, company: 'Gate & Sons' });
		const path = `/attendees/${String(newAttendee.id)}`;
		const ids = { attendeeId: newAttendee.id };
		const changedAttendee = await act('changeAttendee', { ...ids, status: 'confirmed' });
		expect(changedAttendee).toEqual({ ...newAttendee, status: 'confirmed' });
		expect(await get(path)).toEqual(changedAttendee);

		sandbox.clock.advance(60_000);
		const since = now();
		const { checkInTime } = await act('checkIn', ids);
		expect((checkInTime as string) >= since).toBe(true);
		expect(await get(path)).toEqual({ ...changedAttendee, checkInTime });
		expect((await rejection('checkIn', ids)).body.error).toBe("Đức N'Dour is checked in already.");
		await act('undoCheckIn', ids);
		expect(await get(path)).toEqual(changedAttendee);
		expect((await rejection('undoCheckIn', ids)).body.error).toBe("Đức N'Dour is not checked in.");
		await act('changeAttendee', { ...ids, status: 'cancelled' });
		expect((await rejection('checkIn', ids)).status).toBe(409);
	});

	it('have registrations that are confirmed and cancelled', async () => {
		const { registration } = await act<Record<string, Json>>('register', { eventId, ...person });
		const path = `/registrations/${String(registration!.id)}`;
		const ids = { registrationId: registration!.id };
		for (const status of ['confirmed', 'cancelled']) {
			await act('setRegistrationStatus', { ...ids, status });
			expect(await get(path)).toEqual({ ...registration, status });
		}
	});
});

describe('the program', () => {
	const times = { startTime: '2030-05-17T09:00:00.000Z', endTime: '2030-05-17T10:00:00.000Z' };

	it('accepts a new session and changes it', async () => {
		const newSession = await act('addSession', { eventId, title: 'Late', ...times, capacity: 40 });
		const path = `/sessions/${String(newSession.id)}`;
		expect(await get(path)).toEqual(newSession);
		const changedSession = await act('changeSession', {
			sessionId: newSession.id,
			speaker: 'Kim Okafor',
		});
		expect(changedSession).toEqual({ ...newSession, speaker: 'Kim Okafor' });
		expect(await get(path)).toEqual(changedSession);
		const bad = await rejection('changeSession', {
			sessionId: newSession.id,
			endTime: times.startTime,
		});
		expect(bad).toEqual({
			status: 422,
			body: {
				error: 'The session cannot be saved: endTime must be later than startTime',
				fields: { endTime: ['must be later than startTime'] },
			},
		});
	});

	it('has events that are changed and created', async () => {
		const eventBefore = await get(`/events/${eventId}`);
		await act('changeEvent', { eventId, name: 'Renamed', capacity: 7 });
		expect(await get(`/events/${eventId}`)).toEqual({
			...eventBefore,
			name: 'Renamed',
			capacity: 7,
		});

		const dates = { startDate: '2030-05-17T09:00:00.000Z', endDate: '2030-05-18T17:00:00.000Z' };
		const newEvent = await act('addEvent', { name: 'New Days', ...dates, location: 'Bath' });
		expect(newEvent).toMatchObject({
			...dates,
			location: 'Bath',
			status: 'upcoming',
			attendeeCount: 0,
		});
		expect(await get(`/events/${String(newEvent.id)}`)).toEqual(newEvent);
		const { data } = await get<{ data: Json[] }>('/events', { page: 2 });
		expect(data.at(-1)).toEqual(newEvent);
		for (const list of ['attendees', 'sessions', 'registrations'])
			expect(await get(`/${list}`, { eventId: newEvent.id })).toEqual([]);
		const { attendee } = await act<Record<string, Json>>('register', {
			eventId: newEvent.id,
			...person,
		});
		await act('addSession', { eventId: newEvent.id, title: 'First', ...times });
		expect(await get('/attendees', { eventId: newEvent.id })).toEqual([attendee]);
		expect(await get('/sessions', { eventId: newEvent.id })).toHaveLength(1);
	});
});

describe('the desk', () => {
	const attendeeId = 'att_2000001';
	it.each<[string, unknown, number, RegExp]>([
		['register', { eventId, ...person, email: 'duc' }, 400, /'email' must be an email address/],
		['register', { eventId, ...person, firstName: ' ' }, 400, /'firstName' is required/],
		['register', { eventId, ...person, age: 4 }, 400, /There is no 'age' here/],
		['register', { eventId: 'evt_1', ...person }, 422, /there is no event evt_1/],
		['register', [], 400, /must be a JSON object/],
		['changeAttendee', { attendeeId, status: 'gone' }, 400, /one of registered, confirmed/],
		['changeAttendee', { attendeeId: 'att_1', company: '' }, 404, /Attendee att_1 was not found/],
		['changeAttendee', { attendeeId, createdAt: 'x' }, 400, /There is no 'createdAt' here/],
		['checkIn', { attendeeId: 7 }, 400, /'attendeeId' must be a text/],
		['addEvent', { name: 'x', startDate: '2030-02-30T00:00:00Z', endDate: 'x' }, 400, /startDate/],
		['changeEvent', { eventId, endDate: '2001-01-01T00:00:00Z' }, 422, /later than startDate/],
		['addRegistration', { eventId, attendeeId }, 422, /belongs to event/],
		['setRegistrationStatus', { registrationId: 'reg_5000001' }, 400, /'status' is required/],
		['fly', {}, 404, /has no action 'fly'/],
		['toString', {}, 404, /has no action 'toString'/],
	])('rejects %s with %j', async (action, input, status, message) => {
		const recordsBefore = sandbox.storedRecords(service);
		const serializedBefore = JSON.stringify(recordsBefore);
		const response = await rejection(action, input);
		expect([response.status, response.body.error]).toEqual([
			status,
			expect.stringMatching(message),
		]);
		expect(JSON.stringify(sandbox.storedRecords(service))).toBe(serializedBefore);
	});

	it('has no actions for a service without one', async () => {
		const response = await atDesk(sandbox, 'twoFactor', 'users', {});
		expect(response).toEqual({
			status: 404,
			body: { error: "The desk has no service 'twoFactor'" },
		});
	});
});
