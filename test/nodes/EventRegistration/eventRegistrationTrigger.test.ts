import type { IDataObject } from 'n8n-workflow';

import { byId, useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';

useAcceleratedTime();

const EVENT = '1004';
const CURRENT_EVENT = '1013';
const LONG_OVER = '1001';
const SESSION = '3050';
const CONTACT_LIST = '7003';
const { trigger, desk, started, expectStarts, waitTwoPolls } = useListTrigger(
	'eventRegistration',
	{
		eventId: byId(EVENT),
		sessionId: byId(SESSION),
		contactListId: byId(CONTACT_LIST),
	},
	{ registrations: 12, contacts: 40 },
);
const ADA = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@email.example' };
const register = async (FirstName: string, more: IDataObject = {}) => {
	const Email = `${FirstName.toLowerCase()}@email.example`;
	const given = { eventId: EVENT, ...ADA, FirstName, Email, ...more };
	return { eventId: given.eventId, registrationId: (await desk('register', given)).RegistrationId };
};
const names = () => started().map(({ FirstName }) => FirstName);

describe('registrations', () => {
	it('start once for each person who registers, and not for existing registrations', async () => {
		const host = trigger('registrationCreated');
		await host.start();
		await waitTwoPolls();
		expect(started()).toEqual([]);
		const { registrationId } = await register('Ada');
		await expectStarts(1);
		expect(started()).toMatchObject([
			{
				change: 'created',
				record: 'registration',
				EventId: 1004,
				EventName: expect.any(String) as string,
				RegistrationId: registrationId,
				FirstName: 'Ada',
				RegistrationType: 'Attendee',
				CustomFields: expect.any(Object) as object,
			},
		]);
		await register('Grace');
		await register('Edith');
		await register('Elsewhere', { eventId: CURRENT_EVENT });
		await expectStarts(3);
		expect(host.failedExecutions).toEqual([]);
	});

	it('start for each change after that', async () => {
		const before = await register('Ada');
		await trigger('registrationUpdated').start();
		await register('Grace');
		await waitTwoPolls();
		expect(started()).toEqual([]);
		await desk('changeRegistration', { ...before, MobilePhone: '+4512345678' });
		await expectStarts(1);
		await desk('setRegistrationStatus', { ...before, status: 'Cancelled' });
		await expectStarts(2);
		expect(started()).toMatchObject([
			{ change: 'updated', FirstName: 'Ada' },
			{ change: 'updated', RegistrationStatus: 'Cancelled' },
		]);
	});

	it('start only if they have the chosen type', async () => {
		const created = ['registrationCreated', 'registrationUpdated'];
		await trigger(created, { registrationTypeId: byId('2032') }).start();
		await register('Ada', { RegistrationTypeId: 2032 });
		const other = await register('Grace', { RegistrationTypeId: 2031 });
		await expectStarts(1);
		await desk('changeRegistration', { ...other, MobilePhone: '+4512345678' });
		await expectStarts(1);
		expect(names()).toEqual(['Ada']);
	});

	it('are output completely with Simplify off', async () => {
		await trigger('registrationCreated', { simplify: false }).start();
		await register('Ada');
		await expectStarts(1);
		expect(started()).toMatchObject([
			{
				change: 'created',
				ConfirmationCode: expect.any(String) as string,
				Id: expect.any(String) as string,
			},
		]);
	});
});

describe('check-ins', () => {
	it('start when a person checks in, checks out, and checks in to a session', async () => {
		await trigger(['checkedIn', 'checkedOut', 'checkedInToSession']).start();
		const ada = await register('Ada');
		await desk('checkIn', ada);
		await expectStarts(1);
		await desk('checkIn', { ...ada, sessionId: 3049 });
		await desk('checkIn', { ...ada, sessionId: Number(SESSION) });
		await expectStarts(2);
		await desk('checkOut', ada);
		await expectStarts(3);
		expect(started()).toMatchObject([
			{ change: 'checkedIn', record: 'attendance', EventId: 1004, FirstName: 'Ada' },
			{ change: 'checkedIn', record: 'attendance', SessionId: 3050 },
			{ change: 'checkedOut', record: 'attendance', EventId: 1004 },
		]);
		expect(started()[0]).not.toHaveProperty('SessionId');
	});
});

describe('contacts', () => {
	it('start when they are added, and when they change', async () => {
		await trigger(['contactAdded', 'contactUpdated']).start();
		const contactListId = Number(CONTACT_LIST);
		const { ContactId: contactId } = await desk('addContact', { contactListId, ...ADA });
		await expectStarts(1);
		await desk('changeContact', { contactListId, contactId, Organization: 'Engines' });
		await expectStarts(2);
		await desk('addContact', { contactListId: 7004, ...ADA });
		await desk('removeContact', { contactListId, contactId });
		await expectStarts(2);
		const about = { record: 'contact', ContactListId: 7003, ContactListName: 'Speakers' };
		expect(started()).toMatchObject([
			{ change: 'added', ...about, ContactId: contactId },
			{ change: 'updated', ...about, ContactId: contactId, Organization: 'Engines' },
		]);
	});
});

describe('orders and transactions', () => {
	it('start for an order, a payment and a refund', async () => {
		await trigger(['orderPlaced', 'transactionRecorded']).start();
		const ada = await register('Ada');
		const RegistrationOptions = [{ RegistrationOptionId: 41301 }];
		const order = await desk('order', { ...ada, PaymentAmount: 0, RegistrationOptions });
		await expectStarts(1);
		const ids = { eventId: EVENT, orderId: order.OrderId };
		await desk('pay', ids);
		await expectStarts(2);
		await desk('refund', { ...ids, amount: 100 });
		await expectStarts(3);
		expect(started()).toMatchObject([
			{ change: 'placed', record: 'order', OrderId: order.OrderId, EventId: 1004 },
			{ change: 'recorded', record: 'transaction', TransactionAmount: order.OrderTotal },
			{ change: 'recorded', record: 'transaction', TransactionAmount: -100 },
		]);
	});
});

describe('events', () => {
	it('start when one changes, but not because more people register', async () => {
		await trigger('eventUpdated').start();
		await waitTwoPolls();
		await register('Ada');
		await desk('changeEvent', { eventId: CURRENT_EVENT, Name: 'Another one' });
		await waitTwoPolls();
		expect(started()).toEqual([]);
		await desk('changeEvent', { eventId: EVENT, Name: 'Summit' });
		await expectStarts(1);
		expect(started()).toMatchObject([
			{ change: 'updated', record: 'event', EventId: 1004, Name: 'Summit' },
		]);
	});
});

describe('all current events', () => {
	it('include new events, and not those that ended long ago', async () => {
		const host = trigger(['registrationCreated', 'eventUpdated'], { where: 'allCurrentEvents' });
		await host.start();
		await waitTwoPolls();
		await register('Ada', { eventId: CURRENT_EVENT });
		await register('Late', { eventId: LONG_OVER });
		await expectStarts(1);
		const { EventId: eventId } = await desk('addEvent', {
			Name: 'New',
			StartDate: '2027-05-01T09:00:00Z',
			EndDate: '2027-05-02T17:00:00Z',
		});
		await register('Grace', { eventId });
		await expectStarts(2);
		await desk('changeEvent', { eventId, Name: 'Newer' });
		await expectStarts(3);
		expect(started()).toMatchObject([
			{ change: 'created', FirstName: 'Ada', EventId: 1013 },
			{ change: 'created', FirstName: 'Grace', EventId: eventId, EventName: 'New' },
			{ change: 'updated', record: 'event', EventId: eventId },
		]);
		expect(host.failedExecutions).toEqual([]);
	});

	it('cannot be combined with a session', async () => {
		const host = trigger('checkedInToSession', { where: 'allCurrentEvents' });
		await expect(host.start()).rejects.toThrow(
			/^'Checked In to Session' requires One Event\. Choose One Event/,
		);
	});
});

describe('options', () => {
	it('include existing records, once', async () => {
		await register('Ada');
		await register('Grace');
		const host = trigger('registrationCreated', { options: { includeExisting: true } });
		await host.start();
		// One was there from the beginning.
		await expectStarts(3);
		await host.stop();
		await host.start();
		await register('Edith');
		await expectStarts(4);
		expect(names().slice(1)).toEqual(['Ada', 'Grace', 'Edith']);
	});

	it('start one execution for all new records of a poll', async () => {
		const host = trigger('registrationCreated', { options: { together: true } });
		await host.start();
		await register('Ada');
		await register('Grace');
		await expectStarts(1);
		expect(host.executions[0]!.items).toMatchObject([{ FirstName: 'Ada' }, { FirstName: 'Grace' }]);
		await register('Edith');
		await expectStarts(2);
	});
});
