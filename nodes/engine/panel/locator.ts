import type { Field, Target } from '../field';
import { idReader } from '../http/ids';
import type { IdFormat } from '../http/ids';

/** Definition of a resource locator. */
interface LocatorSpec<Name extends string> {
	displayName: string;
	name: Name;
	/** The name of the `listSearch` method that fills the list. */
	list: string;
	/** The format of IDs. Without it, any text is sent. */
	id?: IdFormat;
	/** An ID for the placeholder. */
	example: string;
	/** Only if the label does not say it all. */
	description?: string;
	target: Target;
	/** The name of another locator whose value the list depends on. n8n reloads the list when that changes. */
	within?: string;
}

/** Creates a required field that picks one record: from the service's list, or by its ID. */
export function locator<Name extends string>(spec: LocatorSpec<Name>): Field<Name, string> {
	const { displayName, name, list, id, example, description, target, within } = spec;
	const thing = displayName.toLowerCase();
	const article = /^[aeiou]/.test(thing) ? 'an' : 'a';
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		...(description && { description }),
		builderHint: {
			propertyHint: `An ID such as ${example}, as { __rl: true, mode: 'id', value: '…' }. It comes from Get Many, from a trigger or from the operation that created the ${thing}; a name does not work here.`,
		},
		...(within && { typeOptions: { loadOptionsDependsOn: [`${within}.value`] } }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Choose ${article} ${thing}…`,
				typeOptions: { searchListMethod: list, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
		...(id && { read: idReader(id) }),
		target,
	};
}

/**
 * Returns the modes of a locator that may be left empty. `list` is its `listSearch` method (`withNoneRow`), whose first row,
 * `none`, clears the field. For an empty value n8n 2.41.1 shows the placeholder in place of the chosen row's name
 * (editor-ui, ResourceLocator.vue), so the placeholder is that name.
 */
export const modesWithNone = (
	modes: Field['modes'] = [],
	none: string,
	list: string,
): NonNullable<Field['modes']> =>
	modes.map((mode) =>
		mode.type === 'list'
			? {
					...mode,
					placeholder: none,
					typeOptions: { ...mode.typeOptions, searchListMethod: list },
				}
			: mode,
	);
