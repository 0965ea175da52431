// Protects the Event Registration trigger: each change of the chosen kinds starts the workflow, and no other does.
import type { IDataObject } from 'n8n-workflow';

import { useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById } from '../../support/locators';

useAcceleratedTime();

const EVENT = '1004';
const CURRENT_EVENT = '1013';
const PAST_EVENT = '1001';
const SESSION = '3050';
const CONTACT_LIST = '7003';
const ATTENDEE_TYPE = 2031;
const SPEAKER_TYPE = 2032;
const { createTriggerHost, performDeskAction, startedItems, expectStarts, waitTwoPolls } =
	useListTrigger(
		'eventRegistration',
		{
			eventId: locateById(EVENT),
			sessionId: locateById(SESSION),
			contactListId: locateById(CONTACT_LIST),
		},
		{ registrations: 12, contacts: 40 },
	);
const ADA = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@email.example' };
const register = async (FirstName: string, overrides: IDataObject = {}) => {
	const Email = `${FirstName.toLowerCase()}@email.example`;
	const registration = { eventId: EVENT, ...ADA, FirstName, Email, ...overrides };
	return {
		eventId: registration.eventId,
		registrationId: (await performDeskAction('register', registration)).RegistrationId,
	};
};
const startedNames = () => startedItems().map(({ FirstName }) => FirstName);

describe('registrations', () => {
	it('the workflow starts once per new registration, and not for existing ones', async () => {
		const host = createTriggerHost('registrationCreated');
		await host.start();
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		const { registrationId } = await register('Ada');
		await expectStarts(1);
		expect(startedItems()).toMatchObject([
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

	it('the workflow starts for each change of an existing registration, and not for a new one', async () => {
		const existing = await register('Ada');
		await createTriggerHost('registrationUpdated').start();
		await register('Grace');
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		await performDeskAction('changeRegistration', { ...existing, MobilePhone: '+4512345678' });
		await expectStarts(1);
		await performDeskAction('setRegistrationStatus', { ...existing, status: 'Cancelled' });
		await expectStarts(2);
		expect(startedItems()).toMatchObject([
			{ change: 'updated', FirstName: 'Ada' },
			{ change: 'updated', RegistrationStatus: 'Cancelled' },
		]);
	});

	it('the workflow starts only for the chosen registration type', async () => {
		const changeKinds = ['registrationCreated', 'registrationUpdated'];
		await createTriggerHost(changeKinds, {
			registrationTypeId: locateById(`${SPEAKER_TYPE}`),
		}).start();
		await register('Ada', { RegistrationTypeId: SPEAKER_TYPE });
		const other = await register('Grace', { RegistrationTypeId: ATTENDEE_TYPE });
		await expectStarts(1);
		await performDeskAction('changeRegistration', { ...other, MobilePhone: '+4512345678' });
		await expectStarts(1);
		expect(startedNames()).toEqual(['Ada']);
	});

	it('registrations are output completely with Simplify off', async () => {
		await createTriggerHost('registrationCreated', { simplify: false }).start();
		await register('Ada');
		await expectStarts(1);
		expect(startedItems()).toMatchObject([
			{
				change: 'created',
				ConfirmationCode: expect.any(String) as string,
				Id: expect.any(String) as string,
			},
		]);
	});
});

describe('check-ins', () => {
	it('the workflow starts for a check-in, a check-out and a check-in to a session', async () => {
		await createTriggerHost(['checkedIn', 'checkedOut', 'checkedInToSession']).start();
		const ada = await register('Ada');
		await performDeskAction('checkIn', ada);
		await expectStarts(1);
		await performDeskAction('checkIn', { ...ada, sessionId: 3049 });
		await performDeskAction('checkIn', { ...ada, sessionId: Number(SESSION) });
		await expectStarts(2);
		await performDeskAction('checkOut', ada);
		await expectStarts(3);
		expect(startedItems()).toMatchObject([
			{ change: 'checkedIn', record: 'attendance', EventId: 1004, FirstName: 'Ada' },
			{ change: 'checkedIn', record: 'attendance', SessionId: 3050 },
			{ change: 'checkedOut', record: 'attendance', EventId: 1004 },
		]);
		expect(startedItems()[0]).not.toHaveProperty('SessionId');
	});
});

describe('contacts', () => {
	it('the workflow starts for added and changed contacts', async () => {
		await createTriggerHost(['contactAdded', 'contactUpdated']).start();
		const contactListId = Number(CONTACT_LIST);
		const { ContactId: contactId } = await performDeskAction('addContact', {
			contactListId,
			...ADA,
		});
		await expectStarts(1);
		await performDeskAction('changeContact', { contactListId, contactId, Organization: 'Engines' });
		await expectStarts(2);
		await performDeskAction('addContact', { contactListId: 7004, ...ADA });
		await performDeskAction('removeContact', { contactListId, contactId });
		await expectStarts(2);
		const contactFields = { record: 'contact', ContactListId: 7003, ContactListName: 'Speakers' };
		expect(startedItems()).toMatchObject([
			{ change: 'added', ...contactFields, ContactId: contactId },
			{ change: 'updated', ...contactFields, ContactId: contactId, Organization: 'Engines' },
		]);
	});
});

describe('orders and transactions', () => {
	it('the workflow starts for an order, a payment and a refund', async () => {
		await createTriggerHost(['orderPlaced', 'transactionRecorded']).start();
		const ada = await register('Ada');
		const RegistrationOptions = [{ RegistrationOptionId: 41301 }];
		const order = await performDeskAction('order', {
			...ada,
			PaymentAmount: 0,
			RegistrationOptions,
		});
		await expectStarts(1);
		const ids = { eventId: EVENT, orderId: order.OrderId };
		await performDeskAction('pay', ids);
		await expectStarts(2);
		await performDeskAction('refund', { ...ids, amount: 100 });
		await expectStarts(3);
		expect(startedItems()).toMatchObject([
			{ change: 'placed', record: 'order', OrderId: order.OrderId, EventId: 1004 },
			{ change: 'recorded', record: 'transaction', TransactionAmount: order.OrderTotal },
			{ change: 'recorded', record: 'transaction', TransactionAmount: -100 },
		]);
	});
});

describe('events', () => {
	it('the workflow starts if the chosen event changes, but not for new registrations or other events', async () => {
		await createTriggerHost('eventUpdated').start();
		await waitTwoPolls();
		await register('Ada');
		await performDeskAction('changeEvent', { eventId: CURRENT_EVENT, Name: 'Another one' });
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		await performDeskAction('changeEvent', { eventId: EVENT, Name: 'Summit' });
		await expectStarts(1);
		expect(startedItems()).toMatchObject([
			{ change: 'updated', record: 'event', EventId: 1004, Name: 'Summit' },
		]);
	});
});

describe('all current events', () => {
	it('the workflow starts for current and new events, and not for events that ended long ago', async () => {
		const host = createTriggerHost(['registrationCreated', 'eventUpdated'], {
			where: 'allCurrentEvents',
		});
		await host.start();
		await waitTwoPolls();
		await register('Ada', { eventId: CURRENT_EVENT });
		await register('Late', { eventId: PAST_EVENT });
		await expectStarts(1);
		const { EventId: eventId } = await performDeskAction('addEvent', {
			Name: 'New',
			StartDate: '2027-05-01T09:00:00Z',
			EndDate: '2027-05-02T17:00:00Z',
		});
		await register('Grace', { eventId });
		await expectStarts(2);
		await performDeskAction('changeEvent', { eventId, Name: 'Newer' });
		await expectStarts(3);
		expect(startedItems()).toMatchObject([
			{ change: 'created', FirstName: 'Ada', EventId: 1013 },
			{ change: 'created', FirstName: 'Grace', EventId: eventId, EventName: 'New' },
			{ change: 'updated', record: 'event', EventId: eventId },
		]);
		expect(host.failedExecutions).toEqual([]);
	});

	it('activation fails if All Current Events is combined with Checked In to Session', async () => {
		const host = createTriggerHost('checkedInToSession', { where: 'allCurrentEvents' });
		await expect(host.start()).rejects.toThrow(
			/^'Checked In to Session' requires One Event\. Choose One Event/,
		);
	});
});

describe('options', () => {
	it('Include Existing Records starts the workflow once for each existing record', async () => {
		await register('Ada');
		await register('Grace');
		const host = createTriggerHost('registrationCreated', { options: { includeExisting: true } });
		await host.start();
		// The demo data has one registration of this event.
		await expectStarts(3);
		await host.stop();
		await host.start();
		await register('Edith');
		await expectStarts(4);
		expect(startedNames().slice(1)).toEqual(['Ada', 'Grace', 'Edith']);
	});

	it('Batch Changes starts one execution for all new records of a poll', async () => {
		const host = createTriggerHost('registrationCreated', { options: { together: true } });
		await host.start();
		await register('Ada');
		await register('Grace');
		await expectStarts(1);
		expect(host.executions[0]!.items).toMatchObject([{ FirstName: 'Ada' }, { FirstName: 'Grace' }]);
		await register('Edith');
		await expectStarts(2);
	});
});
