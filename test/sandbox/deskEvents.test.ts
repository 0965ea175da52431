import { readAll } from './eventClients';
import type { Json } from './eventClients';
import { easy, past, person, useRegistrationDesk } from './registrationDesk';

const { sandbox, http, act, later, rejection, get } = useRegistrationDesk();

describe('the program', () => {
	it('keeps the visitors of a session when another one is removed or added', async () => {
		const sessions = await get<Json[]>(`/events/${past}/sessions`);
		const path = (at: number) => `/events/${past}/attendance/${String(sessions[at]!.SessionId)}`;
		const visitorsBefore = await Promise.all([1, 2, 5].map((at) => readAll(http, path(at))));
		expect(visitorsBefore.every((list) => list.length > 0)).toBe(true);
		sandbox.reset();
		await act('removeSession', { eventId: past, sessionId: sessions[0]!.SessionId });
		expect((await http.get(path(0))).status).toBe(404);
		const visitorsAfter = await Promise.all([1, 2, 5].map((at) => readAll(http, path(at))));
		expect(visitorsAfter).toEqual(visitorsBefore);
	});

	it('accepts a new session without visitors, and changes it', async () => {
		const times = { StartDateTime: '2030-05-17T09:00:00Z', EndDateTime: '2030-05-17T10:00:00Z' };
		const newSession = await act('addSession', { eventId: easy, Title: 'Late addition', ...times });
		const path = `/events/${easy}/sessions/${String(newSession.SessionId)}`;
		expect(await get(path)).toEqual(newSession);
		expect(await get(`/events/${easy}/attendance/${String(newSession.SessionId)}`)).toEqual([]);
		const ids = { eventId: easy, sessionId: newSession.SessionId };
		await act('changeSession', { ...ids, Title: 'Moved' });
		expect(await get(path)).toEqual({ ...newSession, Title: 'Moved' });
		const bad = { ...ids, EndDateTime: '2030-05-17T08:00:00Z' };
		expect((await rejection('changeSession', bad)).body.error).toMatch(/later than the start/);
		expect(await get(path)).toEqual({ ...newSession, Title: 'Moved' });
	});
});

describe('events', () => {
	it('are changed, and found by the change', async () => {
		const since = later();
		await act('changeEvent', { eventId: easy, Name: 'Renamed Days' });
		const [found, ...others] = await get<Json[]>('/events', { updatedAfter: since });
		expect(found).toMatchObject({ EventId: easy, Name: 'Renamed Days' });
		expect(others).toEqual([]);
	});

	it('keep people, visits, sessions and orders when they are moved', async () => {
		const paths = ['registrations', 'attendance', 'sessions', 'attendance/3001'].map(
			(path) => `/events/${past}/${path}`,
		);
		const readRecords = async () => [
			...(await Promise.all(paths.map((path) => readAll(http, path)))),
			(await http.post<Json[]>('/orders/search', past)).data,
		];
		const recordsBefore = await readRecords();
		sandbox.reset();
		const dates = { StartDate: '2030-05-17T09:00:00Z', EndDate: '2030-05-18T17:00:00Z' };
		await act('changeEvent', { eventId: past, ...dates });
		expect(await readRecords()).toEqual(recordsBefore);
	});

	it('are created with a form of their own, and accept people', async () => {
		const since = later();
		const dates = { StartDate: '2030-05-17T09:00:00.000Z', EndDate: '2030-05-18T17:00:00.000Z' };
		const newEvent = await act('addEvent', {
			Name: 'New Days',
			...dates,
			TimeZoneOffset: '+02:00',
		});
		const eventId = newEvent.EventId as number;
		expect(await get('/events', { updatedAfter: since })).toEqual([newEvent]);
		expect(newEvent).toMatchObject({ ...dates, RegistrationCount: 0, TimeZoneOffset: '+02:00' });
		for (const list of ['registrations', 'sessions', 'attendance'])
			expect(await get(`/events/${eventId}/${list}`)).toEqual([]);
		const form = await get(`/events/${eventId}/registrations/registrationform`);
		expect(Object.values(form)).toContain('Email');
		const CustomFields = ['Company', 'Country'].map((Name) => ({ Name, Value: 'x' }));
		const { RegistrationId } = await act('register', { eventId, ...person, CustomFields });
		expect(await get(`/events/${eventId}`)).toMatchObject({ RegistrationCount: 1 });
		await act('checkIn', { eventId, registrationId: RegistrationId });
		expect(await get(`/events/${eventId}/attendance`)).toHaveLength(1);
		expect(
			await get(`/events/${eventId - 1}/registrations/${String(RegistrationId)}`),
		).toMatchObject({ Message: 'The resource was not found.' });
	});
});
