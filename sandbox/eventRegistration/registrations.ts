import type { HandlerResponse, ServiceRequest, Handler, Settings, World } from '../service';
import { shapeForm } from './forms';
import { replaceOptions } from './options';
import type { ReplaceOptions } from './options';
import type { RegistrationInput } from './records';
import { registrationWrites } from './registrationWrites';
import { newerThan, pageResponse, recordResponse } from './responses';
import type { PageQuery } from './responses';
import { search } from './search';
import type { Criteria } from './search';
import type { Store } from './store';

interface EventParams {
	eventId: number;
}
interface RegistrationParams extends EventParams {
	registrationId: number;
}

const properties = [
	'RegistrationId',
	'FirstName',
	'LastName',
	'Email',
	'MobilePhone',
	'RegistrationTypeId',
	'RegistrationManagerEmail',
	'RegistrationStatus',
	'ConfirmationCode',
	'HostRegistrationId',
];

/** Handlers of the registrations of an event, their form and their options. */
export function registrationHandlers(
	store: () => Store,
	settings: Settings,
	world: World,
): Record<string, Handler> {
	const writes = registrationWrites(store, world);
	const find = ({ eventId, registrationId }: RegistrationParams) => {
		const event = store().event(eventId);
		return { event, registration: store().registration(event, registrationId) };
	};

	return {
		getManyRegistrations({
			params,
			query,
		}: ServiceRequest<EventParams, PageQuery & { lastUpdatedAfter?: string }>): HandlerResponse {
			const all = store().registrations.list(store().event(params.eventId).index);
			return pageResponse(
				settings,
				query,
				newerThan(all, query.lastUpdatedAfter, (it) => it.LastUpdated),
			);
		},
		createRegistration({
			params,
			body,
			now,
		}: ServiceRequest<EventParams, object, RegistrationInput>) {
			const event = store().event(params.eventId);
			return recordResponse(settings, writes.register(event, body, { now, by: 'api' }));
		},
		getRegistrationForm({ params }: ServiceRequest<EventParams>) {
			const { form } = store().event(params.eventId);
			return { status: 200, body: shapeForm(form, settings.formShape) };
		},
		searchRegistrations({ params, query, body }: ServiceRequest<EventParams, PageQuery, Criteria>) {
			const event = store().event(params.eventId);
			const all = store().registrations.list(event.index);
			return pageResponse(settings, query, search(all, event.form, properties, body));
		},
		getRegistration({ params }: ServiceRequest<RegistrationParams>) {
			return recordResponse(settings, find(params).registration);
		},
		updateRegistration({
			params,
			body,
			now,
		}: ServiceRequest<RegistrationParams, object, RegistrationInput>) {
			const { event, registration } = find(params);
			return recordResponse(settings, writes.change(event, registration, body, { now, by: 'api' }));
		},
		getRegistrationOptions({ params, query }: ServiceRequest<RegistrationParams, PageQuery>) {
			const { event, registration } = find(params);
			const current = store().salesOf(event, registration.RegistrationId).at(-1);
			return pageResponse(settings, query, current?.items ?? []);
		},
		replaceRegistrationOptions({
			params,
			body,
			now,
		}: ServiceRequest<RegistrationParams, object, ReplaceOptions>) {
			const { event, registration } = find(params);
			return recordResponse(
				settings,
				replaceOptions(store(), event, registration, body, { now, by: 'api' }),
			);
		},
	};
}
