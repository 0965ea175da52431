import type { WriteContext } from '../deskBus';
import type { HandlerResponse, ServiceRequest, Handler, Settings } from '../service';
import type { AttendeeInput, RegistrationInput, RegistrationStatus, SessionInput } from './records';
import { createPagedListResponse, createWholeListResponse } from './responses';
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
	const createOkResponse = (body: object): HandlerResponse => ({ status: 200, body });
	const createCreatedResponse = (body: object): HandlerResponse => ({ status: 201, body });

	return {
		getManyEvents({
			query,
			now,
		}: ServiceRequest<object, { status?: string; page?: number }>): HandlerResponse {
			const events = store().demoData.events.map((event) => showEvent(store(), event, now));
			return createPagedListResponse(
				settings,
				query.page ?? 1,
				filterByStatus(events, query.status),
			);
		},
		getEvent({ params, now }: ServiceRequest<{ eventId: string }>): HandlerResponse {
			return createOkResponse(showEvent(store(), store().getEvent(params.eventId), now));
		},

		getManyAttendees({ query }: ServiceRequest<object, ListFilter>): HandlerResponse {
			return createWholeListResponse(
				settings,
				filterByStatus(store().attendees.list(query.eventId), query.status),
			);
		},
		getAttendee({ params }: ServiceRequest<{ attendeeId: string }>): HandlerResponse {
			return createOkResponse(store().attendees.get(params.attendeeId));
		},
		updateAttendee(
			request: ServiceRequest<{ attendeeId: string }, object, AttendeeInput>,
		): HandlerResponse {
			const attendee = store().attendees.get(request.params.attendeeId);
			return createOkResponse(writes.replaceAttendee(attendee, request.body, apiContext(request)));
		},

		getManySessions({ query }: ServiceRequest<object, ListFilter>): HandlerResponse {
			return createWholeListResponse(settings, store().sessions.list(query.eventId));
		},
		createSession(request: ServiceRequest<object, object, SessionInput>): HandlerResponse {
			return createCreatedResponse(writes.addSession(request.body, apiContext(request)));
		},
		getSession({ params }: ServiceRequest<{ sessionId: string }>): HandlerResponse {
			return createOkResponse(store().sessions.get(params.sessionId));
		},
		updateSession(
			request: ServiceRequest<{ sessionId: string }, object, SessionInput>,
		): HandlerResponse {
			const session = store().sessions.get(request.params.sessionId);
			return createOkResponse(writes.replaceSession(session, request.body, apiContext(request)));
		},

		getManyRegistrations({ query }: ServiceRequest<object, ListFilter>): HandlerResponse {
			const list = store().registrations.list(query.eventId);
			return createWholeListResponse(settings, filterByStatus(list, query.status));
		},
		createRegistration(
			request: ServiceRequest<object, object, RegistrationInput>,
		): HandlerResponse {
			return createCreatedResponse(writes.addRegistration(request.body, apiContext(request)));
		},
		getRegistration({ params }: ServiceRequest<{ registrationId: string }>): HandlerResponse {
			return createOkResponse(store().registrations.get(params.registrationId));
		},
		updateRegistration(
			request: ServiceRequest<
				{ registrationId: string },
				object,
				RegistrationInput & { status?: RegistrationStatus }
			>,
		): HandlerResponse {
			const registration = store().registrations.get(request.params.registrationId);
			return createOkResponse(
				writes.replaceRegistration(registration, request.body, apiContext(request)),
			);
		},
	};
}
