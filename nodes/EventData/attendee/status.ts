import { field } from '../../engine/field';

/** Where an attendee stands. */
export const status = (place: 'body' | 'query', description: string) =>
	field({
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Cancelled', value: 'cancelled' },
			{ name: 'Confirmed', value: 'confirmed' },
			{ name: 'Registered', value: 'registered' },
		],
		default: 'confirmed',
		description,
		target: { in: place },
	});
