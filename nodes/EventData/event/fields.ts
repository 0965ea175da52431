import type { Field } from '../../engine/operation';

/** Picks an event from the list or by its ID. */
export const eventId: Field = {
	displayName: 'Event',
	name: 'eventId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The event to work with',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose an event…',
			typeOptions: { searchListMethod: 'searchEvents', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. evt_1004' },
	],
	target: { in: 'path' },
};
