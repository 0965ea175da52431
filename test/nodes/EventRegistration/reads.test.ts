// Protects reads of Event Registration: filters, times and IDs are sent as the service expects them, or rejected.
import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';
import { demoIds } from './demoIds';

const rig = useRig({ registrations: 1500 });

const run = (resource: string, operation: string, parameters: object = {}, node: object = {}) =>
	rig.run('eventRegistration', { resource, operation, ...parameters }, [{}], node);
const settings = () => rig.sandbox.settings.eventRegistration;
const event = { eventId: locateById(demoIds.eventId) };
const getLastQuery = (operationId: string) =>
	rig.sandbox.requestLog.entries({ operationId }).at(-1)!.query;

describe('a record returned as an object or as an array of one', () => {
	it.each(['object', 'array'])('a record in an %s is output as one item', async (singleAs) => {
		settings().singleAs = singleAs;
		const type = await run('registrationType', 'get', {
			...event,
			registrationTypeId: locateById(2001),
		});
		expect(type.outputItems).toEqual([expect.objectContaining({ RegistrationTypeId: 2001 })]);
		const { outputItems } = await run('transaction', 'getMany', { limit: 1 });
		const transactionId = locateById(outputItems[0]!.TransactionId);
		const transaction = await run('transaction', 'get', { transactionId });
		expect(transaction.outputItems).toEqual(outputItems);
	});
});

describe('Changed After and Created After', () => {
	it.each([
		['event', 'getMany', 'getManyEvents', 'updatedAfter', {}],
		['contactList', 'getMany', 'getManyContactLists', 'updatedAfter', {}],
		['contact', 'getMany', 'getManyContacts', 'updatedAfter', { contactListId: locateById(7003) }],
		['registration', 'getMany', 'getManyRegistrations', 'lastUpdatedAfter', event],
		['attendance', 'getManyForEvent', 'getManyEventAttendance', 'lastUpdatedAfter', event],
		[
			'attendance',
			'getManyForSession',
			'getManySessionAttendance',
			'lastUpdatedAfter',
			{ ...event, sessionId: locateById(3001) },
		],
		['order', 'getManyForEvent', 'searchOrders', 'addedAfter', event],
		['transaction', 'getMany', 'getManyTransactions', 'addedAfter', {}],
		['transaction', 'getManyForEvent', 'searchTransactions', 'addedAfter', event],
	])(
		'the times are sent under the parameter names of %s: %s',
		async (resource, operation, operationId, queryName, parameters) => {
			const field = queryName === 'addedAfter' ? 'createdAfter' : 'changedAfter';
			const filters = { filters: { [field]: '2031-02-03T10:00' } };
			const { outputItems, error } = await run(
				resource,
				operation,
				{ ...parameters, ...filters },
				{ timezone: 'Asia/Tokyo' },
			);
			expect(error).toBeUndefined();
			expect(outputItems).toEqual([]);
			expect(getLastQuery(operationId)).toMatchObject({ [queryName]: '2031-02-03T01:00:00.000Z' });
		},
	);

	it('the times are not sent if an expression returns nothing, as in the first run of a sync', async () => {
		const { outputItems } = await run('event', 'getMany', {
			filters: { changedAfter: '={{ $json.last }}' },
		});
		expect(outputItems).toHaveLength(16);
		expect(getLastQuery('getManyEvents')).not.toHaveProperty('updatedAfter');
	});

	it('a time that is not a date is rejected with a message', async () => {
		const { error } = await run('event', 'getMany', { filters: { changedAfter: 'yesterday-ish' } });
		expect(error?.message).toBe(`'Changed After' must be a date, not "yesterday-ish"`);
	});
});

describe('sessions', () => {
	it('Search filters sessions by title and time', async () => {
		const { outputItems: allSessions } = await run('session', 'getMany', {
			...event,
			returnAll: true,
		});
		expect(allSessions).toHaveLength(16);
		const { Title, StartDateTime } = allSessions[5]! as { Title: string; StartDateTime: string };
		const { outputItems } = await run('session', 'search', {
			...event,
			criteria: {
				title: Title.slice(2, 12).toUpperCase(),
				startingAfter: new Date(Date.parse(StartDateTime) - 1).toISOString(),
				startingBefore: new Date(Date.parse(StartDateTime) + 1).toISOString(),
			},
		});
		expect(outputItems).toContainEqual(allSessions[5]);
		for (const session of outputItems) expect(session.StartDateTime).toBe(StartDateTime);
	});

	it('Search without criteria returns all sessions', async () => {
		const { outputItems } = await run('session', 'search', { ...event, returnAll: true });
		expect(outputItems).toHaveLength(16);
	});
});

describe('orders and transactions', () => {
	it('Get Many for Event returns the orders and transactions of the event, from all pages', async () => {
		const { outputItems: orders } = await run('order', 'getManyForEvent', {
			eventId: locateById(1010),
			returnAll: true,
		});
		const { outputItems: events } = await run('event', 'get', { eventId: locateById(1010) });
		expect(orders).toHaveLength(events[0]!.RegistrationCount as number);
		expect(new Set(orders.map(({ EventId }) => EventId))).toEqual(new Set([1010]));
		const { outputItems: payments } = await run('transaction', 'getManyForEvent', {
			eventId: locateById(1010),
			returnAll: true,
		});
		expect(payments.length).toBeGreaterThan(0);
		expect(new Set(payments.map(({ EventId }) => EventId))).toEqual(new Set([1010]));
	});

	it('a plain ID from an expression or another program is accepted', async () => {
		const { outputItems } = await run('order', 'get', { ...event, orderId: `${demoIds.orderId}` });
		expect(outputItems).toEqual([expect.objectContaining({ OrderId: demoIds.orderId })]);
		const { outputItems: items } = await run('order', 'getItems', {
			...event,
			orderId: demoIds.orderId,
		});
		expect(items[0]).toMatchObject({ OrderId: demoIds.orderId });
		const { outputItems: transactions } = await run('transaction', 'getMany', { limit: 1 });
		const transactionId = `${transactions[0]!.TransactionId as number}`;
		expect((await run('transaction', 'get', { transactionId })).outputItems).toEqual(transactions);
	});

	it('an invalid ID is rejected before any request', async () => {
		const order = await run('order', 'get', { ...event, orderId: locateById('A-17') });
		expect(order.error?.message).toBe('\'Order\' must be a number, not "A-17"');
		const orders = await run('order', 'getManyForEvent', { eventId: locateById('../1') });
		expect(orders.error?.message).toBe('\'Event\' must be a number, not "../1"');
		expect(rig.sandbox.requestLog.count('eventRegistration')).toBe(0);
	});
});

describe('attendance', () => {
	it('the attendance of a session has the simplified fields of the event, and the session title', async () => {
		const { outputItems: eventAttendance } = await run('attendance', 'getManyForEvent', event);
		const { outputItems: sessionAttendance } = await run('attendance', 'getManyForSession', {
			...event,
			sessionId: locateById(demoIds.sessionId),
		});
		expect(eventAttendance.length).toBeGreaterThan(0);
		expect(sessionAttendance.length).toBeGreaterThan(0);
		const [idKey, ...otherKeys] = Object.keys(eventAttendance[0]!);
		expect(Object.keys(sessionAttendance[0]!)).toEqual([idKey, 'SessionTitle', ...otherKeys]);
		expect(Object.keys(eventAttendance[0]!)).toHaveLength(9);
		expect(Array.isArray(eventAttendance[0]!.CustomFields)).toBe(false);
	});
});
