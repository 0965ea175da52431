import { field } from '../../engine/field';

export const name = field({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Speakers 2026',
	target: { in: 'body', as: 'Name' },
});
