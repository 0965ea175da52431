import type { DemoEvent } from '../demoData';
import type { Answer, Call, Handler, Settings } from '../service';
import { notFound, pagedList, unprocessable, wholeList } from './answers';
import type { Detail } from './answers';
import { iso } from './store';
import type {
	Attendee,
	AttendeeInput,
	RegistrationInput,
	RegistrationStatus,
	Session,
	SessionInput,
	Store,
} from './store';

type Filter = { eventId?: string; status?: string };

/** One handler for each operation of the contract. */
export function eventDataHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const showEvent = (event: DemoEvent, now: number) => ({
		id: `evt_${event.id}`,
		name: event.name,
		description: event.description,
		startDate: iso(event.startsAt),
		endDate: iso(event.endsAt),
		location: event.city,
		capacity: event.capacity,
		status: now < event.startsAt ? 'upcoming' : now <= event.endsAt ? 'ongoing' : 'past',
		attendeeCount: store().attendees.count(`evt_${event.id}`),
		createdAt: iso(event.createdAt),
	});
	const filtered = <T extends { status?: string }>(list: readonly T[], status?: string) =>
		status === undefined ? list : list.filter((record) => record.status === status);
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
	/** Optional fields that a PUT leaves out are cleared, as in a new record. */
	const toSession = (input: SessionInput) => ({
		description: '',
		speaker: '',
		location: '',
		...input,
		startTime: iso(Date.parse(input.startTime)),
		endTime: iso(Date.parse(input.endTime)),
	});

	return {
		getManyEvents({ query, now }: Call<object, { status?: string; page?: number }>): Answer {
			const events = store().events.map((event) => showEvent(event, now));
			return pagedList(settings, query.page ?? 1, filtered(events, query.status));
		},
		getEvent({ params, now }: Call<{ eventId: string }>): Answer {
			const event = store().event(params.eventId);
			if (!event) return notFound('Event', params.eventId);
			return { status: 200, body: showEvent(event, now) };
		},

		getManyAttendees({ query }: Call<object, Filter>): Answer {
			return wholeList(settings, filtered(store().attendees.list(query.eventId), query.status));
		},
		getAttendee({ params }: Call<{ attendeeId: string }>): Answer {
			const attendee = store().attendees.find(params.attendeeId);
			return attendee ? { status: 200, body: attendee } : notFound('Attendee', params.attendeeId);
		},
		updateAttendee({ params, body }: Call<{ attendeeId: string }, object, AttendeeInput>): Answer {
			const attendee = store().attendees.find(params.attendeeId);
			if (!attendee) return notFound('Attendee', params.attendeeId);
			const problems = eventProblem(body.eventId);
			if (problems.length > 0) return unprocessable('The attendee cannot be saved', problems);
			const { id, checkInTime, createdAt } = attendee;
			const replacement: Attendee = {
				id,
				company: '',
				status: 'registered',
				...body,
				checkInTime,
				createdAt,
			};
			return { status: 200, body: store().attendees.replace(replacement) };
		},

		getManySessions({ query }: Call<object, Filter>): Answer {
			return wholeList(settings, store().sessions.list(query.eventId));
		},
		createSession({ body, now }: Call<object, object, SessionInput>): Answer {
			const problems = sessionProblems(body);
			if (problems.length > 0) return unprocessable('The session cannot be saved', problems);
			const session = store().sessions.add({ ...toSession(body), createdAt: iso(now) });
			return { status: 201, body: session };
		},
		getSession({ params }: Call<{ sessionId: string }>): Answer {
			const session = store().sessions.find(params.sessionId);
			return session ? { status: 200, body: session } : notFound('Session', params.sessionId);
		},
		updateSession({ params, body }: Call<{ sessionId: string }, object, SessionInput>): Answer {
			const session = store().sessions.find(params.sessionId);
			if (!session) return notFound('Session', params.sessionId);
			const problems = sessionProblems(body);
			if (problems.length > 0) return unprocessable('The session cannot be saved', problems);
			const { id, createdAt } = session;
			const replacement: Session = { id, ...toSession(body), createdAt };
			return { status: 200, body: store().sessions.replace(replacement) };
		},

		getManyRegistrations({ query }: Call<object, Filter>): Answer {
			const list = store().registrations.list(query.eventId);
			return wholeList(settings, filtered(list, query.status));
		},
		createRegistration({ body, now }: Call<object, object, RegistrationInput>): Answer {
			const problems = registrationProblems(body);
			if (problems.length > 0) return unprocessable('The registration cannot be saved', problems);
			const at = iso(now);
			const registration = { ...body, status: 'pending' as const, registrationDate: at };
			return { status: 201, body: store().registrations.add({ ...registration, createdAt: at }) };
		},
		getRegistration({ params }: Call<{ registrationId: string }>): Answer {
			const registration = store().registrations.find(params.registrationId);
			return registration
				? { status: 200, body: registration }
				: notFound('Registration', params.registrationId);
		},
		updateRegistration({
			params,
			body,
		}: Call<
			{ registrationId: string },
			object,
			RegistrationInput & { status?: RegistrationStatus }
		>): Answer {
			const registration = store().registrations.find(params.registrationId);
			if (!registration) return notFound('Registration', params.registrationId);
			const problems = registrationProblems(body);
			if (problems.length > 0) return unprocessable('The registration cannot be saved', problems);
			const { id, registrationDate, createdAt } = registration;
			const status = body.status ?? 'pending';
			const replacement = { ...body, id, status, registrationDate, createdAt };
			return { status: 200, body: store().registrations.replace(replacement) };
		},
	};
}
