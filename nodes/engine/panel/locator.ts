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
	/** Needed only if the label does not explain the field. */
	description?: string;
	target: Target;
	/** A name for the placeholder, if the record can be given by name. The catalog's `names` then has the list. */
	exampleName?: string;
	/** The name of another locator whose value the list depends on. n8n reloads the list when that value changes. */
	within?: string;
}

/** Name of the mode in which a locator holds a name. Workflows store it. */
export const NAME_MODE = 'name';

/**
 * Creates a required field that picks one record: from the service's list, by its ID, or by its name if there is
 * `exampleName`.
 */
export function locator<Name extends string>(spec: LocatorSpec<Name>): Field<Name, string> {
	const { displayName, name, list, id, example, exampleName, description, target, within } = spec;
	const noun = displayName.toLowerCase();
	const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
	const nameHint = exampleName
		? `Or a name such as ${exampleName}, as { __rl: true, mode: 'name', value: '…' }.`
		: 'A name does not work here.';
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		...(description && { description }),
		builderHint: {
			propertyHint: `An ID such as ${example}, as { __rl: true, mode: 'id', value: '…' }. It comes from Get Many, from a trigger or from the operation that created the ${noun}. ${nameHint}`,
		},
		...(within && { typeOptions: { loadOptionsDependsOn: [`${within}.value`] } }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Choose ${article} ${noun}…`,
				typeOptions: { searchListMethod: list, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
			...(exampleName
				? [
						{
							displayName: 'By Name',
							name: NAME_MODE,
							type: 'string' as const,
							placeholder: `e.g. ${exampleName}`,
							hint: 'Case and accents do not matter',
						},
					]
				: []),
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
