import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import { searchList } from '../engine/lists';
import type { PickList } from '../engine/lists';
import { isBlank } from './form';
import { pagesBy } from './paging';
import { service } from './service';

/** What another field of the panel is set to: its ID, be it picked or typed. */
export function chosen(context: ILoadOptionsFunctions, name: string): unknown {
	const value = context.getCurrentNodeParameter(name);
	const isLocator = typeof value === 'object' && value !== null && 'value' in value;
	return isLocator ? value.value : value;
}

const owners = { eventId: 'Event', contactListId: 'Contact List' };

/** A list of records by their own ID; one within something else waits until that is chosen. */
const list = (path: string, id: string, name: PickList['name'], more: Partial<PickList> = {}) => {
	const needed = Object.entries(owners).filter(([param]) => path.includes(`{${param}}`));
	return searchList(service, {
		path: `/api/v1${path}`,
		params: (context) =>
			Object.fromEntries(
				needed.map(([param, label]) => {
					const id = chosen(context, param);
					if (isBlank(id)) throw new BadInput(`Choose the ${label} first`);
					return [param, id];
				}),
			),
		labels: Object.fromEntries(needed),
		paging: pagesBy(id),
		name,
		value: (record) => `${(record[id] ?? record.Id) as string}`,
		...more,
	});
};

const text = (value: unknown) => (value ?? '') as string;
const day = (value: unknown) => text(value).slice(0, 10);
const minute = (value: unknown) => text(value).slice(0, 16).replace('T', ' ');
/** In UTC where the service says how far a time is from it; whose time any other is remains open. */
const moment = (value: unknown) => {
	const known = /(Z|[+-]\d{2}:?\d{2})$/i.test(text(value)) ? Date.parse(text(value)) : NaN;
	return Number.isNaN(known) ? minute(value) : `${minute(new Date(known).toISOString())} UTC`;
};
const person = ({ FirstName, LastName, Email }: IDataObject) =>
	`${text(FirstName)} ${text(LastName)} (${text(Email)})`.trim();
const description = ({ Description }: IDataObject) => text(Description) || undefined;

/** The lists that users pick from. */
export const lists = {
	searchEvents: list('/events', 'EventId', ({ Name, StartDate }) =>
		StartDate ? `${text(Name)} (${day(StartDate)})` : text(Name),
	),
	searchSessions: list('/events/{eventId}/sessions', 'SessionId', ({ Title, StartDateTime }) =>
		StartDateTime ? `${text(Title)} (${moment(StartDateTime)})` : text(Title),
	),
	searchRegistrationTypes: list(
		'/events/{eventId}/registrationtypes',
		'RegistrationTypeId',
		({ Name }) => text(Name),
		{ description },
	),
	searchOptionGroups: list(
		'/events/{eventId}/registrationoptiongroups',
		'RegistrationOptionGroupId',
		({ RegistrationOptionGroupName }) => text(RegistrationOptionGroupName),
		{ description },
	),
	searchRegistrations: list('/events/{eventId}/registrations', 'RegistrationId', person),
	searchContactLists: list('/contactlists', 'ContactListId', ({ Name }) => text(Name)),
	searchContacts: list('/contactlists/{contactListId}/contacts', 'ContactId', person),
};
