// Protects the numbers of Get Summary: they agree with the lists of the other operations for any history of an event.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { sendDirectly } from '../../support/samples/sample';
import { scaleRunCount } from '../../support/scaleRunCount';
import { demoIds } from './demoIds';
import { useResource } from './resourceRig';

const { rig, run, countRequests } = useResource('event', { registrations: 1500 });
const EVENT_INPUT = { eventId: demoIds.eventId };

const getSummary = async (parameters: object = {}) => {
	const { outputItems, error, hints } = await run('getSummary', {
		eventId: locateById(demoIds.eventId),
		...parameters,
	});
	expect(error).toBeUndefined();
	expect(outputItems).toHaveLength(1);
	return { summary: outputItems[0]!, hints: hints.map(({ message }) => message) };
};

type Groups = Array<Record<string, number | string>>;
const sumField = (groups: unknown, name: string) =>
	(groups as Groups).reduce((sum, group) => sum + (group[name] as number), 0);

/** Reads a list of the event with an operation of the node. */
const getMany = async (resource: string, operation: string) => {
	const parameters = { resource, operation, eventId: locateById(demoIds.eventId), returnAll: true };
	const { outputItems, error } = await rig.run('eventRegistration', parameters);
	expect(error).toBeUndefined();
	return outputItems;
};
const countBy = (records: IDataObject[], field: string) => {
	const counts: Record<string, number> = {};
	for (const record of records)
		counts[`${record[field] as string}`] = (counts[`${record[field] as string}`] ?? 0) + 1;
	return counts;
};
const toCounts = (groups: unknown, key: string, value: string) =>
	Object.fromEntries((groups as Groups).map((group) => [`${group[key]}`, group[value]]));

/** Compares a summary with the lists that the other operations return. */
async function expectReconciled(summary: IDataObject, since: string): Promise<void> {
	const registrations = await getMany('registration', 'getMany');
	const checkIns = await getMany('attendance', 'getManyForEvent');
	const missing = await getMany('attendance', 'getMissing');
	const transactions = await getMany('transaction', 'getManyForEvent');
	const active = registrations.filter(({ RegistrationStatus: status }) => status !== 'Cancelled');
	const codes = new Set(active.map(({ ConfirmationCode }) => ConfirmationCode));
	const checkedInCodes = new Set(checkIns.map(({ ConfirmationCode }) => ConfirmationCode));
	const checkedIn = active.filter(({ ConfirmationCode }) => checkedInCodes.has(ConfirmationCode));
	expect(summary).toMatchObject({
		EventId: demoIds.eventId,
		registered: active.length,
		canceled: registrations.length - active.length,
		newRegistrations: active.filter(
			({ RegistrationDate: registeredAt }) => `${registeredAt as string}` >= since,
		).length,
		checkedIn: checkedIn.length,
		missing: missing.length,
		unmatchedCheckIns: checkIns.filter(({ ConfirmationCode }) => !codes.has(ConfirmationCode))
			.length,
	});
	expect(checkedIn.length + missing.length).toBe(active.length);
	expect(toCounts(summary.byStatus, 'RegistrationStatus', 'registrations')).toEqual(
		countBy(registrations, 'RegistrationStatus'),
	);
	for (const key of ['RegistrationTypeId', 'RegistrationType']) {
		expect(toCounts(summary.byType, key, 'registered')).toEqual(countBy(active, key));
	}
	for (const countName of ['registered', 'checkedIn', 'missing']) {
		expect(sumField(summary.byType, countName)).toBe(summary[countName]);
	}
	const amountsInCents = transactions.map(({ TransactionAmount }) =>
		Math.round(100 * (TransactionAmount as number)),
	);
	const sumAmounts = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
	const [paid, refunded] = [
		amountsInCents.filter((amount) => amount > 0),
		amountsInCents.filter((amount) => amount < 0),
	];
	expect(summary.byCurrency).toEqual([
		{
			Currency: transactions[0]!.Currency,
			payments: paid.length,
			paid: sumAmounts(paid) / 100,
			refunds: refunded.length,
			refunded: -sumAmounts(refunded) / 100,
			net: sumAmounts(amountsInCents) / 100,
		},
	]);
}

const registrationIds = Array.from({ length: 30 }, (_, index) => demoIds.registrationId + index);
const anyAction = fc.oneof(
	fc.record({
		action: fc.constant('setRegistrationStatus'),
		registrationId: fc.constantFrom(...registrationIds),
		status: fc.constantFrom('Confirmed', 'Pending', 'Waitlisted', 'Cancelled'),
	}),
	fc.record({
		action: fc.constantFrom('checkIn', 'checkOut'),
		registrationId: fc.constantFrom(...registrationIds),
	}),
	fc.record({
		action: fc.constantFrom('checkIn'),
		registrationId: fc.constantFrom(...registrationIds),
		sessionId: fc.constant(demoIds.sessionId),
	}),
	fc.record({
		action: fc.constantFrom('pay', 'refund'),
		orderId: fc.integer({ min: demoIds.orderId, max: demoIds.orderId + 29 }),
		amount: fc.integer({ min: 1, max: 9999 }).map((cents) => cents / 100),
	}),
	fc.record({
		action: fc.constant('register'),
		FirstName: fc.constant('Nia'),
		LastName: fc.constant('Late'),
		Email: fc.uuid().map((id) => `${id}@example.com`),
		RegistrationTypeId: fc.constantFrom(2001, 2002),
	}),
);

it('Get Summary agrees with the single lists for any history of the event', async () => {
	const actionCounts = new Map<string, number>();
	let maxNewRegistrations = 0;
	const applyAction = ({ action, ...input }: { action: string }) => {
		try {
			rig.sandbox.control('eventRegistration', action, { ...EVENT_INPUT, ...input });
			actionCounts.set(action, (actionCounts.get(action) ?? 0) + 1);
		} catch {
			// The service rejects some actions, such as a refund of more than was paid.
		}
	};
	await fc.assert(
		fc.asyncProperty(fc.array(anyAction, { minLength: 5, maxLength: 40 }), async (actions) => {
			const since = new Date(Date.now() - 1).toISOString();
			actions.forEach(applyAction);
			const { summary, hints } = await getSummary({ newSince: since });
			expect(hints).toEqual([]);
			await expectReconciled(summary, since);
			maxNewRegistrations = Math.max(maxNewRegistrations, summary.newRegistrations as number);
		}),
		{ numRuns: scaleRunCount(6), endOnFailure: true },
	);
	expect(maxNewRegistrations).toBeGreaterThan(0);
	expect([...actionCounts.keys()].sort()).toEqual([
		'checkIn',
		'checkOut',
		'pay',
		'refund',
		'register',
		'setRegistrationStatus',
	]);
});

it('Get Summary counts new registrations only if New Since is set', async () => {
	const path = `/api/v1/events/${demoIds.eventId}/registrations?pageSize=200`;
	const registrations = await sendDirectly<IDataObject[]>(rig, 'eventRegistration', path);
	const dates = registrations
		.filter(({ RegistrationStatus: status }) => status !== 'Cancelled')
		.map(({ RegistrationDate }) => RegistrationDate as string)
		.sort();
	expect((await getSummary()).summary).not.toHaveProperty('newRegistrations');
	const { summary } = await getSummary({ newSince: dates.at(-3) });
	expect(summary.newRegistrations).toBe(3);
});

it('Get Summary outputs one item per event, and zeros for an event without registrations', async () => {
	const { EventId } = rig.sandbox.control('eventRegistration', 'addEvent', {
		Name: 'Quiet Day',
		StartDate: '2027-01-01T09:00:00Z',
		EndDate: '2027-01-01T17:00:00Z',
	}) as IDataObject;
	const eventId = locateById('={{ $json.id }}');
	const { outputItems } = await run('getSummary', { eventId }, [
		{ id: EventId },
		{ id: demoIds.eventId },
	]);
	expect(outputItems.map(({ Name, registered }) => [Name, registered])).toEqual([
		['Quiet Day', 0],
		['Open Data Forum', expect.any(Number)],
	]);
	expect(outputItems[0]).toEqual({
		EventId,
		Name: 'Quiet Day',
		StartDate: expect.stringContaining('2027-01-01'),
		EndDate: expect.stringContaining('2027-01-01'),
		registered: 0,
		canceled: 0,
		checkedIn: 0,
		missing: 0,
		unmatchedCheckIns: 0,
		byType: [],
		byStatus: [],
		byCurrency: [],
	});
});

it('Get Summary omits the names of types that cannot be read, and a hint says so', async () => {
	const operation = 'getManyRegistrationTypes';
	rig.sandbox.faultRules.add({ service: 'eventRegistration', operation, kind: '503' });
	const { summary, hints } = await getSummary({ options: { tries: 1 } });
	expect(countRequests(operation)).toBeGreaterThan(0);
	expect(hints).toEqual([
		"Event 1001: the names of the registration types couldn't be looked up, so byType has only their IDs. All numbers are complete.",
	]);
	expect((summary.byType as Groups)[0]).toMatchObject({
		RegistrationTypeId: expect.any(Number),
		RegistrationType: '',
	});
});
