// Protects tests of registrations and check-ins: the API returns what was done at the desk, by the time of the change.
import { readAll } from './eventClients';
import type { Json } from './eventClients';
import {
	strictEventId,
	simpleEventId,
	person,
	service,
	useRegistrationDesk,
} from './registrationDesk';

const { sandbox, http, performAction, advanceClock, tryAction, readPath, register } =
	useRegistrationDesk();

describe('registering a person', () => {
	it('is visible in reads, searches and counts of the API', async () => {
		const { RegistrationCount } = await readPath(`/events/${simpleEventId}`);
		const since = advanceClock();
		const registration = await register({ CustomFields: [{ Name: 'Diet', Value: 'Vegan' }] });
		expect(registration).toMatchObject({ ...person, RegistrationStatus: 'Confirmed' });
		expect(
			await readPath(
				`/events/${simpleEventId}/registrations/${String(registration.RegistrationId)}`,
			),
		).toEqual(registration);
		const recentRegistrations = await readPath(`/events/${simpleEventId}/registrations`, {
			lastUpdatedAfter: since,
		});
		expect(recentRegistrations).toEqual([registration]);
		expect(registration.RegistrationDate).toBe(registration.LastUpdated);
		expect(await readPath(`/events/${simpleEventId}`)).toMatchObject({
			RegistrationCount: (RegistrationCount as number) + 1,
		});
	});

	it('is rejected for the same fields as in the API', async () => {
		const bodies: Json[] = [
			{},
			{ ...person, Email: 'duc' },
			{ ...person, RegistrationTypeId: 2001 },
			{ ...person, CustomFields: [{ Name: 'Shoe', Value: '44' }] },
		];
		for (const body of bodies) {
			const { data } = await http.post<Json>(`/events/${strictEventId}/registrations`, body);
			const { status, body: message } = await tryAction('register', {
				eventId: strictEventId,
				...body,
			});
			expect(status).toBe(400);
			expect(message.fields).toEqual(data.ModelState);
		}
	});

	it('fails with a message that names every missing field', async () => {
		const { body } = await tryAction('register', { eventId: strictEventId, ...person });
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
	it('keeps the other fields, and the API returns it by the time of the change', async () => {
		const registration = await register({ MobilePhone: '+15550100' });
		const since = advanceClock();
		const ids = { eventId: simpleEventId, registrationId: registration.RegistrationId };
		const changedRegistration = await performAction('changeRegistration', {
			...ids,
			FirstName: 'Duc',
		});
		expect(changedRegistration).toEqual({
			...registration,
			FirstName: 'Duc',
			LastUpdated: expect.any(String),
		});
		expect((changedRegistration.LastUpdated as string) > since).toBe(true);
		expect(
			await readPath(`/events/${simpleEventId}/registrations`, { lastUpdatedAfter: since }),
		).toEqual([changedRegistration]);
	});

	it('to Cancelled is visible in the API and prevents a check-in', async () => {
		const { RegistrationId: registrationId } = await register();
		const since = advanceClock();
		const ids = { eventId: simpleEventId, registrationId };
		await performAction('setRegistrationStatus', { ...ids, status: 'Cancelled' });
		const [cancelledRegistration, ...others] = await readPath<Json[]>(
			`/events/${simpleEventId}/registrations`,
			{
				lastUpdatedAfter: since,
			},
		);
		expect(cancelledRegistration).toMatchObject({
			RegistrationId: registrationId,
			RegistrationStatus: 'Cancelled',
		});
		expect(others).toEqual([]);
		expect(await tryAction('checkIn', ids)).toMatchObject({
			status: 409,
			body: { error: "The registration of Đức N'Dour is canceled." },
		});
	});
});

describe('the check-in', () => {
	it.each([
		['the event', () => ({}), `/events/${simpleEventId}/attendance`],
		['a session', () => ({ sessionId: 3049 }), `/events/${simpleEventId}/attendance/3049`],
	])('of %s can be undone and repeated', async (_place, sessionFields, path) => {
		const { RegistrationId: registrationId } = await register();
		const ids = { eventId: simpleEventId, registrationId, ...sessionFields() };
		const attendanceBefore = await readAll(http, path);
		const since = advanceClock();
		const firstCheckIn = await performAction('checkIn', ids);
		expect(firstCheckIn).toMatchObject({ ...person, CheckOutDateTime: null });
		expect((firstCheckIn.CheckInDateTime as string) > since).toBe(true);
		expect(await readPath(path, { lastUpdatedAfter: since })).toEqual([firstCheckIn]);
		expect((await tryAction('checkIn', ids)).body.error).toBe("Đức N'Dour is checked in already.");

		const sinceCheckOut = advanceClock();
		expect(await readPath(path, { lastUpdatedAfter: sinceCheckOut })).toEqual([]);
		const checkOut = await performAction('checkOut', ids);
		expect(checkOut).toEqual({ ...firstCheckIn, CheckOutDateTime: expect.any(String) });
		expect((checkOut.CheckOutDateTime as string) > sinceCheckOut).toBe(true);
		expect(await readPath(path, { lastUpdatedAfter: sinceCheckOut })).toEqual([checkOut]);
		expect((await tryAction('checkOut', ids)).status).toBe(409);

		const secondCheckIn = await performAction('checkIn', ids);
		expect(secondCheckIn.CheckInLogId).not.toBe(firstCheckIn.CheckInLogId);
		const attendanceAfter = await readAll(http, path);
		expect(attendanceAfter).toEqual([...attendanceBefore, checkOut, secondCheckIn]);
	});

	it('of a session does not count for the event or another session', async () => {
		const { RegistrationId: registrationId } = await register();
		const since = advanceClock();
		await performAction('checkIn', { eventId: simpleEventId, registrationId, sessionId: 3050 });
		const sinceFilter = { lastUpdatedAfter: since };
		expect(await readPath(`/events/${simpleEventId}/attendance`, sinceFilter)).toEqual([]);
		expect(await readPath(`/events/${simpleEventId}/attendance/3049`, sinceFilter)).toEqual([]);
		expect(await readPath(`/events/${simpleEventId}/attendance/3050`, sinceFilter)).toHaveLength(1);
	});
});

it('the Date header and the time stamps of records use the same clock', async () => {
	sandbox.clock.advance(400 * 24 * 60 * 60 * 1000);
	const { LastUpdated } = await register();
	const { headers } = await http.get(`/events/${simpleEventId}/registrations?pageSize=1`);
	const date = Date.parse(String(headers.date));
	// The header has whole seconds.
	expect(date).toBeGreaterThanOrEqual(Math.floor(Date.parse(String(LastUpdated)) / 1000) * 1000);
	expect(date).toBeLessThanOrEqual(sandbox.clock.now());
});

it('actions in the same process have the same effect as over HTTP', () => {
	const registration = sandbox.control(service, 'register', {
		eventId: simpleEventId,
		...person,
	}) as Json;
	const ids = { eventId: simpleEventId, registrationId: registration.RegistrationId };
	expect(sandbox.control(service, 'checkIn', ids)).toMatchObject(person);
	expect(() => sandbox.control(service, 'checkIn', ids)).toThrow(/checked in already/);
});
