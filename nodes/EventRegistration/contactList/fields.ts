import { field } from '../../engine/field';

/** What a contact list is called. */
export const name = field({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Speakers 2026',
	target: { in: 'body', as: 'Name' },
});
