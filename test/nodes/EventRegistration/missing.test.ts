import type { IDataObject } from 'n8n-workflow';

import { sendDirectly } from '../../support/samples/sample';
import { useResource } from './registrationFixture';
import { byId, known } from './samples';

const { rig, run } = useResource('attendance', { registrations: 1500 });
const event = { eventId: byId(known.eventId) };
const PLACE = { eventId: known.eventId };

/** A list of the event, as the service gives it. */
const list = async (path: string) =>
	await sendDirectly<IDataObject[]>(
		rig,
		'eventRegistration',
		`/api/v1/events/${known.eventId}/${path}?pageSize=200`,
	);
const idsOf = (records: IDataObject[]) => records.map(({ RegistrationId }) => RegistrationId);
const control = (action: string, input: object) =>
	rig.sandbox.control('eventRegistration', action, { ...PLACE, ...input }) as IDataObject;
const missing = async (given: object = {}, input?: IDataObject[]) => {
	const { outputItems, error, hints } = await run(
		'getMissing',
		{ ...event, returnAll: true, ...given },
		input,
	);
	expect(error).toBeUndefined();
	return { outputItems, ids: idsOf(outputItems), hints: hints.map(({ message }) => message) };
};

/** The registrations whose code is not in the list of check-ins. */
const absent = async (checkIns: IDataObject[]) => {
	const codes = checkIns.map(({ ConfirmationCode }) => ConfirmationCode);
	return (await list('registrations')).filter(
		({ ConfirmationCode }) => !codes.includes(ConfirmationCode),
	);
};
const status =
	(...wanted: string[]) =>
	({ RegistrationStatus }: IDataObject) =>
		wanted.includes(`${RegistrationStatus as string}`);

it('Get Missing returns who is registered and has not checked in, without cancelled registrations', async () => {
	const all = await absent(await list('attendance'));
	const expected = all.filter((one) => !status('Cancelled')(one));
	expect(expected.length).toBeGreaterThan(3);
	expect(expected.length).toBeLessThan(all.length);
	const { outputItems, ids, hints } = await missing();
	expect(ids).toEqual(idsOf(expected));
	expect(hints).toEqual([]);
	expect(outputItems[0]).toMatchObject({
		Email: expected[0]!.Email,
		RegistrationType: expect.any(String),
		ConfirmationCode: expected[0]!.ConfirmationCode,
	});
});

it('Get Missing rejects a status filter without a status, which would match no one', async () => {
	const { error } = await run('getMissing', {
		...event,
		filters: { registrationStatuses: ' , ,' },
	});
	expect(error?.message).toBe("'Registration Statuses' is missing");
});

it('Get Missing applies Limit, and outputs all fields without Simplify', async () => {
	const { ids } = await missing();
	const { outputItems } = await missing({ returnAll: false, limit: 2, simplify: false });
	expect(idsOf(outputItems)).toEqual(ids.slice(0, 2));
	expect(outputItems[0]).toHaveProperty('HostRegistrationId');
});

it('Get Missing follows check-ins, and counts people who left again as present', async () => {
	const { ids } = await missing();
	const [first, second] = ids;
	for (const id of [first, second])
		control('setRegistrationStatus', { registrationId: id, status: 'Confirmed' });
	control('checkIn', { registrationId: first });
	control('checkOut', { registrationId: first });
	control('checkIn', { registrationId: first });
	control('checkIn', { registrationId: second });
	control('checkOut', { registrationId: second });
	expect((await missing()).ids).toEqual(ids.slice(2));
});

it('Get Missing distinguishes check-ins to a session from those to the event', async () => {
	const session = { sessionId: known.sessionId };
	const { ids } = await missing();
	const filters = { filters: { sessionId: byId(known.sessionId) } };
	const before = await missing(filters);
	expect(before.ids).toEqual(
		idsOf(
			(await absent(await list(`attendance/${known.sessionId}`))).filter(
				(one) => !status('Cancelled')(one),
			),
		),
	);
	expect(before.ids.length).toBeGreaterThan(ids.length);
	const [first] = ids;
	control('setRegistrationStatus', { registrationId: first, status: 'Confirmed' });
	control('checkIn', { registrationId: first, ...session });
	expect((await missing()).ids).toEqual(ids);
	expect((await missing(filters)).ids).toEqual(before.ids.filter((id) => id !== first));
});

it('Get Missing counts a guest by their own code, separately from the host', async () => {
	const { outputItems } = await missing({ simplify: false });
	const guest = outputItems.find(({ HostRegistrationId }) => HostRegistrationId !== null)!;
	expect(guest).toBeDefined();
	const [host] = (await list('registrations')).filter(
		({ RegistrationId }) => RegistrationId === guest.HostRegistrationId,
	);
	expect(host!.ConfirmationCode).not.toBe(guest.ConfirmationCode);
	control('setRegistrationStatus', { registrationId: guest.RegistrationId, status: 'Confirmed' });
	control('checkIn', { registrationId: guest.RegistrationId });
	const { ids } = await missing();
	expect(ids).toEqual(idsOf(outputItems).filter((id) => id !== guest.RegistrationId));
});

describe('the filters of Get Missing', () => {
	it.each([
		['Cancelled', ['Cancelled']],
		['canceled', ['Cancelled']],
		['waitlisted , PENDING,', ['Waitlisted', 'Pending']],
		[
			['Confirmed', 'Cancelled'],
			['Confirmed', 'Cancelled'],
		],
	])('accept the statuses %j', async (given, wanted) => {
		const expected = (await absent(await list('attendance'))).filter(status(...wanted));
		expect(expected.length).toBeGreaterThan(0);
		const registrationStatuses = Array.isArray(given) ? `={{ ${JSON.stringify(given)} }}` : given;
		const { ids, hints } = await missing({ filters: { registrationStatuses } });
		expect(ids).toEqual(idsOf(expected));
		expect(hints).toEqual([]);
	});

	it('accept a type, and a type with a status', async () => {
		const all = (await absent(await list('attendance'))).filter(
			({ RegistrationTypeId }) => RegistrationTypeId === known.registrationTypeId,
		);
		const registrationTypeId = byId(known.registrationTypeId);
		const { ids } = await missing({ filters: { registrationTypeId } });
		expect(ids).toEqual(idsOf(all.filter((one) => !status('Cancelled')(one))));
		expect(ids.length).toBeGreaterThan(0);
		const both = await missing({
			filters: { registrationTypeId, registrationStatuses: 'Cancelled' },
		});
		expect(both.ids).toEqual(idsOf(all.filter(status('Cancelled'))));
	});

	it('report a status and a type that no registration has', async () => {
		const { ids, hints } = await missing({
			filters: { registrationStatuses: 'Confirmd, Pending', registrationTypeId: byId(2999) },
		});
		expect(ids).toEqual([]);
		expect(hints).toEqual([
			expect.stringMatching(
				/^Event 1001 has no registration with the status "Confirmd"\. Correct it in 'Registration Statuses': the statuses there are .*Confirmed/,
			),
			"Event 1001 has no registration of the chosen type, so no one is missing. If that is a surprise, choose another 'Registration Type'.",
		]);
	});

	it.each([
		['registrationStatuses', "'Registration Statuses' is missing"],
		['registrationTypeId', "'Registration Type' is missing"],
		['sessionId', "'Session' was set but is blank"],
	])('reject a blank %s, which would match everyone', async (name, message) => {
		const blank = name.endsWith('Id') ? { __rl: true, mode: 'id', value: '' } : ' ';
		const { error } = await run('getMissing', { ...event, filters: { [name]: blank } });
		expect(error?.message).toBe(message);
	});
});

it('Get Missing reports an event without registrations, and can output an empty item', async () => {
	const { EventId } = rig.sandbox.control('eventRegistration', 'addEvent', {
		Name: 'Quiet Day',
		StartDate: '2027-01-01T09:00:00Z',
		EndDate: '2027-01-01T17:00:00Z',
	}) as IDataObject;
	const eventId = byId(EventId);
	const { outputItems, hints } = await missing({ eventId });
	expect(outputItems).toEqual([]);
	expect(hints).toEqual([
		`Event ${EventId as number} has no registrations yet, so no one is missing.`,
	]);
	expect((await missing({ eventId, options: { returnEmptyItem: true } })).outputItems).toEqual([
		{},
	]);
});
