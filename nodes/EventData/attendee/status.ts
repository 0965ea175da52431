import { field } from '../../engine/field';

/** The status of an attendee, as a change (`body`) or a filter (`query`). */
export const status = (place: 'body' | 'query') =>
	field({
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Canceled', value: 'cancelled' },
			{ name: 'Confirmed', value: 'confirmed' },
			{ name: 'Registered', value: 'registered' },
		],
		default: 'confirmed',
		target: { in: place },
	});
