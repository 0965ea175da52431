import { collection, field } from '../engine/field';
import type { Field, Target } from '../engine/field';
import { locator } from '../engine/panel/locator';
import { idNumberReader } from '../engine/values/convert';
import { readIsoDate } from '../engine/values/dates';
import { NAMED_NUMBER_ID, NUMBER_ID } from './ids';

const inPath: Target = { in: 'path' };

export const eventId = locator({
	displayName: 'Event',
	name: 'eventId',
	list: 'searchEvents',
	id: NAMED_NUMBER_ID,
	example: '1004',
	exampleName: 'Spring Conference',
	target: inPath,
});

/** The event, if its numeric ID is the whole body of the request. */
export const eventIdAsBody: Field<'eventId', number | bigint> = {
	...eventId,
	read: idNumberReader('Event', NAMED_NUMBER_ID.advice),
	target: { in: 'wholeBody' },
};

/** The event as a query parameter, for requests whose path has the ID of another record. */
export const eventIdInQuery: Field<'eventId', string> = { ...eventId, target: { in: 'query' } };

export const registrationId = locator({
	displayName: 'Registration',
	name: 'registrationId',
	list: 'searchRegistrations',
	id: NUMBER_ID,
	example: '500017',
	target: inPath,
	within: 'eventId',
});

export const registrationTypeId = locator({
	displayName: 'Registration Type',
	name: 'registrationTypeId',
	list: 'searchRegistrationTypes',
	id: NAMED_NUMBER_ID,
	example: '2013',
	exampleName: 'Speaker',
	description: 'For example attendee or speaker',
	target: inPath,
	within: 'eventId',
});

export const sessionId = locator({
	displayName: 'Session',
	name: 'sessionId',
	list: 'searchSessions',
	id: NUMBER_ID,
	example: '3121',
	target: inPath,
	within: 'eventId',
});

export const optionGroupId = locator({
	displayName: 'Option Group',
	name: 'optionGroupId',
	list: 'searchOptionGroups',
	id: NUMBER_ID,
	example: '4011',
	description: 'For example workshops or meals',
	target: { in: 'path', as: 'groupId' },
	within: 'eventId',
});

export const contactListId = locator({
	displayName: 'Contact List',
	name: 'contactListId',
	list: 'searchContactLists',
	id: NAMED_NUMBER_ID,
	example: '7003',
	exampleName: 'Newsletter',
	target: inPath,
});

export const contactId = locator({
	displayName: 'Contact',
	name: 'contactId',
	list: 'searchContacts',
	id: NUMBER_ID,
	example: '800214',
	target: inPath,
	within: 'contactListId',
});

/** Creates a date-time field. A value without an offset is in the time zone of the workflow. */
export const dateTimeField = <Name extends string>(
	displayName: string,
	name: Name,
	description: string,
	target?: Target,
) =>
	field({
		displayName,
		name,
		type: 'dateTime',
		default: '',
		description,
		read: readIsoDate,
		target,
	});

export const filters = <Fields extends Field[]>(options: [...Fields]) =>
	collection({ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter', options });

/** Creates the filter for changed records. `as` is the query parameter, which differs between the lists. */
export const changedAfter = (as: string, description: string) =>
	filters([dateTimeField('Changed After', 'changedAfter', description, { in: 'query', as })]);

/** Creates the filter for new records, for lists that the service cannot filter by time of change. */
export const createdAfter = (description: string) =>
	filters([
		dateTimeField('Created After', 'createdAfter', description, { in: 'query', as: 'addedAfter' }),
	]);
