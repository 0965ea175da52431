import { field } from '../../engine/field';

/** Where an attendee stands. */
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
