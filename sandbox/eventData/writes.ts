import type { DemoEvent, NewEvent } from '../demoData';
import { formatStatus } from '../deskBus';
import type { WriteContext } from '../deskBus';
import { toIsoTime } from './records';
import type {
	Attendee,
	AttendeeInput,
	Registration,
	RegistrationInput,
	RegistrationStatus,
	Session,
	SessionInput,
} from './records';
import { unprocessable } from './responses';
import type { FieldProblem } from './responses';
import type { Store } from './store';

const formatName = ({ firstName, lastName }: AttendeeInput) => `${firstName} ${lastName}`;

/** Write operations on the service's records, shared by the API and the desk. */
export function eventDataWrites(store: () => Store) {
	const rejectIfInvalid = (recordKind: string, problems: FieldProblem[]) => {
		if (problems.length > 0) throw unprocessable(`The ${recordKind} cannot be saved`, problems);
	};
	const findEventProblems = (eventId: string): FieldProblem[] =>
		store().findEvent(eventId)
			? []
			: [{ field: 'eventId', message: `there is no event ${eventId}` }];
	const findRegistrationProblems = ({ eventId, attendeeId }: RegistrationInput): FieldProblem[] => {
		const attendee = store().attendees.find(attendeeId);
		const message = attendee
			? `attendee ${attendeeId} belongs to event ${attendee.eventId}`
			: `there is no attendee ${attendeeId}`;
		const belongsToEvent = attendee?.eventId === eventId;
		return [
			...findEventProblems(eventId),
			...(belongsToEvent ? [] : [{ field: 'attendeeId', message }]),
		];
	};
	const findSessionProblems = ({ eventId, startTime, endTime }: SessionInput): FieldProblem[] => [
		...findEventProblems(eventId),
		...(Date.parse(endTime) > Date.parse(startTime)
			? []
			: [{ field: 'endTime', message: 'must be later than startTime' }]),
	];
	const findTimeProblems = ({
		startsAt,
		endsAt,
	}: Pick<NewEvent, 'startsAt' | 'endsAt'>): FieldProblem[] =>
		endsAt > startsAt ? [] : [{ field: 'endDate', message: 'must be later than startDate' }];
	/** A PUT clears the optional fields that it omits, as in a new record. */
	const toSession = (input: SessionInput) => ({
		description: '',
		speaker: '',
		location: '',
		...input,
		startTime: toIsoTime(Date.parse(input.startTime)),
		endTime: toIsoTime(Date.parse(input.endTime)),
	});

	return {
		addEvent(newEvent: NewEvent, context: WriteContext): DemoEvent {
			rejectIfInvalid('event', findTimeProblems(newEvent));
			const event = store().demoData.addEvent(newEvent, context.now);
			store().publish(context, `evt_${event.id}`, `The event ${event.name} was made`);
			return event;
		},
		changeEvent(event: DemoEvent, changes: Partial<NewEvent>, context: WriteContext): DemoEvent {
			rejectIfInvalid('event', findTimeProblems({ ...event, ...changes }));
			Object.assign(event, changes, { updatedAt: context.now });
			store().publish(context, `evt_${event.id}`, `The event ${event.name} was changed`);
			return event;
		},

		addAttendee(input: AttendeeInput, context: WriteContext): Attendee {
			rejectIfInvalid('attendee', findEventProblems(input.eventId));
			const attendee = store().attendees.add({
				company: '',
				status: 'registered',
				...input,
				checkInTime: null,
				createdAt: toIsoTime(context.now),
			});
			store().publish(context, attendee.eventId, `${formatName(attendee)} was added`);
			return attendee;
		},
		/** Clears the fields that the input omits, as in a new record; keeps check-in and creation times. */
		replaceAttendee(attendee: Attendee, input: AttendeeInput, context: WriteContext): Attendee {
			rejectIfInvalid('attendee', findEventProblems(input.eventId));
			const { id, checkInTime, createdAt } = attendee;
			const replacement: Attendee = {
				id,
				company: '',
				status: 'registered',
				...input,
				checkInTime,
				createdAt,
			};
			const replaced = store().attendees.replace(replacement);
			store().publish(context, replaced.eventId, `${formatName(replaced)} was changed`);
			return replaced;
		},
		/** Checks an attendee in, or reverts that: the service has no check-out time. */
		setCheckIn(attendee: Attendee, isCheckedIn: boolean, context: WriteContext): Attendee {
			attendee.checkInTime = isCheckedIn ? toIsoTime(context.now) : null;
			const change = isCheckedIn ? 'checked in' : 'is not checked in after all';
			store().publish(context, attendee.eventId, `${formatName(attendee)} ${change}`);
			return attendee;
		},

		addSession(input: SessionInput, context: WriteContext): Session {
			rejectIfInvalid('session', findSessionProblems(input));
			const session = store().sessions.add({
				...toSession(input),
				createdAt: toIsoTime(context.now),
			});
			store().publish(context, session.eventId, `The session ${session.title} was added`);
			return session;
		},
		replaceSession(
			{ id, createdAt }: Session,
			input: SessionInput,
			context: WriteContext,
		): Session {
			rejectIfInvalid('session', findSessionProblems(input));
			const session = store().sessions.replace({ id, ...toSession(input), createdAt });
			store().publish(context, session.eventId, `The session ${session.title} was changed`);
			return session;
		},

		addRegistration(input: RegistrationInput, context: WriteContext): Registration {
			rejectIfInvalid('registration', findRegistrationProblems(input));
			const createdAt = toIsoTime(context.now);
			const registration = store().registrations.add({
				...input,
				status: 'pending',
				registrationDate: createdAt,
				createdAt,
			});
			const name = formatName(store().attendees.get(registration.attendeeId));
			store().publish(context, registration.eventId, `${name} was registered`);
			return registration;
		},
		replaceRegistration(
			{ id, registrationDate, createdAt }: Registration,
			input: RegistrationInput & { status?: RegistrationStatus },
			context: WriteContext,
		): Registration {
			rejectIfInvalid('registration', findRegistrationProblems(input));
			const status = input.status ?? 'pending';
			const replacement = { ...input, id, status, registrationDate, createdAt };
			const registration = store().registrations.replace(replacement);
			const name = formatName(store().attendees.get(registration.attendeeId));
			store().publish(
				context,
				registration.eventId,
				`The registration of ${name} is ${formatStatus(status)} now`,
			);
			return registration;
		},
	};
}
