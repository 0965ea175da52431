// Protects tests of changes to events and sessions: the API returns what was done at the desk, and other records stay.
import { readAll } from './eventClients';
import type { Json } from './eventClients';
import { simpleEventId, pastEventId, person, useRegistrationDesk } from './registrationDesk';

const { sandbox, http, performAction, advanceClock, tryAction, readPath } = useRegistrationDesk();

describe('the program at the desk', () => {
	it('keeps the visitors of a session when another one is removed or added', async () => {
		const sessions = await readPath<Json[]>(`/events/${pastEventId}/sessions`);
		const path = (index: number) =>
			`/events/${pastEventId}/attendance/${String(sessions[index]!.SessionId)}`;
		const visitorsBefore = await Promise.all([1, 2, 5].map((index) => readAll(http, path(index))));
		expect(visitorsBefore.every((list) => list.length > 0)).toBe(true);
		sandbox.reset();
		await performAction('removeSession', {
			eventId: pastEventId,
			sessionId: sessions[0]!.SessionId,
		});
		expect((await http.get(path(0))).status).toBe(404);
		const visitorsAfter = await Promise.all([1, 2, 5].map((index) => readAll(http, path(index))));
		expect(visitorsAfter).toEqual(visitorsBefore);
	});

	it('accepts a new session without visitors, and a change of its title', async () => {
		const times = { StartDateTime: '2030-05-17T09:00:00Z', EndDateTime: '2030-05-17T10:00:00Z' };
		const newSession = await performAction('addSession', {
			eventId: simpleEventId,
			Title: 'Late addition',
			...times,
		});
		const path = `/events/${simpleEventId}/sessions/${String(newSession.SessionId)}`;
		expect(await readPath(path)).toEqual(newSession);
		expect(
			await readPath(`/events/${simpleEventId}/attendance/${String(newSession.SessionId)}`),
		).toEqual([]);
		const ids = { eventId: simpleEventId, sessionId: newSession.SessionId };
		await performAction('changeSession', { ...ids, Title: 'Moved' });
		expect(await readPath(path)).toEqual({ ...newSession, Title: 'Moved' });
		const endBeforeStart = { ...ids, EndDateTime: '2030-05-17T08:00:00Z' };
		expect((await tryAction('changeSession', endBeforeStart)).body.error).toMatch(
			/later than the start/,
		);
		expect(await readPath(path)).toEqual({ ...newSession, Title: 'Moved' });
	});
});

describe('events at the desk', () => {
	it('can be renamed, and the API returns them by the time of the change', async () => {
		const since = advanceClock();
		await performAction('changeEvent', { eventId: simpleEventId, Name: 'Renamed Days' });
		const [changedEvent, ...others] = await readPath<Json[]>('/events', { updatedAfter: since });
		expect(changedEvent).toMatchObject({ EventId: simpleEventId, Name: 'Renamed Days' });
		expect(others).toEqual([]);
	});

	it('keep people, visits, sessions and orders when their dates change', async () => {
		const paths = ['registrations', 'attendance', 'sessions', 'attendance/3001'].map(
			(path) => `/events/${pastEventId}/${path}`,
		);
		const readRecords = async () => [
			...(await Promise.all(paths.map((path) => readAll(http, path)))),
			(await http.post<Json[]>('/orders/search', pastEventId)).data,
		];
		const recordsBefore = await readRecords();
		sandbox.reset();
		const dates = { StartDate: '2030-05-17T09:00:00Z', EndDate: '2030-05-18T17:00:00Z' };
		await performAction('changeEvent', { eventId: pastEventId, ...dates });
		expect(await readRecords()).toEqual(recordsBefore);
	});

	it('are created with a form of their own, and accept people', async () => {
		const since = advanceClock();
		const dates = { StartDate: '2030-05-17T09:00:00.000Z', EndDate: '2030-05-18T17:00:00.000Z' };
		const newEvent = await performAction('addEvent', {
			Name: 'New Days',
			...dates,
			TimeZoneOffset: '+02:00',
		});
		const eventId = newEvent.EventId as number;
		expect(await readPath('/events', { updatedAfter: since })).toEqual([newEvent]);
		expect(newEvent).toMatchObject({ ...dates, RegistrationCount: 0, TimeZoneOffset: '+02:00' });
		for (const list of ['registrations', 'sessions', 'attendance'])
			expect(await readPath(`/events/${eventId}/${list}`)).toEqual([]);
		const form = await readPath(`/events/${eventId}/registrations/registrationform`);
		expect(Object.values(form)).toContain('Email');
		const CustomFields = ['Company', 'Country'].map((Name) => ({ Name, Value: 'x' }));
		const { RegistrationId } = await performAction('register', {
			eventId,
			...person,
			CustomFields,
		});
		expect(await readPath(`/events/${eventId}`)).toMatchObject({ RegistrationCount: 1 });
		await performAction('checkIn', { eventId, registrationId: RegistrationId });
		expect(await readPath(`/events/${eventId}/attendance`)).toHaveLength(1);
		expect(
			await readPath(`/events/${eventId - 1}/registrations/${String(RegistrationId)}`),
		).toMatchObject({ Message: 'The resource was not found.' });
	});
});
