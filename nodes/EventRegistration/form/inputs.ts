import { field } from '../../engine/field';
import { isOn } from '../../engine/values/convert';
import { toKeysAre } from './form';
import type { KeysAre } from './form';

/** How the service writes a form is not published; the user can correct what the node finds out. */
export const formKeys = field({
	displayName: 'Form Field Order',
	name: 'formKeys',
	type: 'options',
	options: [
		{ name: 'Captions First', value: 'captions' },
		{ name: 'Detect', value: 'detect' },
		{ name: 'Names First', value: 'names' },
	],
	default: 'detect',
	description:
		'How your provider writes its form. Change it only if the node shows internal names where the captions of the form belong.',
	read: toKeysAre,
});

/** Blank values are left out, unless the user wants them to empty what the service holds. */
export const clearBlank = field({
	displayName: 'Clear Blank Fields',
	name: 'clearBlank',
	type: 'boolean',
	default: false,
	description:
		'Whether a field whose value is an empty text is emptied. Otherwise blank values are left out, and what the service holds stays.',
	read: isOn,
});

/** What a form needs of the node besides its own fields: whose it is, and the options above. */
export type FormValues<Owner extends string> = Record<Owner, string> & {
	formKeys?: KeysAre;
	clearBlank?: boolean;
};

interface Inputs {
	displayName: string;
	description: string;
	/** The name of the method that reads the form. */
	method: string;
	/** The field that says whose form it is. */
	owner: string;
	/** Whether only what the user adds is shown, as for a change. */
	onlyAdded?: boolean;
}

/** The fields of a form as inputs, fed by the form itself, or mapped by name from the input items. */
export const formInputs = (inputs: Inputs) =>
	field({
		displayName: inputs.displayName,
		name: 'details',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description: inputs.description,
		typeOptions: {
			loadOptionsDependsOn: [`${inputs.owner}.value`, 'options.formKeys'],
			resourceMapper: {
				resourceMapperMethod: inputs.method,
				mode: inputs.onlyAdded ? 'map' : 'add',
				valuesLabel: inputs.onlyAdded ? 'Fields to Change' : 'Form Fields',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: !inputs.onlyAdded,
				supportAutoMap: true,
			},
		},
	});
