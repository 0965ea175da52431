import { isoDate } from '../engine/values/dates';
import type { Field, Target } from '../engine/operation';
import { idNumber } from '../engine/values/convert';
import { locator } from '../engine/panel/locator';

const inPath: Target = { in: 'path' };

/** The event to work with. */
export const eventId: Field = locator({
	displayName: 'Event',
	name: 'eventId',
	list: 'searchEvents',
	example: '1004',
	description: 'The event to work with',
	target: inPath,
});

/** The event whose number is the whole body of the request. */
export const eventIdAsBody: Field = {
	...eventId,
	target: { in: 'wholeBody', value: idNumber('Event') },
};

/** The event as an addition to another ID. */
export const eventIdInQuery: Field = { ...eventId, target: { in: 'query' } };

export const registrationId: Field = locator({
	displayName: 'Registration',
	name: 'registrationId',
	list: 'searchRegistrations',
	example: '500017',
	description: 'The registration to work with: who is registered for the event',
	target: inPath,
	within: 'eventId',
});

export const registrationTypeId: Field = locator({
	displayName: 'Registration Type',
	name: 'registrationTypeId',
	list: 'searchRegistrationTypes',
	example: '2013',
	description: 'The kind of registration, such as attendee or speaker',
	target: inPath,
	within: 'eventId',
});

export const sessionId: Field = locator({
	displayName: 'Session',
	name: 'sessionId',
	list: 'searchSessions',
	example: '3121',
	description: 'The session of the event to work with',
	target: inPath,
	within: 'eventId',
});

export const optionGroupId: Field = locator({
	displayName: 'Option Group',
	name: 'optionGroupId',
	list: 'searchOptionGroups',
	example: '4011',
	description: 'The group of options, such as workshops or meals',
	target: { in: 'path', as: 'groupId' },
	within: 'eventId',
});

export const contactListId: Field = locator({
	displayName: 'Contact List',
	name: 'contactListId',
	list: 'searchContactLists',
	example: '7003',
	description: 'The contact list to work with',
	target: inPath,
});

export const contactId: Field = locator({
	displayName: 'Contact',
	name: 'contactId',
	list: 'searchContacts',
	example: '800214',
	description: 'The contact in the list to work with',
	target: inPath,
	within: 'contactListId',
});

/** A choice of filters or search criteria, each optional. */
export const choices = (displayName: string, description: string, options: Field[]): Field => ({
	displayName,
	name: displayName.toLowerCase().replace(/ ./g, (part) => part[1]!.toUpperCase()),
	type: 'collection',
	placeholder: `Add ${displayName === 'Criteria' ? 'criterion' : displayName.toLowerCase().replace(/s$/, '')}`,
	default: {},
	description,
	options,
});

/** A moment; one without a time zone is taken to be in the user's. */
export const moment = (
	displayName: string,
	name: string,
	description: string,
	target: Target,
): Field => ({
	displayName,
	name,
	type: 'dateTime',
	default: '',
	description,
	target: { ...target, value: isoDate },
});

/** The filter of an incremental read, whatever the service calls it for this list. */
export const changedAfter = (as: string, description: string): Field =>
	choices('Filters', 'Which of them to get', [
		moment('Changed After', 'changedAfter', description, { in: 'query', as }),
	]);
