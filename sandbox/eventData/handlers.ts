import type { Act } from '../deskBus';
import type { HandlerResponse, ServiceRequest, Handler, Settings } from '../service';
import type { AttendeeInput, RegistrationInput, RegistrationStatus, SessionInput } from './records';
import { pagedList, wholeList } from './responses';
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
	const found = (body: object): HandlerResponse => ({ status: 200, body });
	const created = (body: object): HandlerResponse => ({ status: 201, body });

	return {
		getManyEvents({
			query,
			now,
		}: ServiceRequest<object, { status?: string; page?: number }>): HandlerResponse {
			const events = store().demoData.events.map((event) => showEvent(store(), event, now));
			return pagedList(settings, query.page ?? 1, filtered(events, query.status));
		},
		getEvent({ params, now }: ServiceRequest<{ eventId: string }>): HandlerResponse {
			return found(showEvent(store(), store().getEvent(params.eventId), now));
		},

		getManyAttendees({ query }: ServiceRequest<object, Filter>): HandlerResponse {
			return wholeList(settings, filtered(store().attendees.list(query.eventId), query.status));
		},
		getAttendee({ params }: ServiceRequest<{ attendeeId: string }>): HandlerResponse {
			return found(store().attendees.get(params.attendeeId));
		},
		updateAttendee(
			request: ServiceRequest<{ attendeeId: string }, object, AttendeeInput>,
		): HandlerResponse {
			const attendee = store().attendees.get(request.params.attendeeId);
			return found(writes.replaceAttendee(attendee, request.body, byApi(request)));
		},

		getManySessions({ query }: ServiceRequest<object, Filter>): HandlerResponse {
			return wholeList(settings, store().sessions.list(query.eventId));
		},
		createSession(request: ServiceRequest<object, object, SessionInput>): HandlerResponse {
			return created(writes.addSession(request.body, byApi(request)));
		},
		getSession({ params }: ServiceRequest<{ sessionId: string }>): HandlerResponse {
			return found(store().sessions.get(params.sessionId));
		},
		updateSession(
			request: ServiceRequest<{ sessionId: string }, object, SessionInput>,
		): HandlerResponse {
			const session = store().sessions.get(request.params.sessionId);
			return found(writes.replaceSession(session, request.body, byApi(request)));
		},

		getManyRegistrations({ query }: ServiceRequest<object, Filter>): HandlerResponse {
			const list = store().registrations.list(query.eventId);
			return wholeList(settings, filtered(list, query.status));
		},
		createRegistration(
			request: ServiceRequest<object, object, RegistrationInput>,
		): HandlerResponse {
			return created(writes.addRegistration(request.body, byApi(request)));
		},
		getRegistration({ params }: ServiceRequest<{ registrationId: string }>): HandlerResponse {
			return found(store().registrations.get(params.registrationId));
		},
		updateRegistration(
			request: ServiceRequest<
				{ registrationId: string },
				object,
				RegistrationInput & { status?: RegistrationStatus }
			>,
		): HandlerResponse {
			const registration = store().registrations.get(request.params.registrationId);
			return found(writes.replaceRegistration(registration, request.body, byApi(request)));
		},
	};
}
