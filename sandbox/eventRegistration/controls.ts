import type { Act } from '../deskBus';
import {
	amountIn,
	expectOnly,
	formIn,
	withoutUndefined,
	idIn,
	requiredText,
	textIn,
	timeIn,
	integerIn,
	choiceIn,
} from '../input';
import type { Input } from '../input';
import type { Settings, World } from '../service';
import { contactWrites } from './contactWrites';
import { contactFrom, optionsFrom, registrationFrom } from './deskInput';
import { eventWrites } from './eventWrites';
import { replaceOptions } from './options';
import { pay, refund } from './payments';
import { registrationStatuses, registrationWrites } from './registrationWrites';
import { showCheckIn, showEvent } from './show';
import type { Store } from './store';

const OFFSET = /^[+-](0\d|1[0-4]):[0-5]\d$/;

/**
 * Control actions of the event registration service, which the desk uses too. Fields have the API's names, and each action
 * returns the changed record as the API shows it.
 */
export function eventRegistrationControls(store: () => Store, settings: Settings, world: World) {
	const registrations = registrationWrites(store, world);
	const contacts = contactWrites(store, settings);
	const events = eventWrites(store);
	const act = (): Act => ({ now: world.now(), by: 'desk' });

	const eventOf = (input: Input) => store().event(idIn(input, 'eventId'));
	const registrationOf = (input: Input) => {
		const event = eventOf(input);
		return { event, registration: store().registration(event, idIn(input, 'registrationId')) };
	};
	const sessionOf = (input: Input) => {
		const event = eventOf(input);
		return { event, session: store().session(event, idIn(input, 'sessionId')) };
	};
	const contactOf = (input: Input) => {
		const entry = store().list(idIn(input, 'contactListId'));
		return { entry, contact: store().contact(entry, idIn(input, 'contactId')) };
	};
	const saleOf = (input: Input) => {
		const event = eventOf(input);
		return { event, sale: store().sale(event, idIn(input, 'orderId')) };
	};
	const door = (input: Input) => {
		expectOnly(input, ['eventId', 'registrationId', 'sessionId']);
		const { event, registration } = registrationOf(input);
		const id = integerIn(input, 'sessionId');
		const session = id === undefined ? undefined : store().session(event, id);
		return { event, registration, session, show: showCheckIn(event, session?.Title) };
	};
	const payment = (input: Input) => {
		expectOnly(input, ['eventId', 'orderId', 'amount', 'method', 'memo']);
		const [method, memo] = [textIn(input, 'method'), textIn(input, 'memo')];
		return withoutUndefined({ amount: amountIn(input, 'amount'), method, memo });
	};
	const eventInput = (input: Input) =>
		withoutUndefined({
			name: input.Name === undefined ? undefined : requiredText(input, 'Name'),
			startsAt: timeIn(input, 'StartDate'),
			endsAt: timeIn(input, 'EndDate'),
			offset: formIn(input, 'TimeZoneOffset', OFFSET, 'an offset such as +02:00'),
		});
	const sessionInput = (input: Input) =>
		withoutUndefined({
			title: input.Title === undefined ? undefined : requiredText(input, 'Title'),
			startsAt: timeIn(input, 'StartDateTime'),
			endsAt: timeIn(input, 'EndDateTime'),
		});
	const eventFields = ['Name', 'StartDate', 'EndDate', 'TimeZoneOffset'];
	const sessionFields = ['Title', 'StartDateTime', 'EndDateTime'];

	return {
		/** `{ eventId, …fields of the form }`: the same checks as the API's Create. */
		register: ({ eventId, ...input }: Input) =>
			registrations.register(eventOf({ eventId }), registrationFrom(input), act()),

		/** `{ eventId, registrationId, …fields to change }`. */
		changeRegistration: ({ eventId, registrationId, ...input }: Input) => {
			const { event, registration } = registrationOf({ eventId, registrationId });
			return registrations.change(event, registration, registrationFrom(input), act());
		},

		/** `{ eventId, registrationId, status }`: Confirmed, Pending, Waitlisted or Cancelled. */
		setRegistrationStatus: (input: Input) => {
			expectOnly(input, ['eventId', 'registrationId', 'status']);
			requiredText(input, 'status');
			const { event, registration } = registrationOf(input);
			const status = choiceIn(input, 'status', registrationStatuses)!;
			return registrations.setStatus(event, registration, status, act());
		},

		/** `{ eventId, registrationId, sessionId? }`: checks in to the event or to one of its sessions. */
		checkIn: (input: Input) => {
			const { event, registration, session, show } = door(input);
			return show(events.checkIn(event, registration, act(), session));
		},

		/** `{ eventId, registrationId, sessionId? }`: checks out. */
		checkOut: (input: Input) => {
			const { event, registration, session, show } = door(input);
			return show(events.checkOut(event, registration, act(), session));
		},

		/** `{ contactListId, …fields of the form }`. */
		addContact: ({ contactListId, ...input }: Input) =>
			contacts.addOne(
				store().list(idIn({ contactListId }, 'contactListId')),
				contactFrom(input),
				act(),
			),

		/** `{ contactListId, contactId, …fields to change }`. */
		changeContact: ({ contactListId, contactId, ...input }: Input) => {
			const { entry, contact } = contactOf({ contactListId, contactId });
			return contacts.change(entry, contact, contactFrom(input), act());
		},

		/** `{ contactListId, contactId }`. */
		removeContact: (input: Input) => {
			expectOnly(input, ['contactListId', 'contactId']);
			const { entry, contact } = contactOf(input);
			contacts.remove(entry, contact, act());
			return contact;
		},

		/** `{ eventId, registrationId, PaymentAmount?, RegistrationOptions }`: as the API's Replace Options. */
		order: ({ eventId, registrationId, ...input }: Input) => {
			const { event, registration } = registrationOf({ eventId, registrationId });
			return replaceOptions(store(), event, registration, optionsFrom(input), act());
		},

		/** `{ eventId, orderId, amount?, method?, memo? }`; default: the amount due. */
		pay: (input: Input) => {
			const { event, sale } = saleOf(input);
			return pay(store(), event, sale, payment(input), act());
		},

		/** `{ eventId, orderId, amount?, method?, memo? }`; default: the total paid. */
		refund: (input: Input) => {
			const { event, sale } = saleOf(input);
			return refund(store(), event, sale, payment(input), act());
		},

		/** `{ Name, StartDate, EndDate, TimeZoneOffset? }`. */
		addEvent: (input: Input) => {
			expectOnly(input, eventFields);
			for (const name of ['Name', 'StartDate', 'EndDate']) requiredText(input, name);
			const wanted = eventInput(input) as Parameters<typeof events.addEvent>[0];
			return showEvent(store(), events.addEvent(wanted, act()));
		},

		/** `{ eventId, …fields to change }`. */
		changeEvent: ({ eventId, ...input }: Input) => {
			expectOnly(input, eventFields);
			return showEvent(store(), events.changeEvent(eventOf({ eventId }), eventInput(input), act()));
		},

		/** `{ eventId, Title, StartDateTime, EndDateTime }`. */
		addSession: ({ eventId, ...input }: Input) => {
			expectOnly(input, sessionFields);
			for (const name of sessionFields) requiredText(input, name);
			const wanted = sessionInput(input) as Parameters<typeof events.addSession>[1];
			return events.addSession(eventOf({ eventId }), wanted, act());
		},

		/** `{ eventId, sessionId, …fields to change }`. */
		changeSession: ({ eventId, sessionId, ...input }: Input) => {
			expectOnly(input, sessionFields);
			const { event, session } = sessionOf({ eventId, sessionId });
			return events.changeSession(event, session, sessionInput(input), act());
		},

		/** `{ eventId, sessionId }`. */
		removeSession: (input: Input) => {
			expectOnly(input, ['eventId', 'sessionId']);
			const { event, session } = sessionOf(input);
			events.removeSession(event, session, act());
			return session;
		},
	};
}
