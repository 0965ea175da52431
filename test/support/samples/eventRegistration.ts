import { demoIds } from '../../nodes/EventRegistration/demoIds';
import { locateById } from '../locators';
import { contactSamples } from './eventRegistrationContacts';
import {
	anyIds,
	lastNameChange,
	personDetails,
	findDemoRecords,
	newName,
	nameDetails,
	newcomer,
	person,
	readSample,
	anyLastUpdated,
	writeSample,
} from './eventRegistrationRows';
import type { DemoRecordIds, Row } from './eventRegistrationRows';
import type { Changes, Sample } from './sample';

const event = { eventId: locateById(demoIds.eventId) };
/** Changed values of the known registration. */
const changedRegistration = (values: object) => ({
	registrations: { [demoIds.registrationId]: { ...values, ...anyLastUpdated } },
});
const noEvent = { parameters: { eventId: locateById(9999) }, expected: /There is no event 9999/ };
const noRegistration = {
	parameters: { registrationId: locateById(1) },
	expected: /There is no registration 1 /,
};
const noOrder = { parameters: { orderId: locateById(1) }, expected: /There is no order 1 / };

/** A new order that replaces the old one, and the charge for it. */
const orderReplacement = (amount: number): Changes => ({
	added: {
		orders: [
			expect.objectContaining({ RegistrationId: demoIds.registrationId, IsReplaced: false }),
		],
		orderItems: [expect.objectContaining({ RegistrationOptionId: demoIds.optionId, Quantity: 1 })],
		transactions: [
			expect.objectContaining({ TransactionType: 'Payment', TransactionAmount: amount }),
		],
	},
	changed: { orders: { [demoIds.orderId]: { IsReplaced: true } }, ...changedRegistration({}) },
});

/** Returns a sample row for every operation of the node. */
export function eventRegistrationRows(demoRecords: DemoRecordIds): Row[] {
	const session = { ...event, sessionId: locateById(demoIds.sessionId) };
	const type = { ...event, registrationTypeId: locateById(demoIds.registrationTypeId) };
	const group = { ...event, optionGroupId: locateById(demoIds.optionGroupId) };
	const registration = { ...event, registrationId: locateById(demoIds.registrationId) };
	const order = { ...event, orderId: locateById(demoIds.orderId) };
	const selectedOptions = {
		registrationOptions: { options: [{ optionId: `${demoIds.optionId}`, quantity: 1 }] },
		additionalFields: { paymentAmount: 25 },
	};
	const { Email: email } = newcomer;
	return [
		readSample('attendance', 'getManyForEvent', 'CheckInLogId', event, noEvent),
		readSample('attendance', 'getManyForSession', 'SessionTitle', session, {
			parameters: { sessionId: locateById(99_999) },
			expected: /There is no session 99999 /,
		}),
		readSample('attendance', 'getMissing', 'RegistrationId', event, noEvent),
		...contactSamples(demoRecords),
		readSample('event', 'get', 'EventId', event, noEvent),
		readSample('event', 'getMany', 'EventId', {}, 'takes no id'),
		readSample(
			'event',
			'getSummary',
			'byCurrency',
			{ ...event, newSince: '2026-01-01T00:00:00Z' },
			noEvent,
		),
		readSample('optionGroup', 'getMany', 'IsOptional', event, noEvent),
		readSample('optionGroup', 'getOptions', 'Price', group, {
			parameters: { optionGroupId: locateById(1) },
			expected: /There is no .*group 1 /,
		}),
		readSample('order', 'get', 'OrderTotal', order, noOrder),
		readSample('order', 'getItems', 'OrderItemId', order, noOrder),
		readSample('order', 'getItemsForRegistration', 'OrderItemId', registration, noRegistration),
		readSample('order', 'getManyForEvent', 'OrderId', event, noEvent),
		writeSample(
			'registration',
			'create',
			'ConfirmationCode',
			{ ...event, ...personDetails, additionalFields: { sendEmails: true } },
			{
				changes: () => ({
					added: {
						registrations: [expect.objectContaining(person)],
						phone: [expect.objectContaining({ kind: 'mail', to: { email: person.Email } })],
					},
				}),
				missingRecord: noEvent,
				effect: 'the person was registered',
			},
		),
		writeSample(
			'registration',
			'createOrUpdate',
			{ created: true },
			{ ...event, email, ...nameDetails },
			{
				variant: 'of a new person',
				changes: () => ({ added: { registrations: [expect.objectContaining(newcomer)] } }),
				missingRecord: noEvent,
				effect: 'the registration was added',
			},
		),
		writeSample(
			'registration',
			'createOrUpdate',
			{ created: false },
			{ ...event, email: demoRecords.registrationEmail, ...nameDetails },
			{
				variant: 'of a known person',
				changes: () => ({ changed: changedRegistration(newName) }),
				missingRecord: noEvent,
				effect: 'the registration was changed',
			},
		),
		readSample('registration', 'get', 'RegistrationId', registration, noRegistration),
		readSample('registration', 'getForm', 'caption', event, noEvent),
		readSample('registration', 'getMany', 'RegistrationId', event, noEvent),
		readSample('registration', 'getOptions', 'OrderItemId', registration, noRegistration),
		writeSample(
			'registration',
			'replaceOptions',
			'OrderId',
			{ ...registration, ...selectedOptions },
			{
				changes: () => orderReplacement(25),
				missingRecord: noRegistration,
				effect: 'the options were replaced and charged',
			},
		),
		readSample('registration', 'search', 'RegistrationId', event, noEvent),
		writeSample(
			'registration',
			'update',
			{ LastName: 'Øster' },
			{ ...registration, ...lastNameChange },
			{
				changes: () => ({ changed: changedRegistration({ LastName: 'Øster' }) }),
				missingRecord: noRegistration,
				effect: 'the registration was changed',
			},
		),
		readSample('registrationType', 'get', 'Description', type, {
			parameters: { registrationTypeId: locateById(1) },
			expected: /There is no registration type 1 /,
		}),
		readSample('registrationType', 'getMany', 'Name', event, noEvent),
		readSample('session', 'get', 'Title', session, {
			parameters: { sessionId: locateById(1) },
			expected: /There is no session 1 /,
		}),
		readSample('session', 'getMany', 'SessionId', event, noEvent),
		readSample('session', 'search', 'SessionId', event, noEvent),
		readSample(
			'transaction',
			'get',
			'TransactionAmount',
			{ transactionId: locateById(demoRecords.transactionId) },
			{ parameters: { transactionId: locateById(1) }, expected: /There is no transaction 1\b/ },
		),
		readSample('transaction', 'getMany', 'TransactionId', {}, 'takes no id'),
		readSample('transaction', 'getManyForEvent', 'TransactionId', event, noEvent),
	];
}

export const eventRegistrationSamples: Sample[] = eventRegistrationRows(anyIds).map(
	(row, index) => ({
		...row,
		node: 'eventRegistration',
		parameters: async (rig) => eventRegistrationRows(await findDemoRecords(rig))[index]!.parameters,
	}),
);
