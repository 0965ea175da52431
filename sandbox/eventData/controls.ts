import { ControlError } from '../controlError';
import type { NewEvent } from '../demoData';
import type { Act } from '../deskBus';
import { formats } from '../formats';
import {
	expectOnly,
	formIn,
	withoutUndefined,
	requiredText,
	textIn,
	timeIn,
	integerIn,
	choiceIn,
} from '../input';
import type { Input } from '../input';
import type { World } from '../service';
import { attendeeStatuses, registrationStatuses } from './records';
import type { Attendee, AttendeeInput, Session, SessionInput } from './records';
import { showEvent } from './show';
import type { Store } from './store';
import { eventDataWrites } from './writes';

const personFields = ['firstName', 'lastName', 'email'];
const attendeeFields = ['eventId', ...personFields, 'company', 'status'];
const eventTimes = ['startDate', 'endDate'];
const eventFields = ['name', ...eventTimes, 'description', 'location', 'capacity'];
const sessionNeeds = ['title', 'startTime', 'endTime'];
const sessionFields = [
	'eventId',
	...sessionNeeds,
	'description',
	'speaker',
	'location',
	'capacity',
];

/** Returns an optional text that must not be blank. */
const textIfGiven = (input: Input, name: string) =>
	input[name] === undefined ? undefined : requiredText(input, name);

const attendeeFrom = (input: Input): Partial<AttendeeInput> => {
	expectOnly(input, attendeeFields);
	return withoutUndefined({
		eventId: textIfGiven(input, 'eventId'),
		firstName: textIfGiven(input, 'firstName'),
		lastName: textIfGiven(input, 'lastName'),
		email: formIn(input, 'email', formats.email, 'an email address'),
		company: textIn(input, 'company'),
		status: choiceIn(input, 'status', attendeeStatuses),
	});
};

const sessionFrom = (input: Input): Partial<SessionInput> => {
	expectOnly(input, sessionFields);
	for (const name of ['startTime', 'endTime']) timeIn(input, name);
	return withoutUndefined({
		eventId: textIfGiven(input, 'eventId'),
		title: textIfGiven(input, 'title'),
		startTime: textIn(input, 'startTime'),
		endTime: textIn(input, 'endTime'),
		description: textIn(input, 'description'),
		speaker: textIn(input, 'speaker'),
		location: textIn(input, 'location'),
		capacity: integerIn(input, 'capacity'),
	});
};

const eventFrom = (input: Input): Partial<NewEvent> => {
	expectOnly(input, eventFields);
	return withoutUndefined({
		name: textIfGiven(input, 'name'),
		startsAt: timeIn(input, 'startDate'),
		endsAt: timeIn(input, 'endDate'),
		description: textIn(input, 'description'),
		city: textIn(input, 'location'),
		capacity: integerIn(input, 'capacity'),
	});
};

/** Applies changes; omitted fields keep their values. */
function attendeeWith(attendee: Attendee, changes: Partial<AttendeeInput>): AttendeeInput {
	const { eventId, firstName, lastName, email, company, status } = attendee;
	return { eventId, firstName, lastName, email, company, status, ...changes };
}

function sessionWith(session: Session, changes: Partial<SessionInput>): SessionInput {
	const { eventId, title, startTime, endTime, description, speaker, location, capacity } = session;
	const kept = { eventId, title, startTime, endTime, description, speaker, location };
	return { ...kept, ...withoutUndefined({ capacity }), ...changes };
}

function requireTexts(input: Input, names: readonly string[]): void {
	for (const name of names) requiredText(input, name);
}

/**
 * Control actions of the event data service, which the desk uses too. Fields have the API's names, and each action returns
 * the changed record as the API shows it.
 */
export function eventDataControls(store: () => Store, world: World) {
	const writes = eventDataWrites(store);
	const act = (): Act => ({ now: world.now(), by: 'desk' });
	const attendeeOf = (input: Input) => store().attendees.get(requiredText(input, 'attendeeId'));
	const addAttendee = (input: Input) => {
		requireTexts(input, ['eventId', ...personFields]);
		return writes.addAttendee(attendeeFrom(input) as AttendeeInput, act());
	};
	const setCheckIn = (input: Input, isIn: boolean) => {
		expectOnly(input, ['attendeeId']);
		const attendee = attendeeOf(input);
		const { firstName, lastName, status, checkInTime } = attendee;
		const who = `${firstName} ${lastName}`;
		if (isIn && status === 'cancelled') throw new ControlError(409, `${who} is canceled.`);
		if ((checkInTime !== null) === isIn) {
			throw new ControlError(
				409,
				`${who} is ${isIn ? '' : 'not '}checked in${isIn ? ' already' : ''}.`,
			);
		}
		return writes.setCheckIn(attendee, isIn, act());
	};

	return {
		/** `{ name, startDate, endDate, description?, location?, capacity? }`. */
		addEvent: (input: Input) => {
			requireTexts(input, ['name', ...eventTimes]);
			const event = writes.addEvent(eventFrom(input) as NewEvent, act());
			return showEvent(store(), event, world.now());
		},
		/** `{ eventId, …fields to change }`. */
		changeEvent: ({ eventId, ...input }: Input) => {
			const event = store().getEvent(requiredText({ eventId }, 'eventId'));
			return showEvent(store(), writes.changeEvent(event, eventFrom(input), act()), world.now());
		},

		/** `{ eventId, firstName, lastName, email, company?, status? }`: an attendee and a registration. */
		register: (input: Input) => {
			const attendee = addAttendee(input);
			const { eventId, id: attendeeId } = attendee;
			return { attendee, registration: writes.addRegistration({ eventId, attendeeId }, act()) };
		},
		/** `{ eventId, firstName, lastName, email, company?, status? }`: an attendee without a registration. */
		addAttendee,
		/** `{ attendeeId, …fields to change }`, including the status. */
		changeAttendee: ({ attendeeId, ...input }: Input) => {
			const attendee = attendeeOf({ attendeeId });
			return writes.replaceAttendee(attendee, attendeeWith(attendee, attendeeFrom(input)), act());
		},
		/** `{ attendeeId }`. */
		checkIn: (input: Input) => setCheckIn(input, true),
		/** `{ attendeeId }`: reverts a check-in. */
		undoCheckIn: (input: Input) => setCheckIn(input, false),

		/** `{ eventId, title, startTime, endTime, description?, speaker?, location?, capacity? }`. */
		addSession: (input: Input) => {
			requireTexts(input, ['eventId', ...sessionNeeds]);
			return writes.addSession(sessionFrom(input) as SessionInput, act());
		},
		/** `{ sessionId, …fields to change }`. */
		changeSession: ({ sessionId, ...input }: Input) => {
			const session = store().sessions.get(requiredText({ sessionId }, 'sessionId'));
			return writes.replaceSession(session, sessionWith(session, sessionFrom(input)), act());
		},

		/** `{ eventId, attendeeId }`. */
		addRegistration: (input: Input) => {
			expectOnly(input, ['eventId', 'attendeeId']);
			const eventId = requiredText(input, 'eventId');
			const attendeeId = requiredText(input, 'attendeeId');
			return writes.addRegistration({ eventId, attendeeId }, act());
		},
		/** `{ registrationId, status }`: pending, confirmed or cancelled. */
		setRegistrationStatus: (input: Input) => {
			expectOnly(input, ['registrationId', 'status']);
			requireTexts(input, ['registrationId', 'status']);
			const status = choiceIn(input, 'status', registrationStatuses)!;
			const registration = store().registrations.get(String(input.registrationId));
			const { eventId, attendeeId } = registration;
			return writes.replaceRegistration(registration, { eventId, attendeeId, status }, act());
		},
	};
}
