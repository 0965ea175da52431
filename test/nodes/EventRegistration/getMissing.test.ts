// Protects the list of people who have not checked in: it omits no one who is missing, and has no one who checked in.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { sendDirectly } from '../../support/samples/sample';
import { demoIds } from './demoIds';
import { useResource } from './resourceRig';

const { rig, run } = useResource('attendance', { registrations: 1500 });
const event = { eventId: locateById(demoIds.eventId) };
const EVENT_INPUT = { eventId: demoIds.eventId };

/** Reads a list of the event from the service, without the node. */
const readList = async (path: string) =>
	await sendDirectly<IDataObject[]>(
		rig,
		'eventRegistration',
		`/api/v1/events/${demoIds.eventId}/${path}?pageSize=200`,
	);
const getIds = (records: IDataObject[]) => records.map(({ RegistrationId }) => RegistrationId);
const performAction = (action: string, input: object) =>
	rig.sandbox.control('eventRegistration', action, { ...EVENT_INPUT, ...input }) as IDataObject;
const getMissing = async (parameters: object = {}, input?: IDataObject[]) => {
	const { outputItems, error, hints } = await run(
		'getMissing',
		{ ...event, returnAll: true, ...parameters },
		input,
	);
	expect(error).toBeUndefined();
	return { outputItems, ids: getIds(outputItems), hints: hints.map(({ message }) => message) };
};

/** Returns the registrations whose code is not in the list of check-ins. */
const findAbsent = async (checkIns: IDataObject[]) => {
	const codes = checkIns.map(({ ConfirmationCode }) => ConfirmationCode);
	return (await readList('registrations')).filter(
		({ ConfirmationCode }) => !codes.includes(ConfirmationCode),
	);
};
const hasStatus =
	(...statuses: string[]) =>
	({ RegistrationStatus }: IDataObject) =>
		statuses.includes(`${RegistrationStatus as string}`);

it('Get Missing returns the registrations without a check-in, except canceled ones', async () => {
	const absentees = await findAbsent(await readList('attendance'));
	const expected = absentees.filter((absentee) => !hasStatus('Cancelled')(absentee));
	expect(expected.length).toBeGreaterThan(3);
	expect(expected.length).toBeLessThan(absentees.length);
	const { outputItems, ids, hints } = await getMissing();
	expect(ids).toEqual(getIds(expected));
	expect(hints).toEqual([]);
	expect(outputItems[0]).toMatchObject({
		Email: expected[0]!.Email,
		RegistrationType: expect.any(String),
		ConfirmationCode: expected[0]!.ConfirmationCode,
	});
});

it('Get Missing rejects a status filter without a status, since it would match nothing', async () => {
	const { error } = await run('getMissing', {
		...event,
		filters: { registrationStatuses: ' , ,' },
	});
	expect(error?.message).toBe("'Registration Statuses' is missing");
});

it('Get Missing applies Limit, and outputs all fields without Simplify', async () => {
	const { ids } = await getMissing();
	const { outputItems } = await getMissing({ returnAll: false, limit: 2, simplify: false });
	expect(getIds(outputItems)).toEqual(ids.slice(0, 2));
	expect(outputItems[0]).toHaveProperty('HostRegistrationId');
});

it('Get Missing omits people who checked in, even if they checked out again', async () => {
	const { ids } = await getMissing();
	const [first, second] = ids;
	for (const id of [first, second])
		performAction('setRegistrationStatus', { registrationId: id, status: 'Confirmed' });
	performAction('checkIn', { registrationId: first });
	performAction('checkOut', { registrationId: first });
	performAction('checkIn', { registrationId: first });
	performAction('checkIn', { registrationId: second });
	performAction('checkOut', { registrationId: second });
	expect((await getMissing()).ids).toEqual(ids.slice(2));
});

it('Get Missing distinguishes check-ins to a session from those to the event', async () => {
	const session = { sessionId: demoIds.sessionId };
	const { ids } = await getMissing();
	const sessionFilter = { filters: { sessionId: locateById(demoIds.sessionId) } };
	const missingFromSession = await getMissing(sessionFilter);
	expect(missingFromSession.ids).toEqual(
		getIds(
			(await findAbsent(await readList(`attendance/${demoIds.sessionId}`))).filter(
				(absentee) => !hasStatus('Cancelled')(absentee),
			),
		),
	);
	expect(missingFromSession.ids.length).toBeGreaterThan(ids.length);
	const [first] = ids;
	performAction('setRegistrationStatus', { registrationId: first, status: 'Confirmed' });
	performAction('checkIn', { registrationId: first, ...session });
	expect((await getMissing()).ids).toEqual(ids);
	expect((await getMissing(sessionFilter)).ids).toEqual(
		missingFromSession.ids.filter((id) => id !== first),
	);
});

it('Get Missing matches a guest by the code of the guest, not by that of the host', async () => {
	const { outputItems } = await getMissing({ simplify: false });
	const guest = outputItems.find(({ HostRegistrationId }) => HostRegistrationId !== null)!;
	expect(guest).toBeDefined();
	const [host] = (await readList('registrations')).filter(
		({ RegistrationId }) => RegistrationId === guest.HostRegistrationId,
	);
	expect(host!.ConfirmationCode).not.toBe(guest.ConfirmationCode);
	performAction('setRegistrationStatus', {
		registrationId: guest.RegistrationId,
		status: 'Confirmed',
	});
	performAction('checkIn', { registrationId: guest.RegistrationId });
	const { ids } = await getMissing();
	expect(ids).toEqual(getIds(outputItems).filter((id) => id !== guest.RegistrationId));
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
	])('the statuses %j are accepted', async (filterValue, statuses) => {
		const expected = (await findAbsent(await readList('attendance'))).filter(
			hasStatus(...statuses),
		);
		expect(expected.length).toBeGreaterThan(0);
		const registrationStatuses = Array.isArray(filterValue)
			? `={{ ${JSON.stringify(filterValue)} }}`
			: filterValue;
		const { ids, hints } = await getMissing({ filters: { registrationStatuses } });
		expect(ids).toEqual(getIds(expected));
		expect(hints).toEqual([]);
	});

	it('a type, and a type with a status, are accepted', async () => {
		const absentees = (await findAbsent(await readList('attendance'))).filter(
			({ RegistrationTypeId }) => RegistrationTypeId === demoIds.registrationTypeId,
		);
		const registrationTypeId = locateById(demoIds.registrationTypeId);
		const { ids } = await getMissing({ filters: { registrationTypeId } });
		expect(ids).toEqual(getIds(absentees.filter((absentee) => !hasStatus('Cancelled')(absentee))));
		expect(ids.length).toBeGreaterThan(0);
		const missingWithTypeAndStatus = await getMissing({
			filters: { registrationTypeId, registrationStatuses: 'Cancelled' },
		});
		expect(missingWithTypeAndStatus.ids).toEqual(getIds(absentees.filter(hasStatus('Cancelled'))));
	});

	it('hints report a status and a type that no registration has', async () => {
		const { ids, hints } = await getMissing({
			filters: { registrationStatuses: 'Confirmd, Pending', registrationTypeId: locateById(2999) },
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
	])('a blank %s is rejected', async (name, message) => {
		const blank = name.endsWith('Id') ? locateById('') : ' ';
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
	const eventId = locateById(EventId);
	const { outputItems, hints } = await getMissing({ eventId });
	expect(outputItems).toEqual([]);
	expect(hints).toEqual([
		`Event ${EventId as number} has no registrations yet, so no one is missing.`,
	]);
	expect((await getMissing({ eventId, options: { returnEmptyItem: true } })).outputItems).toEqual([
		{},
	]);
});
