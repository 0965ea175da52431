import type { WriteContext } from '../deskBus';
import {
	readAmount,
	rejectUnknownNames,
	readMatchingText,
	withoutUndefined,
	readRequiredId,
	readRequiredText,
	readText,
	readTime,
	readInteger,
	readChoice,
} from '../readInput';
import type { Input } from '../readInput';
import type { Settings, World } from '../service';
import { contactWrites } from './contactWrites';
import { readContactInput, readOptionsInput, readRegistrationInput } from './deskInput';
import { eventWrites } from './eventWrites';
import { recordPayment, recordRefund } from './payments';
import { registrationStatuses, registrationWrites } from './registrationWrites';
import { replaceOptions } from './replaceOptions';
import { showCheckIn, showEvent } from './showRecords';
import type { Store } from './store';

const UTC_OFFSET = /^[+-](0\d|1[0-4]):[0-5]\d$/;

/**
 * Control actions of the event registration service, which the desk uses too. Fields have the API's names, and each action
 * returns the changed record as the API shows it.
 */
export function eventRegistrationControls(store: () => Store, settings: Settings, world: World) {
	const registrations = registrationWrites(store, world);
	const contacts = contactWrites(store, settings);
	const events = eventWrites(store);
	const deskContext = (): WriteContext => ({ now: world.now(), by: 'desk' });

	const findEvent = (input: Input) => store().getEvent(readRequiredId(input, 'eventId'));
	const findRegistration = (input: Input) => {
		const event = findEvent(input);
		return {
			event,
			registration: store().getRegistration(event, readRequiredId(input, 'registrationId')),
		};
	};
	const findSession = (input: Input) => {
		const event = findEvent(input);
		return { event, session: store().getSession(event, readRequiredId(input, 'sessionId')) };
	};
	const findContact = (input: Input) => {
		const entry = store().getList(readRequiredId(input, 'contactListId'));
		return { entry, contact: store().getContact(entry, readRequiredId(input, 'contactId')) };
	};
	const findOrder = (input: Input) => {
		const event = findEvent(input);
		return { event, sale: store().getOrder(event, readRequiredId(input, 'orderId')) };
	};
	const readCheckInInput = (input: Input) => {
		rejectUnknownNames(input, ['eventId', 'registrationId', 'sessionId']);
		const { event, registration } = findRegistration(input);
		const id = readInteger(input, 'sessionId');
		const session = id === undefined ? undefined : store().getSession(event, id);
		return { event, registration, session, show: showCheckIn(event, session?.Title) };
	};
	const readPaymentInput = (input: Input) => {
		rejectUnknownNames(input, ['eventId', 'orderId', 'amount', 'method', 'memo']);
		const [method, memo] = [readText(input, 'method'), readText(input, 'memo')];
		return withoutUndefined({ amount: readAmount(input, 'amount'), method, memo });
	};
	const readEventInput = (input: Input) =>
		withoutUndefined({
			name: input.Name === undefined ? undefined : readRequiredText(input, 'Name'),
			startsAt: readTime(input, 'StartDate'),
			endsAt: readTime(input, 'EndDate'),
			offset: readMatchingText(input, 'TimeZoneOffset', UTC_OFFSET, 'an offset such as +02:00'),
		});
	const readSessionInput = (input: Input) =>
		withoutUndefined({
			title: input.Title === undefined ? undefined : readRequiredText(input, 'Title'),
			startsAt: readTime(input, 'StartDateTime'),
			endsAt: readTime(input, 'EndDateTime'),
		});
	const eventFields = ['Name', 'StartDate', 'EndDate', 'TimeZoneOffset'];
	const sessionFields = ['Title', 'StartDateTime', 'EndDateTime'];

	return {
		/** `{ eventId, …fields of the form }`: the same checks as the API's Create. */
		register: ({ eventId, ...input }: Input) =>
			registrations.register(findEvent({ eventId }), readRegistrationInput(input), deskContext()),

		/** `{ eventId, registrationId, …fields to change }`. */
		changeRegistration: ({ eventId, registrationId, ...input }: Input) => {
			const { event, registration } = findRegistration({ eventId, registrationId });
			return registrations.change(event, registration, readRegistrationInput(input), deskContext());
		},

		/** `{ eventId, registrationId, status }`: Confirmed, Pending, Waitlisted or Cancelled. */
		setRegistrationStatus: (input: Input) => {
			rejectUnknownNames(input, ['eventId', 'registrationId', 'status']);
			readRequiredText(input, 'status');
			const { event, registration } = findRegistration(input);
			const status = readChoice(input, 'status', registrationStatuses)!;
			return registrations.setStatus(event, registration, status, deskContext());
		},

		/** `{ eventId, registrationId, sessionId? }`: checks in to the event or to one of its sessions. */
		checkIn: (input: Input) => {
			const { event, registration, session, show } = readCheckInInput(input);
			return show(events.checkIn(event, registration, deskContext(), session));
		},

		/** `{ eventId, registrationId, sessionId? }`: checks out. */
		checkOut: (input: Input) => {
			const { event, registration, session, show } = readCheckInInput(input);
			return show(events.checkOut(event, registration, deskContext(), session));
		},

		/** `{ contactListId, …fields of the form }`. */
		addContact: ({ contactListId, ...input }: Input) =>
			contacts.addOne(
				store().getList(readRequiredId({ contactListId }, 'contactListId')),
				readContactInput(input),
				deskContext(),
			),

		/** `{ contactListId, contactId, …fields to change }`. */
		changeContact: ({ contactListId, contactId, ...input }: Input) => {
			const { entry, contact } = findContact({ contactListId, contactId });
			return contacts.change(entry, contact, readContactInput(input), deskContext());
		},

		/** `{ contactListId, contactId }`. */
		removeContact: (input: Input) => {
			rejectUnknownNames(input, ['contactListId', 'contactId']);
			const { entry, contact } = findContact(input);
			contacts.remove(entry, contact, deskContext());
			return contact;
		},

		/** `{ eventId, registrationId, PaymentAmount?, RegistrationOptions }`: as the API's Replace Options. */
		order: ({ eventId, registrationId, ...input }: Input) => {
			const { event, registration } = findRegistration({ eventId, registrationId });
			return replaceOptions(store(), event, registration, readOptionsInput(input), deskContext());
		},

		/** `{ eventId, orderId, amount?, method?, memo? }`; default: the amount due. */
		pay: (input: Input) => {
			const { event, sale } = findOrder(input);
			return recordPayment(store(), event, sale, readPaymentInput(input), deskContext());
		},

		/** `{ eventId, orderId, amount?, method?, memo? }`; default: the total paid. */
		refund: (input: Input) => {
			const { event, sale } = findOrder(input);
			return recordRefund(store(), event, sale, readPaymentInput(input), deskContext());
		},

		/** `{ Name, StartDate, EndDate, TimeZoneOffset? }`. */
		addEvent: (input: Input) => {
			rejectUnknownNames(input, eventFields);
			for (const name of ['Name', 'StartDate', 'EndDate']) readRequiredText(input, name);
			const newEvent = readEventInput(input) as Parameters<typeof events.addEvent>[0];
			return showEvent(store(), events.addEvent(newEvent, deskContext()));
		},

		/** `{ eventId, …fields to change }`. */
		changeEvent: ({ eventId, ...input }: Input) => {
			rejectUnknownNames(input, eventFields);
			return showEvent(
				store(),
				events.changeEvent(findEvent({ eventId }), readEventInput(input), deskContext()),
			);
		},

		/** `{ eventId, Title, StartDateTime, EndDateTime }`. */
		addSession: ({ eventId, ...input }: Input) => {
			rejectUnknownNames(input, sessionFields);
			for (const name of sessionFields) readRequiredText(input, name);
			const newSession = readSessionInput(input) as Parameters<typeof events.addSession>[1];
			return events.addSession(findEvent({ eventId }), newSession, deskContext());
		},

		/** `{ eventId, sessionId, …fields to change }`. */
		changeSession: ({ eventId, sessionId, ...input }: Input) => {
			rejectUnknownNames(input, sessionFields);
			const { event, session } = findSession({ eventId, sessionId });
			return events.changeSession(event, session, readSessionInput(input), deskContext());
		},

		/** `{ eventId, sessionId }`. */
		removeSession: (input: Input) => {
			rejectUnknownNames(input, ['eventId', 'sessionId']);
			const { event, session } = findSession(input);
			events.removeSession(event, session, deskContext());
			return session;
		},
	};
}
