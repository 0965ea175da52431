import type { Act } from '../deskBus';
import type { Answer, ServiceRequest, Handler, Settings } from '../service';
import { pagedList, wholeList } from './answers';
import type { AttendeeInput, RegistrationInput, RegistrationStatus, SessionInput } from './records';
import { showEvent } from './show';
import type { Store } from './store';
import { eventDataWrites } from './writes';

type Filter = { eventId?: string; status?: string };

const byApi = ({ now }: { now: number }): Act => ({ now, by: 'api' });

/** Returns one handler for each operation of the contract. */
export function eventDataHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const writes = eventDataWrites(store);
	const filtered = <T extends { status?: string }>(list: readonly T[], status?: string) =>
		status === undefined ? list : list.filter((record) => record.status === status);
	const found = (body: object): Answer => ({ status: 200, body });
	const created = (body: object): Answer => ({ status: 201, body });

	return {
		getManyEvents({
			query,
			now,
		}: ServiceRequest<object, { status?: string; page?: number }>): Answer {
			const events = store().demoData.events.map((event) => showEvent(store(), event, now));
			return pagedList(settings, query.page ?? 1, filtered(events, query.status));
		},
		getEvent({ params, now }: ServiceRequest<{ eventId: string }>): Answer {
			return found(showEvent(store(), store().getEvent(params.eventId), now));
		},

		getManyAttendees({ query }: ServiceRequest<object, Filter>): Answer {
			return wholeList(settings, filtered(store().attendees.list(query.eventId), query.status));
		},
		getAttendee({ params }: ServiceRequest<{ attendeeId: string }>): Answer {
			return found(store().attendees.get(params.attendeeId));
		},
		updateAttendee(request: ServiceRequest<{ attendeeId: string }, object, AttendeeInput>): Answer {
			const attendee = store().attendees.get(request.params.attendeeId);
			return found(writes.replaceAttendee(attendee, request.body, byApi(request)));
		},

		getManySessions({ query }: ServiceRequest<object, Filter>): Answer {
			return wholeList(settings, store().sessions.list(query.eventId));
		},
		createSession(request: ServiceRequest<object, object, SessionInput>): Answer {
			return created(writes.addSession(request.body, byApi(request)));
		},
		getSession({ params }: ServiceRequest<{ sessionId: string }>): Answer {
			return found(store().sessions.get(params.sessionId));
		},
		updateSession(request: ServiceRequest<{ sessionId: string }, object, SessionInput>): Answer {
			const session = store().sessions.get(request.params.sessionId);
			return found(writes.replaceSession(session, request.body, byApi(request)));
		},

		getManyRegistrations({ query }: ServiceRequest<object, Filter>): Answer {
			const list = store().registrations.list(query.eventId);
			return wholeList(settings, filtered(list, query.status));
		},
		createRegistration(request: ServiceRequest<object, object, RegistrationInput>): Answer {
			return created(writes.addRegistration(request.body, byApi(request)));
		},
		getRegistration({ params }: ServiceRequest<{ registrationId: string }>): Answer {
			return found(store().registrations.get(params.registrationId));
		},
		updateRegistration(
			request: ServiceRequest<
				{ registrationId: string },
				object,
				RegistrationInput & { status?: RegistrationStatus }
			>,
		): Answer {
			const registration = store().registrations.get(request.params.registrationId);
			return found(writes.replaceRegistration(registration, request.body, byApi(request)));
		},
	};
}
