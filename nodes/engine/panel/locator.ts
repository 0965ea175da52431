import type { Field, Target } from '../field';
import { idReader } from '../http/ids';
import type { IdForm } from '../http/ids';

/** What a locator picks, and where the choice goes. */
interface LocatorSpec<Name extends string> {
	displayName: string;
	name: Name;
	/** The name of the list to pick from. */
	list: string;
	/** What its IDs look like, and one of them. */
	id?: IdForm;
	example: string;
	/** Only where there is more to say than the label does. */
	description?: string;
	target: Target;
	/** Another field whose choice decides what is in the list. */
	within?: string;
}

/** Picks one thing from the service's list, or by its ID. */
export function locator<Name extends string>(picked: LocatorSpec<Name>): Field<Name, string> {
	const { displayName, name, list, id, example, description, target, within } = picked;
	const thing = displayName.toLowerCase();
	const article = /^[aeiou]/.test(thing) ? 'an' : 'a';
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		...(description && { description }),
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
