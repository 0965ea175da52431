import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import type { Paging } from '../engine/http/pages';
import { apart, searchList, textIn } from '../engine/panel/lists';
import type { PickList } from '../engine/panel/lists';
import { isBlank } from './form/form';
import { nameOf, pagesBy, registrationTypePages } from './paging';
import { service } from './service';

/** What another field of the panel is set to: its ID, be it picked or typed. */
export function chosen(context: ILoadOptionsFunctions, name: string): unknown {
	const value = context.getCurrentNodeParameter(name);
	const isLocator = typeof value === 'object' && value !== null && 'value' in value;
	return isLocator ? value.value : value;
}

const owners = { eventId: 'Event', contactListId: 'Contact List' };

/** A list of records; one within something else waits until that is chosen. */
const list = (
	path: string,
	paging: Paging,
	name: PickList['name'],
	description?: PickList['description'],
) => {
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
		paging,
		name,
		description,
	});
};

const minute = (given: string) => given.slice(0, 16).replace('T', ' ');
/** In UTC where the service says how far a time is from it; whose time any other is remains open. */
const moment = (given: string) => {
	const known = /(Z|[+-]\d{2}:?\d{2})$/i.test(given) ? Date.parse(given) : NaN;
	return Number.isNaN(known) ? minute(given) : `${minute(new Date(known).toISOString())} UTC`;
};
const person = (record: IDataObject) =>
	apart(textIn(record, 'FirstName', 'LastName'), textIn(record, 'Email'));
const description = (record: IDataObject) => textIn(record, 'Description') || undefined;

/** The lists that users pick from. */
export const lists = {
	searchEvents: list('/events', pagesBy('EventId'), (record) =>
		apart(nameOf(record, 'Event'), textIn(record, 'StartDate').slice(0, 10)),
	),
	searchSessions: list('/events/{eventId}/sessions', pagesBy('SessionId'), (record) =>
		apart(nameOf(record, 'Session'), moment(textIn(record, 'StartDateTime'))),
	),
	searchRegistrationTypes: list(
		'/events/{eventId}/registrationtypes',
		registrationTypePages,
		(record) => nameOf(record, 'RegistrationType', 'RegistrationOptionGroupName'),
		description,
	),
	searchOptionGroups: list(
		'/events/{eventId}/registrationoptiongroups',
		pagesBy('RegistrationOptionGroupId'),
		(record) => nameOf(record, 'RegistrationOptionGroup'),
		description,
	),
	searchRegistrations: list('/events/{eventId}/registrations', pagesBy('RegistrationId'), person),
	searchContactLists: list('/contactlists', pagesBy('ContactListId'), (record) =>
		nameOf(record, 'ContactList'),
	),
	searchContacts: list('/contactlists/{contactListId}/contacts', pagesBy('ContactId'), person),
};
