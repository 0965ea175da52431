import { field } from '../../engine/field';

/** The status of a registration, as a change (`body`) or a filter (`query`). */
export const status = (place: 'body' | 'query') =>
	field({
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Canceled', value: 'cancelled' },
			{ name: 'Confirmed', value: 'confirmed' },
			{ name: 'Pending', value: 'pending' },
		],
		default: 'confirmed',
		target: { in: place },
	});
