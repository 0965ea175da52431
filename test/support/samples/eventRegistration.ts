import { known } from '../../nodes/EventRegistration/samples';
import { contactRows } from './eventRegistrationContacts';
import {
	anyIds,
	changes,
	details,
	find,
	name,
	named,
	newcomer,
	person,
	read,
	touched,
	write,
} from './eventRegistrationRows';
import type { Found, Row } from './eventRegistrationRows';
import { locateById } from './sample';
import type { Changes, Sample } from './sample';

const event = { eventId: locateById(known.eventId) };
/** Changed values of the known registration. */
const registrationChanged = (values: object) => ({
	registrations: { [known.registrationId]: { ...values, ...touched } },
});
const noEvent = { parameters: { eventId: locateById(9999) }, expected: /There is no event 9999/ };
const noRegistration = {
	parameters: { registrationId: locateById(1) },
	expected: /There is no registration 1 /,
};
const noOrder = { parameters: { orderId: locateById(1) }, expected: /There is no order 1 / };

/** A new order that replaces the old one, and the charge for it. */
const charged = (amount: number): Changes => ({
	added: {
		orders: [expect.objectContaining({ RegistrationId: known.registrationId, IsReplaced: false })],
		orderItems: [expect.objectContaining({ RegistrationOptionId: known.optionId, Quantity: 1 })],
		transactions: [
			expect.objectContaining({ TransactionType: 'Payment', TransactionAmount: amount }),
		],
	},
	changed: { orders: { [known.orderId]: { IsReplaced: true } }, ...registrationChanged({}) },
});

/** Returns a sample row for every operation of the node. */
export function eventRegistrationRows(found: Found): Row[] {
	const session = { ...event, sessionId: locateById(known.sessionId) };
	const type = { ...event, registrationTypeId: locateById(known.registrationTypeId) };
	const group = { ...event, optionGroupId: locateById(known.optionGroupId) };
	const registration = { ...event, registrationId: locateById(known.registrationId) };
	const order = { ...event, orderId: locateById(known.orderId) };
	const wanted = {
		registrationOptions: { options: [{ optionId: `${known.optionId}`, quantity: 1 }] },
		additionalFields: { paymentAmount: 25 },
	};
	const { Email: email } = newcomer;
	return [
		read('attendance', 'getManyForEvent', 'CheckInLogId', event, noEvent),
		read('attendance', 'getManyForSession', 'SessionTitle', session, {
			parameters: { sessionId: locateById(99_999) },
			expected: /There is no session 99999 /,
		}),
		read('attendance', 'getMissing', 'RegistrationId', event, noEvent),
		...contactRows(found),
		read('event', 'get', 'EventId', event, noEvent),
		read('event', 'getMany', 'EventId', {}, 'takes no id'),
		read(
			'event',
			'getSummary',
			'byCurrency',
			{ ...event, newSince: '2026-01-01T00:00:00Z' },
			noEvent,
		),
		read('optionGroup', 'getMany', 'IsOptional', event, noEvent),
		read('optionGroup', 'getOptions', 'Price', group, {
			parameters: { optionGroupId: locateById(1) },
			expected: /There is no .*group 1 /,
		}),
		read('order', 'get', 'OrderTotal', order, noOrder),
		read('order', 'getItems', 'OrderItemId', order, noOrder),
		read('order', 'getItemsForRegistration', 'OrderItemId', registration, noRegistration),
		read('order', 'getManyForEvent', 'OrderId', event, noEvent),
		write(
			'registration',
			'create',
			'ConfirmationCode',
			{ ...event, ...details, additionalFields: { sendEmails: true } },
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
		write(
			'registration',
			'createOrUpdate',
			{ created: true },
			{ ...event, email, ...named },
			{
				variant: 'of a new person',
				changes: () => ({ added: { registrations: [expect.objectContaining(newcomer)] } }),
				missingRecord: noEvent,
				effect: 'the registration was added',
			},
		),
		write(
			'registration',
			'createOrUpdate',
			{ created: false },
			{ ...event, email: found.registrationEmail, ...named },
			{
				variant: 'of a known person',
				changes: () => ({ changed: registrationChanged(name) }),
				missingRecord: noEvent,
				effect: 'the registration was changed',
			},
		),
		read('registration', 'get', 'RegistrationId', registration, noRegistration),
		read('registration', 'getForm', 'caption', event, noEvent),
		read('registration', 'getMany', 'RegistrationId', event, noEvent),
		read('registration', 'getOptions', 'OrderItemId', registration, noRegistration),
		write(
			'registration',
			'replaceOptions',
			'OrderId',
			{ ...registration, ...wanted },
			{
				changes: () => charged(25),
				missingRecord: noRegistration,
				effect: 'the options were replaced and charged',
			},
		),
		read('registration', 'search', 'RegistrationId', event, noEvent),
		write(
			'registration',
			'update',
			{ LastName: 'Øster' },
			{ ...registration, ...changes },
			{
				changes: () => ({ changed: registrationChanged({ LastName: 'Øster' }) }),
				missingRecord: noRegistration,
				effect: 'the registration was changed',
			},
		),
		read('registrationType', 'get', 'Description', type, {
			parameters: { registrationTypeId: locateById(1) },
			expected: /There is no registration type 1 /,
		}),
		read('registrationType', 'getMany', 'Name', event, noEvent),
		read('session', 'get', 'Title', session, {
			parameters: { sessionId: locateById(1) },
			expected: /There is no session 1 /,
		}),
		read('session', 'getMany', 'SessionId', event, noEvent),
		read('session', 'search', 'SessionId', event, noEvent),
		read(
			'transaction',
			'get',
			'TransactionAmount',
			{ transactionId: locateById(found.transactionId) },
			{ parameters: { transactionId: locateById(1) }, expected: /There is no transaction 1\b/ },
		),
		read('transaction', 'getMany', 'TransactionId', {}, 'takes no id'),
		read('transaction', 'getManyForEvent', 'TransactionId', event, noEvent),
	];
}

export const eventRegistrationSamples: Sample[] = eventRegistrationRows(anyIds).map(
	(row, index) => ({
		...row,
		node: 'eventRegistration',
		parameters: async (rig) => eventRegistrationRows(await find(rig))[index]!.parameters,
	}),
);
