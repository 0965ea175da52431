import type { IDataObject } from 'n8n-workflow';

import { readId } from '../engine/http/ids';
import type { NamedList } from '../engine/http/names';
import { toPathSegment } from '../engine/http/path';
import type { PathSegment } from '../engine/http/path';
import { textIn, withDetail } from '../engine/panel/pickLists';
import { NAMED_NUMBER_ID } from './ids';
import { lists } from './lists';
import { nameOf } from './paging';

const eventName = (record: IDataObject) => nameOf(record, 'Event');

/** Returns how lists show an event: by its name, with the day of its start. */
export const eventLabel = (record: IDataObject): string =>
	withDetail(eventName(record), textIn(record, 'StartDate').slice(0, 10));

/** Returns the name of a registration type. Some providers name its fields like those of option groups. */
export const registrationTypeName = (record: IDataObject): string =>
	nameOf(record, 'RegistrationType', 'RegistrationOptionGroupName');

export const contactListName = (record: IDataObject): string => nameOf(record, 'ContactList');

export const readEventId = (raw: unknown): PathSegment =>
	toPathSegment('Event', readId(NAMED_NUMBER_ID, 'Event', raw));

export const readContactListId = (raw: unknown): PathSegment =>
	toPathSegment('Contact List', readId(NAMED_NUMBER_ID, 'Contact List', raw));

export const namedEvents: NamedList = {
	...lists.events,
	nameOf: eventName,
	labelOf: eventLabel,
};

export const namedContactLists: NamedList = {
	...lists.contactLists,
	nameOf: contactListName,
};

export const namedRegistrationTypes: NamedList = {
	...lists.registrationTypes,
	owner: { field: 'eventId', read: readEventId },
	nameOf: registrationTypeName,
};
