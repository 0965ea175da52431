import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { integerReader } from '../../engine/values/convert';
import { readIsoDate } from '../../engine/values/dates';
import { unlessBlank } from '../../engine/values/texts';

/** Throws if a session would end before it starts. Services reject that with their own names for the fields. */
export function rejectEndBeforeStart(start: unknown, end: unknown, timezone: string): void {
	if (typeof start !== 'string' || typeof end !== 'string') return;
	const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
	if (!(endMs < startMs)) return;
	const format = new Intl.DateTimeFormat('en-GB', {
		dateStyle: 'medium',
		timeStyle: 'short',
		timeZone: timezone,
	});
	throw new BadInput(
		`'End Time' (${format.format(endMs)}) is before 'Start Time' (${format.format(startMs)})`,
		'Swap or correct the two times. Nothing was sent.',
	);
}

// Required when a session is created.
export const title = field({
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Opening keynote',
	target: { in: 'body' },
});
export const startTime = field({
	displayName: 'Start Time',
	name: 'startTime',
	type: 'dateTime',
	default: '',
	required: true,
	description: "Uses the workflow's time zone unless one is given",
	read: readIsoDate,
	target: { in: 'body' },
});
export const endTime = field({
	displayName: 'End Time',
	name: 'endTime',
	type: 'dateTime',
	default: '',
	required: true,
	description: "Uses the workflow's time zone unless one is given",
	read: (raw, context, label) => {
		const end = readIsoDate(raw, context, label);
		const start = readIsoDate(context.rawValue(startTime), context, startTime.displayName);
		rejectEndBeforeStart(start, end, context.timezone);
		return end;
	},
	target: { in: 'body' },
});

// Optional.
export const capacity = field({
	displayName: 'Capacity',
	name: 'capacity',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: '',
	placeholder: 'e.g. 120',
	description: 'Maximum number of attendees',
	read: unlessBlank(integerReader('Capacity')),
	target: { in: 'body' },
});
export const description = field({
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. What we learned in a year of running it',
	target: { in: 'body' },
});
export const location = field({
	displayName: 'Location',
	name: 'location',
	type: 'string',
	default: '',
	placeholder: 'e.g. Hall 2',
	description: 'Room, address or link',
	target: { in: 'body' },
});
export const speaker = field({
	displayName: 'Speaker',
	name: 'speaker',
	type: 'string',
	default: '',
	placeholder: 'e.g. Ingrid Solberg',
	target: { in: 'body' },
});
