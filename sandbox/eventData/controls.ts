import { ControlError } from '../controlError';
import type { NewEvent } from '../demoData';
import type { WriteContext } from '../deskBus';
import {
	rejectUnknownNames,
	readMatchingText,
	withoutUndefined,
	readRequiredText,
	readText,
	readTime,
	readInteger,
	readChoice,
} from '../readInput';
import type { Input } from '../readInput';
import type { World } from '../service';
import { formats } from '../stringFormats';
import { attendeeStatuses, registrationStatuses } from './records';
import type { Attendee, AttendeeInput, Session, SessionInput } from './records';
import { showEvent } from './showEvent';
import type { Store } from './store';
import { eventDataWrites } from './writes';

const personFields = ['firstName', 'lastName', 'email'];
const attendeeFields = ['eventId', ...personFields, 'company', 'status'];
const eventTimeFields = ['startDate', 'endDate'];
const eventFields = ['name', ...eventTimeFields, 'description', 'location', 'capacity'];
const requiredSessionFields = ['title', 'startTime', 'endTime'];
const sessionFields = [
	'eventId',
	...requiredSessionFields,
	'description',
	'speaker',
	'location',
	'capacity',
];

/** Returns an optional text that must not be blank. */
const readNonBlankText = (input: Input, name: string) =>
	input[name] === undefined ? undefined : readRequiredText(input, name);

const readAttendeeInput = (input: Input): Partial<AttendeeInput> => {
	rejectUnknownNames(input, attendeeFields);
	return withoutUndefined({
		eventId: readNonBlankText(input, 'eventId'),
		firstName: readNonBlankText(input, 'firstName'),
		lastName: readNonBlankText(input, 'lastName'),
		email: readMatchingText(input, 'email', formats.email, 'an email address'),
		company: readText(input, 'company'),
		status: readChoice(input, 'status', attendeeStatuses),
	});
};

const readSessionInput = (input: Input): Partial<SessionInput> => {
	rejectUnknownNames(input, sessionFields);
	for (const name of ['startTime', 'endTime']) readTime(input, name);
	return withoutUndefined({
		eventId: readNonBlankText(input, 'eventId'),
		title: readNonBlankText(input, 'title'),
		startTime: readText(input, 'startTime'),
		endTime: readText(input, 'endTime'),
		description: readText(input, 'description'),
		speaker: readText(input, 'speaker'),
		location: readText(input, 'location'),
		capacity: readInteger(input, 'capacity'),
	});
};

const readEventInput = (input: Input): Partial<NewEvent> => {
	rejectUnknownNames(input, eventFields);
	return withoutUndefined({
		name: readNonBlankText(input, 'name'),
		startsAt: readTime(input, 'startDate'),
		endsAt: readTime(input, 'endDate'),
		description: readText(input, 'description'),
		city: readText(input, 'location'),
		capacity: readInteger(input, 'capacity'),
	});
};

/** Applies changes; omitted fields keep their values. */
function withAttendeeChanges(attendee: Attendee, changes: Partial<AttendeeInput>): AttendeeInput {
	const { eventId, firstName, lastName, email, company, status } = attendee;
	return { eventId, firstName, lastName, email, company, status, ...changes };
}

function withSessionChanges(session: Session, changes: Partial<SessionInput>): SessionInput {
	const { eventId, title, startTime, endTime, description, speaker, location, capacity } = session;
	const unchanged = { eventId, title, startTime, endTime, description, speaker, location };
	return { ...unchanged, ...withoutUndefined({ capacity }), ...changes };
}

function requireTexts(input: Input, names: readonly string[]): void {
	for (const name of names) readRequiredText(input, name);
}

/**
 * Control actions of the event data service, which the desk uses too. Fields have the API's names, and each action returns
 * the changed record as the API shows it.
 */
export function eventDataControls(store: () => Store, world: World) {
	const writes = eventDataWrites(store);
	const deskContext = (): WriteContext => ({ now: world.now(), by: 'desk' });
	const findAttendee = (input: Input) =>
		store().attendees.get(readRequiredText(input, 'attendeeId'));
	const addAttendee = (input: Input) => {
		requireTexts(input, ['eventId', ...personFields]);
		return writes.addAttendee(readAttendeeInput(input) as AttendeeInput, deskContext());
	};
	const setCheckIn = (input: Input, isCheckedIn: boolean) => {
		rejectUnknownNames(input, ['attendeeId']);
		const attendee = findAttendee(input);
		const { firstName, lastName, status, checkInTime } = attendee;
		const name = `${firstName} ${lastName}`;
		if (isCheckedIn && status === 'cancelled') throw new ControlError(409, `${name} is canceled.`);
		if ((checkInTime !== null) === isCheckedIn) {
			throw new ControlError(
				409,
				`${name} is ${isCheckedIn ? '' : 'not '}checked in${isCheckedIn ? ' already' : ''}.`,
			);
		}
		return writes.setCheckIn(attendee, isCheckedIn, deskContext());
	};

	return {
		/** `{ name, startDate, endDate, description?, location?, capacity? }`. */
		addEvent: (input: Input) => {
			requireTexts(input, ['name', ...eventTimeFields]);
			const event = writes.addEvent(readEventInput(input) as NewEvent, deskContext());
			return showEvent(store(), event, world.now());
		},
		/** `{ eventId, …fields to change }`. */
		changeEvent: ({ eventId, ...input }: Input) => {
			const event = store().getEvent(readRequiredText({ eventId }, 'eventId'));
			return showEvent(
				store(),
				writes.changeEvent(event, readEventInput(input), deskContext()),
				world.now(),
			);
		},

		/** `{ eventId, firstName, lastName, email, company?, status? }`: an attendee and a registration. */
		register: (input: Input) => {
			const attendee = addAttendee(input);
			const { eventId, id: attendeeId } = attendee;
			return {
				attendee,
				registration: writes.addRegistration({ eventId, attendeeId }, deskContext()),
			};
		},
		/** `{ eventId, firstName, lastName, email, company?, status? }`: an attendee without a registration. */
		addAttendee,
		/** `{ attendeeId, …fields to change }`, including the status. */
		changeAttendee: ({ attendeeId, ...input }: Input) => {
			const attendee = findAttendee({ attendeeId });
			return writes.replaceAttendee(
				attendee,
				withAttendeeChanges(attendee, readAttendeeInput(input)),
				deskContext(),
			);
		},
		/** `{ attendeeId }`. */
		checkIn: (input: Input) => setCheckIn(input, true),
		/** `{ attendeeId }`: reverts a check-in. */
		undoCheckIn: (input: Input) => setCheckIn(input, false),

		/** `{ eventId, title, startTime, endTime, description?, speaker?, location?, capacity? }`. */
		addSession: (input: Input) => {
			requireTexts(input, ['eventId', ...requiredSessionFields]);
			return writes.addSession(readSessionInput(input) as SessionInput, deskContext());
		},
		/** `{ sessionId, …fields to change }`. */
		changeSession: ({ sessionId, ...input }: Input) => {
			const session = store().sessions.get(readRequiredText({ sessionId }, 'sessionId'));
			return writes.replaceSession(
				session,
				withSessionChanges(session, readSessionInput(input)),
				deskContext(),
			);
		},

		/** `{ eventId, attendeeId }`. */
		addRegistration: (input: Input) => {
			rejectUnknownNames(input, ['eventId', 'attendeeId']);
			const eventId = readRequiredText(input, 'eventId');
			const attendeeId = readRequiredText(input, 'attendeeId');
			return writes.addRegistration({ eventId, attendeeId }, deskContext());
		},
		/** `{ registrationId, status }`: pending, confirmed or cancelled. */
		setRegistrationStatus: (input: Input) => {
			rejectUnknownNames(input, ['registrationId', 'status']);
			requireTexts(input, ['registrationId', 'status']);
			const status = readChoice(input, 'status', registrationStatuses)!;
			const registration = store().registrations.get(String(input.registrationId));
			const { eventId, attendeeId } = registration;
			return writes.replaceRegistration(
				registration,
				{ eventId, attendeeId, status },
				deskContext(),
			);
		},
	};
}
