import type { Field } from '../../engine/operation';

/** Where an attendee stands. */
export const status = (place: 'body' | 'query', description: string): Field => ({
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
