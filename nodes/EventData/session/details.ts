import { field } from '../../engine/field';
import { integer } from '../../engine/values/convert';
import { isoDate } from '../../engine/values/dates';

/** The details of a session that must be there. */
export const title = field({
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Opening keynote',
	description: 'What the session is called in the schedule',
	target: { in: 'body' },
});
export const startTime = field({
	displayName: 'Start Time',
	name: 'startTime',
	type: 'dateTime',
	default: '',
	required: true,
	description: 'When the session begins. Without a time zone, the one of the workflow is meant.',
	read: isoDate,
	target: { in: 'body' },
});
export const endTime = field({
	displayName: 'End Time',
	name: 'endTime',
	type: 'dateTime',
	default: '',
	required: true,
	description: 'When the session ends. Without a time zone, the one of the workflow is meant.',
	read: isoDate,
	target: { in: 'body' },
});

/** The details that may be left out. */
export const capacity = field({
	displayName: 'Capacity',
	name: 'capacity',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description: 'How many people fit in',
	read: integer('Capacity'),
	target: { in: 'body' },
});
export const description = field({
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. What we learned in a year of running it',
	description: 'What the session is about',
	target: { in: 'body' },
});
export const location = field({
	displayName: 'Location',
	name: 'location',
	type: 'string',
	default: '',
	placeholder: 'e.g. Hall 2',
	description: 'The room or the link where it takes place',
	target: { in: 'body' },
});
export const speaker = field({
	displayName: 'Speaker',
	name: 'speaker',
	type: 'string',
	default: '',
	placeholder: 'e.g. Ingrid Solberg',
	description: 'Who speaks',
	target: { in: 'body' },
});
