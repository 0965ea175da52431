import type { DemoEvent } from '../demoData';
import type { ServiceRequest, Handler, Settings } from '../service';
import { changedAt } from './attendance';
import { iso } from './records';
import {
	newerThan,
	pageResponse,
	notFound,
	recordResponse,
	recordOrArrayResponse,
} from './responses';
import type { PageQuery } from './responses';
import { showCheckIn, showEvent } from './show';
import type { Store } from './store';

interface EventParams {
	eventId: number;
}
type Attended = PageQuery & { lastUpdatedAfter?: string };
interface SessionSearch {
	Title?: string;
	StartingAfter?: string;
	StartingBefore?: string;
	EndingAfter?: string;
	EndingBefore?: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** Handlers of events and their attendance, options, types and sessions. */
export function eventHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const showGroup = (event: DemoEvent) => (group: DemoEvent['groups'][number]) => ({
		RegistrationOptionGroupId: group.id,
		RegistrationOptionGroupName: group.name,
		EventId: event.id,
		Id: String(group.id),
		Description: group.description,
		IsOptional: group.optional,
		AllowMultipleItemsPerAttendee: group.multiple,
		LastUpdated: iso(event.createdAt + DAY),
	});
	const showType = (event: DemoEvent) => (type: DemoEvent['types'][number]) => ({
		RegistrationTypeId: type.id,
		Name: type.name,
		EventId: event.id,
		Id: String(type.id),
		Description: type.description,
		LastUpdated: iso(event.createdAt + DAY),
	});
	const sessionsOf = ({ index }: DemoEvent) => store().sessions.list(index);

	return {
		getManyEvents({ query }: ServiceRequest<object, PageQuery & { updatedAfter?: string }>) {
			const { events } = store().demoData;
			const chosen = newerThan(events, query.updatedAfter, (event) => iso(event.updatedAt));
			return pageResponse(settings, query, chosen, (event) => showEvent(store(), event));
		},
		getEvent({ params }: ServiceRequest<EventParams>) {
			return recordResponse(settings, showEvent(store(), store().event(params.eventId)));
		},
		getManyEventAttendance({ params, query }: ServiceRequest<EventParams, Attended>) {
			const event = store().event(params.eventId);
			const all = store().attendance.list(event);
			return pageResponse(
				settings,
				query,
				newerThan(all, query.lastUpdatedAfter, changedAt),
				showCheckIn(event),
			);
		},
		getManySessionAttendance({
			params,
			query,
		}: ServiceRequest<EventParams & { sessionId: number }, Attended>) {
			const event = store().event(params.eventId);
			const session = store().session(event, params.sessionId);
			const all = store().attendance.list(event, session.SessionId);
			const chosen = newerThan(all, query.lastUpdatedAfter, changedAt);
			return pageResponse(settings, query, chosen, showCheckIn(event, session.Title));
		},
		getManyOptionGroups({ params, query }: ServiceRequest<EventParams, PageQuery>) {
			const event = store().event(params.eventId);
			return pageResponse(settings, query, event.groups, showGroup(event));
		},
		getOptionGroupOptions({
			params,
			query,
		}: ServiceRequest<EventParams & { groupId: number }, PageQuery>) {
			const event = store().event(params.eventId);
			const group = event.groups.find(({ id }) => id === params.groupId);
			if (!group) {
				throw notFound(`There is no option group ${params.groupId} in event ${event.id}.`);
			}
			return pageResponse(settings, query, group.options, (option) => ({
				RegistrationOptionId: option.id,
				RegistrationOptionName: option.name,
				RegistrationOptionGroupId: group.id,
				Id: String(option.id),
				Description: option.description,
				BadgeFriendlyName: option.badge,
				Price: option.price,
				MinQuantityPerAttendee: 0,
				MaxQuantityPerAttendee: option.max,
				TotalAvailableQuantity: option.available,
				FirstDateAvailable: iso(event.opensAt),
				LastDateAvailable: iso(event.startsAt),
				AdditionalInfoField: option.question,
				RequireAdditionalInfo: option.questionRequired,
				LastUpdated: iso(event.createdAt + DAY),
			}));
		},
		getManyRegistrationTypes({ params, query }: ServiceRequest<EventParams, PageQuery>) {
			const event = store().event(params.eventId);
			return pageResponse(settings, query, event.types, showType(event));
		},
		getRegistrationType({ params }: ServiceRequest<EventParams & { registrationTypeId: number }>) {
			const event = store().event(params.eventId);
			const type = event.types.find(({ id }) => id === params.registrationTypeId);
			if (!type) {
				const { registrationTypeId: id } = params;
				throw notFound(`There is no registration type ${id} in event ${event.id}.`);
			}
			return recordOrArrayResponse(settings, showType(event)(type));
		},
		getManySessions({ params, query }: ServiceRequest<EventParams, PageQuery>) {
			return pageResponse(settings, query, sessionsOf(store().event(params.eventId)));
		},
		searchSessions({ params, query, body }: ServiceRequest<EventParams, PageQuery, SessionSearch>) {
			const text = body.Title?.trim().toLowerCase() ?? '';
			const bound = (time: string | undefined) => time && iso(Date.parse(time));
			const [from, to] = [bound(body.StartingAfter), bound(body.StartingBefore)];
			const [endFrom, endTo] = [bound(body.EndingAfter), bound(body.EndingBefore)];
			const found = sessionsOf(store().event(params.eventId)).filter(
				({ Title, StartDateTime, EndDateTime }) =>
					Title.toLowerCase().includes(text) &&
					(!from || StartDateTime > from) &&
					(!to || StartDateTime < to) &&
					(!endFrom || EndDateTime > endFrom) &&
					(!endTo || EndDateTime < endTo),
			);
			return pageResponse(settings, query, found);
		},
		getSession({ params }: ServiceRequest<EventParams & { sessionId: number }>) {
			const event = store().event(params.eventId);
			return recordResponse(settings, store().session(event, params.sessionId));
		},
	};
}
