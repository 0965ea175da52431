import type { WriteContext } from '../deskBus';
import type { HandlerResponse, ServiceRequest, Handler, Settings } from '../service';
import type { AttendeeInput, RegistrationInput, RegistrationStatus, SessionInput } from './records';
import { pagedListResponse, wholeListResponse } from './responses';
import { showEvent } from './showEvent';
import type { Store } from './store';
import { eventDataWrites } from './writes';

type ListFilter = { eventId?: string; status?: string };

const apiContext = ({ now }: { now: number }): WriteContext => ({ now, by: 'api' });

/** Returns one handler for each operation of the contract. */
export function eventDataHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const writes = eventDataWrites(store);
	const filterByStatus = <T extends { status?: string }>(list: readonly T[], status?: string) =>
		status === undefined ? list : list.filter((record) => record.status === status);
	const okResponse = (body: object): HandlerResponse => ({ status: 200, body });
	const createdResponse = (body: object): HandlerResponse => ({ status: 201, body });

	return {
		getManyEvents({
			query,
			now,
		}: ServiceRequest<object, { status?: string; page?: number }>): HandlerResponse {
			const events = store().demoData.events.map((event) => showEvent(store(), event, now));
			return pagedListResponse(settings, query.page ?? 1, filterByStatus(events, query.status));
		},
		getEvent({ params, now }: ServiceRequest<{ eventId: string }>): HandlerResponse {
			return okResponse(showEvent(store(), store().getEvent(params.eventId), now));
		},

		getManyAttendees({ query }: ServiceRequest<object, ListFilter>): HandlerResponse {
			return wholeListResponse(
				settings,
				filterByStatus(store().attendees.list(query.eventId), query.status),
			);
		},
		getAttendee({ params }: ServiceRequest<{ attendeeId: string }>): HandlerResponse {
			return okResponse(store().attendees.get(params.attendeeId));
		},
		updateAttendee(
			request: ServiceRequest<{ attendeeId: string }, object, AttendeeInput>,
		): HandlerResponse {
			const attendee = store().attendees.get(request.params.attendeeId);
			return okResponse(writes.replaceAttendee(attendee, request.body, apiContext(request)));
		},

		getManySessions({ query }: ServiceRequest<object, ListFilter>): HandlerResponse {
			return wholeListResponse(settings, store().sessions.list(query.eventId));
		},
		createSession(request: ServiceRequest<object, object, SessionInput>): HandlerResponse {
			return createdResponse(writes.addSession(request.body, apiContext(request)));
		},
		getSession({ params }: ServiceRequest<{ sessionId: string }>): HandlerResponse {
			return okResponse(store().sessions.get(params.sessionId));
		},
		updateSession(
			request: ServiceRequest<{ sessionId: string }, object, SessionInput>,
		): HandlerResponse {
			const session = store().sessions.get(request.params.sessionId);
			return okResponse(writes.replaceSession(session, request.body, apiContext(request)));
		},

		getManyRegistrations({ query }: ServiceRequest<object, ListFilter>): HandlerResponse {
			const list = store().registrations.list(query.eventId);
			return wholeListResponse(settings, filterByStatus(list, query.status));
		},
		createRegistration(
			request: ServiceRequest<object, object, RegistrationInput>,
		): HandlerResponse {
			return createdResponse(writes.addRegistration(request.body, apiContext(request)));
		},
		getRegistration({ params }: ServiceRequest<{ registrationId: string }>): HandlerResponse {
			return okResponse(store().registrations.get(params.registrationId));
		},
		updateRegistration(
			request: ServiceRequest<
				{ registrationId: string },
				object,
				RegistrationInput & { status?: RegistrationStatus }
			>,
		): HandlerResponse {
			const registration = store().registrations.get(request.params.registrationId);
			return okResponse(
				writes.replaceRegistration(registration, request.body, apiContext(request)),
			);
		},
	};
}
