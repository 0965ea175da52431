import type { DemoEvent } from '../demoData';
import type { ServiceRequest, Handler, Settings } from '../service';
import { getChangeTime } from './attendance';
import { toIsoTime } from './records';
import {
	filterNewer,
	createPageResponse,
	notFound,
	createRecordResponse,
	createRecordOrArrayResponse,
} from './responses';
import type { PageQuery } from './responses';
import { showCheckIn, showEvent } from './showRecords';
import type { Store } from './store';

interface EventParams {
	eventId: number;
}
type AttendanceQuery = PageQuery & { lastUpdatedAfter?: string };
interface SessionSearch {
	Title?: string;
	StartingAfter?: string;
	StartingBefore?: string;
	EndingAfter?: string;
	EndingBefore?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

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
		LastUpdated: toIsoTime(event.createdAt + DAY_MS),
	});
	const showType = (event: DemoEvent) => (type: DemoEvent['types'][number]) => ({
		RegistrationTypeId: type.id,
		Name: type.name,
		EventId: event.id,
		Id: String(type.id),
		Description: type.description,
		LastUpdated: toIsoTime(event.createdAt + DAY_MS),
	});
	const listSessions = ({ index }: DemoEvent) => store().sessions.list(index);

	return {
		getManyEvents({ query }: ServiceRequest<object, PageQuery & { updatedAfter?: string }>) {
			const { events } = store().demoData;
			const newerEvents = filterNewer(events, query.updatedAfter, (event) =>
				toIsoTime(event.updatedAt),
			);
			return createPageResponse(settings, query, newerEvents, (event) => showEvent(store(), event));
		},
		getEvent({ params }: ServiceRequest<EventParams>) {
			return createRecordResponse(settings, showEvent(store(), store().getEvent(params.eventId)));
		},
		getManyEventAttendance({ params, query }: ServiceRequest<EventParams, AttendanceQuery>) {
			const event = store().getEvent(params.eventId);
			const checkIns = store().attendance.list(event);
			return createPageResponse(
				settings,
				query,
				filterNewer(checkIns, query.lastUpdatedAfter, getChangeTime),
				showCheckIn(event),
			);
		},
		getManySessionAttendance({
			params,
			query,
		}: ServiceRequest<EventParams & { sessionId: number }, AttendanceQuery>) {
			const event = store().getEvent(params.eventId);
			const session = store().getSession(event, params.sessionId);
			const checkIns = store().attendance.list(event, session.SessionId);
			const newerCheckIns = filterNewer(checkIns, query.lastUpdatedAfter, getChangeTime);
			return createPageResponse(settings, query, newerCheckIns, showCheckIn(event, session.Title));
		},
		getManyOptionGroups({ params, query }: ServiceRequest<EventParams, PageQuery>) {
			const event = store().getEvent(params.eventId);
			return createPageResponse(settings, query, event.groups, showGroup(event));
		},
		getOptionGroupOptions({
			params,
			query,
		}: ServiceRequest<EventParams & { groupId: number }, PageQuery>) {
			const event = store().getEvent(params.eventId);
			const group = event.groups.find(({ id }) => id === params.groupId);
			if (!group) {
				throw notFound(`There is no option group ${params.groupId} in event ${event.id}.`);
			}
			return createPageResponse(settings, query, group.options, (option) => ({
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
				FirstDateAvailable: toIsoTime(event.opensAt),
				LastDateAvailable: toIsoTime(event.startsAt),
				AdditionalInfoField: option.question,
				RequireAdditionalInfo: option.questionRequired,
				LastUpdated: toIsoTime(event.createdAt + DAY_MS),
			}));
		},
		getManyRegistrationTypes({ params, query }: ServiceRequest<EventParams, PageQuery>) {
			const event = store().getEvent(params.eventId);
			return createPageResponse(settings, query, event.types, showType(event));
		},
		getRegistrationType({ params }: ServiceRequest<EventParams & { registrationTypeId: number }>) {
			const event = store().getEvent(params.eventId);
			const type = event.types.find(({ id }) => id === params.registrationTypeId);
			if (!type) {
				const { registrationTypeId: id } = params;
				throw notFound(`There is no registration type ${id} in event ${event.id}.`);
			}
			return createRecordOrArrayResponse(settings, showType(event)(type));
		},
		getManySessions({ params, query }: ServiceRequest<EventParams, PageQuery>) {
			return createPageResponse(settings, query, listSessions(store().getEvent(params.eventId)));
		},
		searchSessions({ params, query, body }: ServiceRequest<EventParams, PageQuery, SessionSearch>) {
			const text = body.Title?.trim().toLowerCase() ?? '';
			const normalizeBound = (time: string | undefined) => time && toIsoTime(Date.parse(time));
			const [startsAfter, startsBefore] = [
				normalizeBound(body.StartingAfter),
				normalizeBound(body.StartingBefore),
			];
			const [endsAfter, endsBefore] = [
				normalizeBound(body.EndingAfter),
				normalizeBound(body.EndingBefore),
			];
			const matches = listSessions(store().getEvent(params.eventId)).filter(
				({ Title, StartDateTime, EndDateTime }) =>
					Title.toLowerCase().includes(text) &&
					(!startsAfter || StartDateTime > startsAfter) &&
					(!startsBefore || StartDateTime < startsBefore) &&
					(!endsAfter || EndDateTime > endsAfter) &&
					(!endsBefore || EndDateTime < endsBefore),
			);
			return createPageResponse(settings, query, matches);
		},
		getSession({ params }: ServiceRequest<EventParams & { sessionId: number }>) {
			const event = store().getEvent(params.eventId);
			return createRecordResponse(settings, store().getSession(event, params.sessionId));
		},
	};
}
