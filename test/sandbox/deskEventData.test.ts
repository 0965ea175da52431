// Protects tests of changes to event data: the API returns what was done at the desk, and a rejected action stores nothing.
import { sendToDesk, performAtDesk } from './deskClient';
import { useEventData } from './eventClients';
import type { Json } from './eventClients';

const { sandbox, http } = useEventData();

const eventId = 'evt_1004';
const person = { firstName: 'Đức', lastName: "N'Dour", email: 'duc@ndour.example' };
const service = 'eventData';
const performAction = <T = Json>(action: string, input: unknown) =>
	performAtDesk<T>(sandbox, service, action, input);
const tryAction = (action: string, input: unknown) => sendToDesk(sandbox, service, action, input);
const readPath = async <T = Json>(path: string, params: Json = {}) =>
	(await http.get<T>(path, { params })).data;
const readTime = () => new Date(sandbox.clock.now()).toISOString();

describe('people at the desk', () => {
	it('are registered with an attendee and a registration', async () => {
		const eventBefore = await readPath(`/events/${eventId}`);
		const since = readTime();
		const { attendee, registration } = await performAction<Record<string, Json>>('register', {
			eventId,
			...person,
		});
		expect(attendee).toMatchObject({ ...person, status: 'registered', checkInTime: null });
		expect((attendee!.createdAt as string) >= since).toBe(true);
		expect(registration).toMatchObject({ attendeeId: attendee!.id, status: 'pending' });
		expect(await readPath(`/attendees/${String(attendee!.id)}`)).toEqual(attendee);
		expect(await readPath(`/registrations/${String(registration!.id)}`)).toEqual(registration);
		expect((await readPath<Json[]>('/attendees', { eventId })).at(-1)).toEqual(attendee);
		expect((await readPath<Json[]>('/registrations', { eventId })).at(-1)).toEqual(registration);
		expect((await readPath(`/events/${eventId}`)).attendeeCount).toBe(
			(eventBefore.attendeeCount as number) + 1,
		);
	});

	it('are added without a registration, and registered later', async () => {
		const { length } = await readPath<Json[]>('/registrations', { eventId });
		const { id } = await performAction('addAttendee', {
			eventId,
			...person,
			company: 'Gate & Sons',
		});
		expect(await readPath('/registrations', { eventId })).toHaveLength(length);
		await performAction('addRegistration', { eventId, attendeeId: id });
		expect(await readPath('/registrations', { eventId })).toHaveLength(length + 1);
	});

	it('are changed only in the named fields, and check in and out', async () => {
		const newAttendee = await performAction('addAttendee', {
			eventId,
			...person,
			company: 'Gate & Sons',
		});
		const path = `/attendees/${String(newAttendee.id)}`;
		const ids = { attendeeId: newAttendee.id };
		const changedAttendee = await performAction('changeAttendee', { ...ids, status: 'confirmed' });
		expect(changedAttendee).toEqual({ ...newAttendee, status: 'confirmed' });
		expect(await readPath(path)).toEqual(changedAttendee);

		sandbox.clock.advance(60_000);
		const since = readTime();
		const { checkInTime } = await performAction('checkIn', ids);
		expect((checkInTime as string) >= since).toBe(true);
		expect(await readPath(path)).toEqual({ ...changedAttendee, checkInTime });
		expect((await tryAction('checkIn', ids)).body.error).toBe("Đức N'Dour is checked in already.");
		await performAction('undoCheckIn', ids);
		expect(await readPath(path)).toEqual(changedAttendee);
		expect((await tryAction('undoCheckIn', ids)).body.error).toBe("Đức N'Dour is not checked in.");
		await performAction('changeAttendee', { ...ids, status: 'cancelled' });
		expect((await tryAction('checkIn', ids)).status).toBe(409);
	});

	it('have registrations that can be confirmed and cancelled', async () => {
		const { registration } = await performAction<Record<string, Json>>('register', {
			eventId,
			...person,
		});
		const path = `/registrations/${String(registration!.id)}`;
		const ids = { registrationId: registration!.id };
		for (const status of ['confirmed', 'cancelled']) {
			await performAction('setRegistrationStatus', { ...ids, status });
			expect(await readPath(path)).toEqual({ ...registration, status });
		}
	});
});

describe('the program at the desk', () => {
	const times = { startTime: '2030-05-17T09:00:00.000Z', endTime: '2030-05-17T10:00:00.000Z' };

	it('accepts a new session, and a change of this session', async () => {
		const newSession = await performAction('addSession', {
			eventId,
			title: 'Late',
			...times,
			capacity: 40,
		});
		const path = `/sessions/${String(newSession.id)}`;
		expect(await readPath(path)).toEqual(newSession);
		const changedSession = await performAction('changeSession', {
			sessionId: newSession.id,
			speaker: 'Kim Okafor',
		});
		expect(changedSession).toEqual({ ...newSession, speaker: 'Kim Okafor' });
		expect(await readPath(path)).toEqual(changedSession);
		const rejectedChange = await tryAction('changeSession', {
			sessionId: newSession.id,
			endTime: times.startTime,
		});
		expect(rejectedChange).toEqual({
			status: 422,
			body: {
				error: 'The session cannot be saved: endTime must be later than startTime',
				fields: { endTime: ['must be later than startTime'] },
			},
		});
	});

	it('accepts a change of an event, and a new event with people and sessions', async () => {
		const eventBefore = await readPath(`/events/${eventId}`);
		await performAction('changeEvent', { eventId, name: 'Renamed', capacity: 7 });
		expect(await readPath(`/events/${eventId}`)).toEqual({
			...eventBefore,
			name: 'Renamed',
			capacity: 7,
		});

		const dates = { startDate: '2030-05-17T09:00:00.000Z', endDate: '2030-05-18T17:00:00.000Z' };
		const newEvent = await performAction('addEvent', {
			name: 'New Days',
			...dates,
			location: 'Bath',
		});
		expect(newEvent).toMatchObject({
			...dates,
			location: 'Bath',
			status: 'upcoming',
			attendeeCount: 0,
		});
		expect(await readPath(`/events/${String(newEvent.id)}`)).toEqual(newEvent);
		const { data } = await readPath<{ data: Json[] }>('/events', { page: 2 });
		expect(data.at(-1)).toEqual(newEvent);
		for (const list of ['attendees', 'sessions', 'registrations'])
			expect(await readPath(`/${list}`, { eventId: newEvent.id })).toEqual([]);
		const { attendee } = await performAction<Record<string, Json>>('register', {
			eventId: newEvent.id,
			...person,
		});
		await performAction('addSession', { eventId: newEvent.id, title: 'First', ...times });
		expect(await readPath('/attendees', { eventId: newEvent.id })).toEqual([attendee]);
		expect(await readPath('/sessions', { eventId: newEvent.id })).toHaveLength(1);
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
	])('rejects the action %s with %j and stores nothing', async (action, input, status, message) => {
		const recordsBefore = sandbox.storedRecords(service);
		const serializedBefore = JSON.stringify(recordsBefore);
		const response = await tryAction(action, input);
		expect([response.status, response.body.error]).toEqual([
			status,
			expect.stringMatching(message),
		]);
		expect(JSON.stringify(sandbox.storedRecords(service))).toBe(serializedBefore);
	});

	it('has no actions for the two-factor service', async () => {
		const response = await sendToDesk(sandbox, 'twoFactor', 'users', {});
		expect(response).toEqual({
			status: 404,
			body: { error: "The desk has no service 'twoFactor'" },
		});
	});
});
