import type { HandlerResponse, ServiceRequest, Handler, Settings, World } from '../service';
import type { RegistrationInput } from './records';
import { registrationWrites } from './registrationWrites';
import { replaceOptions } from './replaceOptions';
import type { ReplaceOptionsInput } from './replaceOptions';
import { filterNewer, createPageResponse, createRecordResponse } from './responses';
import type { PageQuery } from './responses';
import { searchRecords } from './searchRecords';
import type { Criteria } from './searchRecords';
import { shapeForm } from './shapeForm';
import type { Store } from './store';

interface EventParams {
	eventId: number;
}
interface RegistrationParams extends EventParams {
	registrationId: number;
}

const searchableProperties = [
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
	const findRegistration = ({ eventId, registrationId }: RegistrationParams) => {
		const event = store().getEvent(eventId);
		return { event, registration: store().getRegistration(event, registrationId) };
	};

	return {
		getManyRegistrations({
			params,
			query,
		}: ServiceRequest<EventParams, PageQuery & { lastUpdatedAfter?: string }>): HandlerResponse {
			const registrations = store().registrations.list(store().getEvent(params.eventId).index);
			return createPageResponse(
				settings,
				query,
				filterNewer(
					registrations,
					query.lastUpdatedAfter,
					(registration) => registration.LastUpdated,
				),
			);
		},
		createRegistration({
			params,
			body,
			now,
		}: ServiceRequest<EventParams, object, RegistrationInput>) {
			const event = store().getEvent(params.eventId);
			return createRecordResponse(settings, writes.register(event, body, { now, by: 'api' }));
		},
		getRegistrationForm({ params }: ServiceRequest<EventParams>) {
			const { form } = store().getEvent(params.eventId);
			return { status: 200, body: shapeForm(form, settings.formShape) };
		},
		searchRegistrations({ params, query, body }: ServiceRequest<EventParams, PageQuery, Criteria>) {
			const event = store().getEvent(params.eventId);
			const registrations = store().registrations.list(event.index);
			return createPageResponse(
				settings,
				query,
				searchRecords(registrations, event.form, searchableProperties, body),
			);
		},
		getRegistration({ params }: ServiceRequest<RegistrationParams>) {
			return createRecordResponse(settings, findRegistration(params).registration);
		},
		updateRegistration({
			params,
			body,
			now,
		}: ServiceRequest<RegistrationParams, object, RegistrationInput>) {
			const { event, registration } = findRegistration(params);
			return createRecordResponse(
				settings,
				writes.change(event, registration, body, { now, by: 'api' }),
			);
		},
		getRegistrationOptions({ params, query }: ServiceRequest<RegistrationParams, PageQuery>) {
			const { event, registration } = findRegistration(params);
			const currentSale = store().listOrders(event, registration.RegistrationId).at(-1);
			return createPageResponse(settings, query, currentSale?.items ?? []);
		},
		replaceRegistrationOptions({
			params,
			body,
			now,
		}: ServiceRequest<RegistrationParams, object, ReplaceOptionsInput>) {
			const { event, registration } = findRegistration(params);
			return createRecordResponse(
				settings,
				replaceOptions(store(), event, registration, body, { now, by: 'api' }),
			);
		},
	};
}
