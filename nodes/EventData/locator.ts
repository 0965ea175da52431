import type { Field } from '../engine/operation';

/** Picks one thing from the service's list, or by its ID. */
export function locator(
	displayName: string,
	name: string,
	searchListMethod: string,
	example: string,
	description: string,
): Field {
	const thing = displayName.toLowerCase();
	const article = /^[aeiou]/.test(thing) ? 'an' : 'a';
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Choose ${article} ${thing}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
		target: { in: 'path' },
	};
}
