import { collection, optional } from '../engine/field';
import type { Field } from '../engine/field';
import { locator } from '../engine/panel/locator';

/** The things that operations are about. */
export const eventId = locator({
	displayName: 'Event',
	name: 'eventId',
	list: 'searchEvents',
	example: 'evt_1004',
	description: 'The event to work with',
	target: { in: 'path' },
});
export const attendeeId = locator({
	displayName: 'Attendee',
	name: 'attendeeId',
	list: 'searchAttendees',
	example: 'att_20417',
	description: 'The person to work with',
	target: { in: 'path' },
});
export const sessionId = locator({
	displayName: 'Session',
	name: 'sessionId',
	list: 'searchSessions',
	example: 'ses_3021',
	description: 'The session to work with',
	target: { in: 'path' },
});
export const registrationId = locator({
	displayName: 'Registration',
	name: 'registrationId',
	list: 'searchRegistrations',
	example: 'reg_50233',
	description: 'The registration to work with',
	target: { in: 'path' },
});

/** The same field, sent in the body. */
export const inBody = <Name extends string, Value>(
	own: Field<Name, Value>,
): Field<Name, Value> => ({ ...own, target: { in: 'body' } });

/** The same field as a filter, which need not be given. */
export const asFilter = <Name extends string, Value>(own: Field<Name, Value>) =>
	optional(own, { target: { in: 'query' } });

/** The same field as a change, which need not be given. */
export const asChange = <Name extends string, Value>(own: Field<Name, Value>) =>
	optional(own, { target: { in: 'body' } });

/** A choice of filters. */
export const filters = <Fields extends Field[]>(description: string, options: [...Fields]) =>
	collection({
		displayName: 'Filters',
		name: 'filters',
		placeholder: 'Add filter',
		description,
		options,
	});

/** The things that an update may change; what is not chosen stays as it is. */
export const changes = <Fields extends Field[]>(options: [...Fields]) =>
	collection({
		displayName: 'Changes',
		name: 'changes',
		placeholder: 'Add change',
		description: 'What to change. Everything else stays as it is.',
		options,
	});
