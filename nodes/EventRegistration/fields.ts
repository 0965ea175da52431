import { collection, field } from '../engine/field';
import type { Field, Target } from '../engine/field';
import { locator } from '../engine/panel/locator';
import { idNumber } from '../engine/values/convert';
import { isoDate } from '../engine/values/dates';

const inPath: Target = { in: 'path' };

/** The event to work with. */
export const eventId = locator({
	displayName: 'Event',
	name: 'eventId',
	list: 'searchEvents',
	example: '1004',
	description: 'The event to work with',
	target: inPath,
});

/** The event whose number is the whole body of the request. */
export const eventIdAsBody: Field<'eventId', number | bigint> = {
	...eventId,
	read: idNumber('Event'),
	target: { in: 'wholeBody' },
};

/** The event as an addition to another ID. */
export const eventIdInQuery: Field<'eventId', string> = { ...eventId, target: { in: 'query' } };

export const registrationId = locator({
	displayName: 'Registration',
	name: 'registrationId',
	list: 'searchRegistrations',
	example: '500017',
	description: 'The registration to work with: who is registered for the event',
	target: inPath,
	within: 'eventId',
});

export const registrationTypeId = locator({
	displayName: 'Registration Type',
	name: 'registrationTypeId',
	list: 'searchRegistrationTypes',
	example: '2013',
	description: 'The kind of registration, such as attendee or speaker',
	target: inPath,
	within: 'eventId',
});

export const sessionId = locator({
	displayName: 'Session',
	name: 'sessionId',
	list: 'searchSessions',
	example: '3121',
	description: 'The session of the event to work with',
	target: inPath,
	within: 'eventId',
});

export const optionGroupId = locator({
	displayName: 'Option Group',
	name: 'optionGroupId',
	list: 'searchOptionGroups',
	example: '4011',
	description: 'The group of options, such as workshops or meals',
	target: { in: 'path', as: 'groupId' },
	within: 'eventId',
});

export const contactListId = locator({
	displayName: 'Contact List',
	name: 'contactListId',
	list: 'searchContactLists',
	example: '7003',
	description: 'The contact list to work with',
	target: inPath,
});

export const contactId = locator({
	displayName: 'Contact',
	name: 'contactId',
	list: 'searchContacts',
	example: '800214',
	description: 'The contact in the list to work with',
	target: inPath,
	within: 'contactListId',
});

/** A moment; one without a time zone is taken to be in the user's. */
export const moment = <Name extends string>(
	displayName: string,
	name: Name,
	description: string,
	target: Target,
) =>
	field({ displayName, name, type: 'dateTime', default: '', description, read: isoDate, target });

/** The filter of an incremental read, whatever the service calls it for this list. */
export const changedAfter = (as: string, description: string) =>
	collection({
		displayName: 'Filters',
		name: 'filters',
		placeholder: 'Add filter',
		description: 'Which of them to get',
		options: [moment('Changed After', 'changedAfter', description, { in: 'query', as })],
	});
