import { collection, optional } from '../engine/field';
import type { Field } from '../engine/field';
import { textIdFormat } from '../engine/http/ids';
import { locator } from '../engine/panel/locator';

const ID = textIdFormat(64);

export const eventId = locator({
	displayName: 'Event',
	name: 'eventId',
	list: 'searchEvents',
	id: ID,
	example: 'evt_1004',
	target: { in: 'path' },
});
export const attendeeId = locator({
	displayName: 'Attendee',
	name: 'attendeeId',
	list: 'searchAttendees',
	id: ID,
	example: 'att_20417',
	target: { in: 'path' },
});
export const sessionId = locator({
	displayName: 'Session',
	name: 'sessionId',
	list: 'searchSessions',
	id: ID,
	example: 'ses_3021',
	target: { in: 'path' },
});
export const registrationId = locator({
	displayName: 'Registration',
	name: 'registrationId',
	list: 'searchRegistrations',
	id: ID,
	example: 'reg_50233',
	target: { in: 'path' },
});

/** Returns a copy of a field that is sent in the body. */
export const inBody = <Name extends string, Value>(
	base: Field<Name, Value>,
): Field<Name, Value> => ({ ...base, target: { in: 'body' } });

/** Returns a copy of a field as an optional filter, sent in the query. */
export const asFilter = <Name extends string, Value>(base: Field<Name, Value>) =>
	optional(base, { target: { in: 'query' } });

/**
 * Returns a copy of a field as an optional change, sent in the body. A blank text empties the field at the service; a blank
 * date is omitted, because its reader returns undefined.
 */
export const asChange = <Name extends string, Value>(base: Field<Name, Value>) =>
	optional(base, { target: { in: 'body' } });

/** Returns a copy of a reference as an optional change. Unlike a text, a reference cannot be emptied: blank means no change. */
export const asReferenceChange = <Name extends string>(
	base: Field<Name, string>,
): Field<Name, string | undefined> => ({
	...base,
	target: { in: 'body' },
	required: undefined,
	read: (...args) => base.read?.(...args) || undefined,
});

export const filters = <Fields extends Field[]>(options: [...Fields]) =>
	collection({ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter', options });

/** The fields that an update may change. Those that the user does not add keep their values. */
export const changes = <Fields extends Field[]>(options: [...Fields]) =>
	collection({
		displayName: 'Update Fields',
		name: 'changes',
		placeholder: 'Add Field',
		description:
			'Other fields keep their values. Changes made elsewhere at the same moment may be lost.',
		options,
	});
