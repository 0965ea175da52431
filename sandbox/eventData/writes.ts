import type { DemoEvent, NewEvent } from '../demoData';
import { statusWord } from '../deskBus';
import type { Act } from '../deskBus';
import { iso } from './records';
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
import type { Detail } from './responses';
import type { Store } from './store';

const nameOf = ({ firstName, lastName }: AttendeeInput) => `${firstName} ${lastName}`;

/** Write operations on the service's records, shared by the API and the desk. */
export function eventDataWrites(store: () => Store) {
	const rejectIfInvalid = (what: string, problems: Detail[]) => {
		if (problems.length > 0) throw unprocessable(`The ${what} cannot be saved`, problems);
	};
	const eventProblem = (eventId: string): Detail[] =>
		store().event(eventId) ? [] : [{ field: 'eventId', message: `there is no event ${eventId}` }];
	const registrationProblems = ({ eventId, attendeeId }: RegistrationInput): Detail[] => {
		const attendee = store().attendees.find(attendeeId);
		const message = attendee
			? `attendee ${attendeeId} belongs to event ${attendee.eventId}`
			: `there is no attendee ${attendeeId}`;
		const fits = attendee?.eventId === eventId;
		return [...eventProblem(eventId), ...(fits ? [] : [{ field: 'attendeeId', message }])];
	};
	const sessionProblems = ({ eventId, startTime, endTime }: SessionInput): Detail[] => [
		...eventProblem(eventId),
		...(Date.parse(endTime) > Date.parse(startTime)
			? []
			: [{ field: 'endTime', message: 'must be later than startTime' }]),
	];
	const timeProblems = ({ startsAt, endsAt }: Pick<NewEvent, 'startsAt' | 'endsAt'>): Detail[] =>
		endsAt > startsAt ? [] : [{ field: 'endDate', message: 'must be later than startDate' }];
	/** A PUT clears the optional fields that it omits, as in a new record. */
	const toSession = (input: SessionInput) => ({
		description: '',
		speaker: '',
		location: '',
		...input,
		startTime: iso(Date.parse(input.startTime)),
		endTime: iso(Date.parse(input.endTime)),
	});

	return {
		addEvent(wanted: NewEvent, act: Act): DemoEvent {
			rejectIfInvalid('event', timeProblems(wanted));
			const event = store().demoData.addEvent(wanted, act.now);
			store().publish(act, `evt_${event.id}`, `The event ${event.name} was made`);
			return event;
		},
		changeEvent(event: DemoEvent, wanted: Partial<NewEvent>, act: Act): DemoEvent {
			rejectIfInvalid('event', timeProblems({ ...event, ...wanted }));
			Object.assign(event, wanted, { updatedAt: act.now });
			store().publish(act, `evt_${event.id}`, `The event ${event.name} was changed`);
			return event;
		},

		addAttendee(input: AttendeeInput, act: Act): Attendee {
			rejectIfInvalid('attendee', eventProblem(input.eventId));
			const attendee = store().attendees.add({
				company: '',
				status: 'registered',
				...input,
				checkInTime: null,
				createdAt: iso(act.now),
			});
			store().publish(act, attendee.eventId, `${nameOf(attendee)} was added`);
			return attendee;
		},
		/** Clears the fields that the input omits, as in a new record; keeps check-in and creation times. */
		replaceAttendee(attendee: Attendee, input: AttendeeInput, act: Act): Attendee {
			rejectIfInvalid('attendee', eventProblem(input.eventId));
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
			store().publish(act, replaced.eventId, `${nameOf(replaced)} was changed`);
			return replaced;
		},
		/** Checks an attendee in, or reverts that: the service has no check-out time. */
		setCheckIn(attendee: Attendee, isIn: boolean, act: Act): Attendee {
			attendee.checkInTime = isIn ? iso(act.now) : null;
			const what = isIn ? 'checked in' : 'is not checked in after all';
			store().publish(act, attendee.eventId, `${nameOf(attendee)} ${what}`);
			return attendee;
		},

		addSession(input: SessionInput, act: Act): Session {
			rejectIfInvalid('session', sessionProblems(input));
			const session = store().sessions.add({ ...toSession(input), createdAt: iso(act.now) });
			store().publish(act, session.eventId, `The session ${session.title} was added`);
			return session;
		},
		replaceSession({ id, createdAt }: Session, input: SessionInput, act: Act): Session {
			rejectIfInvalid('session', sessionProblems(input));
			const session = store().sessions.replace({ id, ...toSession(input), createdAt });
			store().publish(act, session.eventId, `The session ${session.title} was changed`);
			return session;
		},

		addRegistration(input: RegistrationInput, act: Act): Registration {
			rejectIfInvalid('registration', registrationProblems(input));
			const at = iso(act.now);
			const registration = store().registrations.add({
				...input,
				status: 'pending',
				registrationDate: at,
				createdAt: at,
			});
			const who = nameOf(store().attendees.get(registration.attendeeId));
			store().publish(act, registration.eventId, `${who} was registered`);
			return registration;
		},
		replaceRegistration(
			{ id, registrationDate, createdAt }: Registration,
			input: RegistrationInput & { status?: RegistrationStatus },
			act: Act,
		): Registration {
			rejectIfInvalid('registration', registrationProblems(input));
			const status = input.status ?? 'pending';
			const replacement = { ...input, id, status, registrationDate, createdAt };
			const registration = store().registrations.replace(replacement);
			const who = nameOf(store().attendees.get(registration.attendeeId));
			store().publish(
				act,
				registration.eventId,
				`The registration of ${who} is ${statusWord(status)} now`,
			);
			return registration;
		},
	};
}
