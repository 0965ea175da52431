import { field } from '../../engine/field';

/** Where a registration stands. */
export const status = (place: 'body' | 'query', description: string) =>
	field({
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Cancelled', value: 'cancelled' },
			{ name: 'Confirmed', value: 'confirmed' },
			{ name: 'Pending', value: 'pending' },
		],
		default: 'confirmed',
		description,
		target: { in: place },
	});
