import type { Field } from '../engine/operation';
import { locator } from '../engine/panel/locator';

/** Picks one thing by the service's own name for its ID. */
const pick = (displayName: string, list: string, example: string, description: string): Field =>
	locator({
		displayName,
		name: `${displayName.toLowerCase()}Id`,
		list,
		example,
		description,
		target: { in: 'path' },
	});

/** The things that operations are about. */
export const eventId = pick('Event', 'searchEvents', 'evt_1004', 'The event to work with');
export const attendeeId = pick(
	'Attendee',
	'searchAttendees',
	'att_20417',
	'The person to work with',
);
export const sessionId = pick('Session', 'searchSessions', 'ses_3021', 'The session to work with');
export const registrationId = pick(
	'Registration',
	'searchRegistrations',
	'reg_50233',
	'The registration to work with',
);

/** The same field, sent in the body. */
export const inBody = (field: Field): Field => ({ ...field, target: { in: 'body' } });

/** The same field as a filter or a change, which need not be given. */
export const optional = (field: Field, place: 'body' | 'query'): Field => ({
	...field,
	required: undefined,
	target: { in: place },
});

/** A choice of filters. */
export const filters = (description: string, options: Field[]): Field => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description,
	options,
});

/** The things that an update may change; what is not chosen stays as it is. */
export const changes = (options: Field[]): Field => ({
	displayName: 'Changes',
	name: 'changes',
	type: 'collection',
	placeholder: 'Add change',
	default: {},
	description: 'What to change. Everything else stays as it is.',
	options,
});
