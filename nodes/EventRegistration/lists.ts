import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import { NUMBER_ID, readId } from '../engine/http/ids';
import type { Paging } from '../engine/http/pages';
import { searchList, textIn, withDetail } from '../engine/panel/lists';
import type { ListSource, PickList } from '../engine/panel/lists';
import { upcomingFirst } from '../engine/panel/upcoming';
import { idNumber } from '../engine/values/convert';
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

/** The ID of what a list is within; it waits until that is chosen. */
function ownerId(context: ILoadOptionsFunctions, param: string, label: string): string {
	const id = chosen(context, param);
	if (isBlank(id)) throw new BadInput(`Choose the ${label} first`);
	return readId(NUMBER_ID, label, id);
}

/** Where a list of the service is. */
const source = (path: string, paging: Paging): ListSource => {
	const needed = Object.entries(owners).filter(([param]) => path.includes(`{${param}}`));
	return {
		path: `/api/v1${path}`,
		params: (context) =>
			Object.fromEntries(
				needed.map(([param, label]) => [param, ownerId(context, param, label)] as const),
			),
		labels: Object.fromEntries(needed),
		paging,
	};
};

const list = (from: ListSource, shown: Omit<PickList, keyof ListSource>) =>
	searchList(service, { ...from, ...shown });

const minute = (given: string) => given.slice(0, 16).replace('T', ' ');
/** In UTC where the service says how far a time is from it; whose time any other is remains open. */
const moment = (given: string) => {
	const known = /(Z|[+-]\d{2}:?\d{2})$/i.test(given) ? Date.parse(given) : NaN;
	return Number.isNaN(known) ? minute(given) : `${minute(new Date(known).toISOString())} UTC`;
};
const person = (record: IDataObject) =>
	withDetail(textIn(record, 'FirstName', 'LastName'), textIn(record, 'Email'));
const description = (record: IDataObject) => textIn(record, 'Description') || undefined;

const dayOf = (record: IDataObject, field: string) => textIn(record, field).slice(0, 10);
/** By its number people find it in their records. */
const numbered = (record: IDataObject, id: string) => {
	const number = textIn(record, id);
	return number && `no. ${number}`;
};
const listed = (...parts: string[]) => parts.filter(Boolean).join(', ');

const registrations = source('/events/{eventId}/registrations', pagesBy('RegistrationId'));

/** The orders of an event, which is asked for by its number alone. */
const orders: ListSource = {
	...source('/orders/search', pagesBy('OrderId')),
	json: (context) => idNumber(owners.eventId)(ownerId(context, 'eventId', owners.eventId)),
};

/** The lists that users pick from. */
export const lists = {
	searchEvents: list(source('/events', pagesBy('EventId')), {
		sort: upcomingFirst({ start: 'StartDate', end: 'EndDate' }),
		name: (record) => withDetail(nameOf(record, 'Event'), dayOf(record, 'StartDate')),
	}),
	searchSessions: list(source('/events/{eventId}/sessions', pagesBy('SessionId')), {
		name: (record) =>
			withDetail(nameOf(record, 'Session'), moment(textIn(record, 'StartDateTime'))),
	}),
	searchRegistrationTypes: list(
		source('/events/{eventId}/registrationtypes', registrationTypePages),
		{
			name: (record) => nameOf(record, 'RegistrationType', 'RegistrationOptionGroupName'),
			description,
		},
	),
	searchOptionGroups: list(
		source('/events/{eventId}/registrationoptiongroups', pagesBy('RegistrationOptionGroupId')),
		{ name: (record) => nameOf(record, 'RegistrationOptionGroup'), description },
	),
	searchRegistrations: list(registrations, { name: person }),
	searchOrders: list(orders, {
		related: { registrations },
		name: (record, find) => {
			const registration = find('registrations', record.RegistrationId) ?? {};
			const what = listed(
				textIn(registration, 'FirstName', 'LastName') || textIn(registration, 'Email'),
				textIn(record, 'OrderTotal'),
				dayOf(record, 'OrderDate'),
				record.IsReplaced === true ? 'replaced' : '',
			);
			return withDetail(what, numbered(record, 'OrderId'));
		},
	}),
	searchTransactions: list(source('/transactions', pagesBy('TransactionId')), {
		name: (record) =>
			withDetail(
				listed(
					textIn(record, 'TransactionType'),
					textIn(record, 'TransactionAmount', 'Currency'),
					dayOf(record, 'TransactionDate'),
				),
				listed(numbered(record, 'TransactionId'), textIn(record, 'Memo')),
			),
	}),
	searchContactLists: list(source('/contactlists', pagesBy('ContactListId')), {
		name: (record) => nameOf(record, 'ContactList'),
	}),
	searchContacts: list(source('/contactlists/{contactListId}/contacts', pagesBy('ContactId')), {
		name: person,
	}),
};
