import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import type { Client } from '../engine/http/client';
import type { PathSegment } from '../engine/http/path';
import { searchList, textIn, withDetail, withNoneRow } from '../engine/panel/pickLists';
import type { ListSource, PickList } from '../engine/panel/pickLists';
import { upcomingFirst } from '../engine/panel/upcoming';
import { idNumberReader } from '../engine/values/convert';
import { lists } from './lists';
import type { ServiceList } from './lists';
import { contactListName, eventLabel, registrationTypeName } from './names';
import { EMPTY_TYPE_ROWS } from './optionalTypes';
import { nameOf } from './paging';
import { isOwnerChosen, panelOwnerId } from './panelOwner';
import { service } from './service';

const OWNER_LABELS = { eventId: 'Event', contactListId: 'Contact List' };
const OWNER_FIELDS = ['eventId', 'contactListId'] as const;

/** Returns the ID of the event or contact list that owns the records. Throws until the user has chosen one. */
async function ownerId(
	context: ILoadOptionsFunctions,
	client: Client,
	field: (typeof OWNER_FIELDS)[number],
): Promise<PathSegment> {
	if (isOwnerChosen(context, field)) return await panelOwnerId(context, client, field);
	throw new BadInput(`Choose the ${OWNER_LABELS[field]} first`);
}

/** Describes a list of the service. The path parameters come from other fields of the panel. */
const listSource = ({ path, paging }: ServiceList): ListSource => {
	const owner = OWNER_FIELDS.find((field) => path.includes(`{${field}}`));
	return {
		path,
		params: async (context, client) =>
			owner ? { [owner]: await ownerId(context, client, owner) } : {},
		paging,
	};
};

const pickList = (from: ListSource, display: Omit<PickList, keyof ListSource>) =>
	searchList(service, { ...from, ...display });

const toMinutes = (time: string) => time.slice(0, 16).replace('T', ' ');
/**
 * Formats a time. A time with an offset is shown in UTC. A time without an offset is shown unchanged, because its zone is
 * unknown.
 */
const formatTime = (time: string) => {
	const atMs = /(Z|[+-]\d{2}:?\d{2})$/i.test(time) ? Date.parse(time) : NaN;
	return Number.isNaN(atMs) ? toMinutes(time) : `${toMinutes(new Date(atMs).toISOString())} UTC`;
};
const personLabel = (record: IDataObject) =>
	withDetail(textIn(record, 'FirstName', 'LastName'), textIn(record, 'Email'));
const description = (record: IDataObject) => textIn(record, 'Description') || undefined;

const dayOf = (record: IDataObject, field: string) => textIn(record, field).slice(0, 10);
/** Labels a record with its number, by which users find it in their own records. */
const numberLabel = (record: IDataObject, id: string) => {
	const number = textIn(record, id);
	return number && `no. ${number}`;
};
const joinParts = (...parts: string[]) => parts.filter(Boolean).join(', ');

const registrations = listSource(lists.registrations);

/** The orders of an event. The body of the request is the ID of the event alone. */
const orders: ListSource = {
	...listSource(lists.orders),
	json: async (context, client) =>
		idNumberReader(OWNER_LABELS.eventId)(await ownerId(context, client, 'eventId')),
};

const registrationTypes = pickList(listSource(lists.registrationTypes), {
	name: registrationTypeName,
	description,
});

/** `listSearch` methods of the resource locators. */
export const listSearchMethods = {
	searchEvents: pickList(listSource(lists.events), {
		sort: upcomingFirst({ start: 'StartDate', end: 'EndDate' }),
		name: eventLabel,
	}),
	searchSessions: pickList(listSource(lists.sessions), {
		name: (record) =>
			withDetail(nameOf(record, 'Session'), formatTime(textIn(record, 'StartDateTime'))),
	}),
	searchRegistrationTypes: registrationTypes,
	[EMPTY_TYPE_ROWS.toCreate.list]: withNoneRow(EMPTY_TYPE_ROWS.toCreate.row, registrationTypes),
	[EMPTY_TYPE_ROWS.toUpdate.list]: withNoneRow(EMPTY_TYPE_ROWS.toUpdate.row, registrationTypes),
	searchOptionGroups: pickList(listSource(lists.optionGroups), {
		name: (record) => nameOf(record, 'RegistrationOptionGroup'),
		description,
	}),
	searchRegistrations: pickList(registrations, { name: personLabel }),
	searchOrders: pickList(orders, {
		related: { registrations },
		name: (record, find) => {
			const registration = find('registrations', record.RegistrationId) ?? {};
			const description = joinParts(
				textIn(registration, 'FirstName', 'LastName') || textIn(registration, 'Email'),
				textIn(record, 'OrderTotal'),
				dayOf(record, 'OrderDate'),
				record.IsReplaced === true ? 'replaced' : '',
			);
			return withDetail(description, numberLabel(record, 'OrderId'));
		},
	}),
	searchTransactions: pickList(listSource(lists.transactions), {
		name: (record) =>
			withDetail(
				joinParts(
					textIn(record, 'TransactionType'),
					textIn(record, 'TransactionAmount', 'Currency'),
					dayOf(record, 'TransactionDate'),
				),
				joinParts(numberLabel(record, 'TransactionId'), textIn(record, 'Memo')),
			),
	}),
	searchContactLists: pickList(listSource(lists.contactLists), {
		name: contactListName,
	}),
	searchContacts: pickList(listSource(lists.contacts), { name: personLabel }),
};

/** `listSearch` methods of the trigger's resource locators. */
export const triggerListSearchMethods = {
	...listSearchMethods,
	[EMPTY_TYPE_ROWS.asFilter.list]: withNoneRow(EMPTY_TYPE_ROWS.asFilter.row, registrationTypes),
};
