import { readAll } from './eventClients';
import type { Json } from './eventClients';
import { demanding, easy, person, service, useRegistrationDesk } from './registrationDesk';

const { sandbox, http, act, later, rejection, get, register } = useRegistrationDesk();

describe('registering a person', () => {
	it('is visible in reads, searches and counts of the API', async () => {
		const { RegistrationCount } = await get(`/events/${easy}`);
		const since = later();
		const registration = await register({ CustomFields: [{ Name: 'Diet', Value: 'Vegan' }] });
		expect(registration).toMatchObject({ ...person, RegistrationStatus: 'Confirmed' });
		expect(
			await get(`/events/${easy}/registrations/${String(registration.RegistrationId)}`),
		).toEqual(registration);
		const recentRegistrations = await get(`/events/${easy}/registrations`, {
			lastUpdatedAfter: since,
		});
		expect(recentRegistrations).toEqual([registration]);
		expect(registration.RegistrationDate).toBe(registration.LastUpdated);
		expect(await get(`/events/${easy}`)).toMatchObject({
			RegistrationCount: (RegistrationCount as number) + 1,
		});
	});

	it('accepts and rejects the same as the API', async () => {
		const bodies: Json[] = [
			{},
			{ ...person, Email: 'duc' },
			{ ...person, RegistrationTypeId: 2001 },
			{ ...person, CustomFields: [{ Name: 'Shoe', Value: '44' }] },
		];
		for (const body of bodies) {
			const { data } = await http.post<Json>(`/events/${demanding}/registrations`, body);
			const { status, body: message } = await rejection('register', {
				eventId: demanding,
				...body,
			});
			expect(status).toBe(400);
			expect(message.fields).toEqual(data.ModelState);
		}
	});

	it('names every missing field in a readable message', async () => {
		const { body } = await rejection('register', { eventId: demanding, ...person });
		expect(body).toEqual({
			error:
				'The Company or organization field is required. The Country of residence field is required.',
			fields: {
				'CustomFields.Company': ['The Company or organization field is required.'],
				'CustomFields.Country': ['The Country of residence field is required.'],
			},
		});
	});
});

describe('changing a registration', () => {
	it('keeps unnamed fields, and is found by its time', async () => {
		const registration = await register({ MobilePhone: '+15550100' });
		const since = later();
		const ids = { eventId: easy, registrationId: registration.RegistrationId };
		const changedRegistration = await act('changeRegistration', { ...ids, FirstName: 'Duc' });
		expect(changedRegistration).toEqual({
			...registration,
			FirstName: 'Duc',
			LastUpdated: expect.any(String),
		});
		expect((changedRegistration.LastUpdated as string) > since).toBe(true);
		expect(await get(`/events/${easy}/registrations`, { lastUpdatedAfter: since })).toEqual([
			changedRegistration,
		]);
	});

	it('cancels the registration', async () => {
		const { RegistrationId: registrationId } = await register();
		const since = later();
		const ids = { eventId: easy, registrationId };
		await act('setRegistrationStatus', { ...ids, status: 'Cancelled' });
		const [found, ...others] = await get<Json[]>(`/events/${easy}/registrations`, {
			lastUpdatedAfter: since,
		});
		expect(found).toMatchObject({
			RegistrationId: registrationId,
			RegistrationStatus: 'Cancelled',
		});
		expect(others).toEqual([]);
		expect(await rejection('checkIn', ids)).toMatchObject({
			status: 409,
			body: { error: "The registration of Đức N'Dour is canceled." },
		});
	});
});

describe('the check-in', () => {
	it.each([
		['the event', () => ({}), `/events/${easy}/attendance`],
		['a session', () => ({ sessionId: 3049 }), `/events/${easy}/attendance/3049`],
	])('of %s checks people in and out, and in again', async (_place, sessionFields, path) => {
		const { RegistrationId: registrationId } = await register();
		const ids = { eventId: easy, registrationId, ...sessionFields() };
		const attendanceBefore = await readAll(http, path);
		const since = later();
		const firstCheckIn = await act('checkIn', ids);
		expect(firstCheckIn).toMatchObject({ ...person, CheckOutDateTime: null });
		expect((firstCheckIn.CheckInDateTime as string) > since).toBe(true);
		expect(await get(path, { lastUpdatedAfter: since })).toEqual([firstCheckIn]);
		expect((await rejection('checkIn', ids)).body.error).toBe("Đức N'Dour is checked in already.");

		const sinceThen = later();
		expect(await get(path, { lastUpdatedAfter: sinceThen })).toEqual([]);
		const checkOut = await act('checkOut', ids);
		expect(checkOut).toEqual({ ...firstCheckIn, CheckOutDateTime: expect.any(String) });
		expect((checkOut.CheckOutDateTime as string) > sinceThen).toBe(true);
		expect(await get(path, { lastUpdatedAfter: sinceThen })).toEqual([checkOut]);
		expect((await rejection('checkOut', ids)).status).toBe(409);

		const secondCheckIn = await act('checkIn', ids);
		expect(secondCheckIn.CheckInLogId).not.toBe(firstCheckIn.CheckInLogId);
		const attendanceAfter = await readAll(http, path);
		expect(attendanceAfter).toEqual([...attendanceBefore, checkOut, secondCheckIn]);
	});

	it('of a session is separate from that of the event', async () => {
		const { RegistrationId: registrationId } = await register();
		const since = later();
		await act('checkIn', { eventId: easy, registrationId, sessionId: 3050 });
		const sinceFilter = { lastUpdatedAfter: since };
		expect(await get(`/events/${easy}/attendance`, sinceFilter)).toEqual([]);
		expect(await get(`/events/${easy}/attendance/3049`, sinceFilter)).toEqual([]);
		expect(await get(`/events/${easy}/attendance/3050`, sinceFilter)).toHaveLength(1);
	});
});

it('the Date header and the time stamps use the same clock', async () => {
	sandbox.clock.advance(400 * 24 * 60 * 60 * 1000);
	const { LastUpdated } = await register();
	const { headers } = await http.get(`/events/${easy}/registrations?pageSize=1`);
	const date = Date.parse(String(headers.date));
	// The header has whole seconds.
	expect(date).toBeGreaterThanOrEqual(Math.floor(Date.parse(String(LastUpdated)) / 1000) * 1000);
	expect(date).toBeLessThanOrEqual(sandbox.clock.now());
});

it('actions in the same process have the same effect as over HTTP', () => {
	const registration = sandbox.control(service, 'register', { eventId: easy, ...person }) as Json;
	const ids = { eventId: easy, registrationId: registration.RegistrationId };
	expect(sandbox.control(service, 'checkIn', ids)).toMatchObject(person);
	expect(() => sandbox.control(service, 'checkIn', ids)).toThrow(/checked in already/);
});
