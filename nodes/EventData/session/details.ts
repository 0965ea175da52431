import { isoDate } from '../../engine/values/dates';
import type { Field } from '../../engine/operation';
import { integer } from '../../engine/values/convert';

/** The details of a session that must be there. */
export const title: Field = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	placeholder: 'e.g. Opening keynote',
	description: 'What the session is called in the schedule',
	target: { in: 'body' },
};
export const startTime: Field = {
	displayName: 'Start Time',
	name: 'startTime',
	type: 'dateTime',
	default: '',
	description: 'When the session begins. Without a time zone, the one of the workflow is meant.',
	target: { in: 'body', value: isoDate },
};
export const endTime: Field = {
	displayName: 'End Time',
	name: 'endTime',
	type: 'dateTime',
	default: '',
	description: 'When the session ends. Without a time zone, the one of the workflow is meant.',
	target: { in: 'body', value: isoDate },
};

/** The details that may be left out. */
export const details: Field[] = [
	{
		displayName: 'Capacity',
		name: 'capacity',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 0,
		description: 'How many people fit in',
		target: { in: 'body', value: integer('Capacity') },
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. What we learned in a year of running it',
		description: 'What the session is about',
		target: { in: 'body' },
	},
	{
		displayName: 'Location',
		name: 'location',
		type: 'string',
		default: '',
		placeholder: 'e.g. Hall 2',
		description: 'The room or the link where it takes place',
		target: { in: 'body' },
	},
	{
		displayName: 'Speaker',
		name: 'speaker',
		type: 'string',
		default: '',
		placeholder: 'e.g. Ingrid Solberg',
		description: 'Who speaks',
		target: { in: 'body' },
	},
];
