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
		{ name: 'Detect', value: 'detect' },
		{ name: 'Labels First', value: 'captions' },
		{ name: 'Names First', value: 'names' },
	],
	default: 'detect',
	description: 'Change only if the form shows internal names instead of labels',
	read: toKeysAre,
});

/** Blank values are left out, unless the user wants them to empty what the service holds. */
export const clearBlank = field({
	displayName: 'Clear Blank Fields',
	name: 'clearBlank',
	type: 'boolean',
	default: false,
	description: 'Whether blank values clear the field. If off, blank values are ignored.',
	read: isOn,
});

/** What a form needs of the node besides its own fields: whose it is, and the options above. */
export type FormValues<Owner extends string> = Record<Owner, string> & {
	formKeys?: KeysAre;
	clearBlank?: boolean;
};

interface FormInputsOptions {
	displayName: string;
	description: string;
	/** The name of the method that reads the form. */
	method: string;
	/** The field that says whose form it is. */
	owner: string;
	/** Whether only what the user adds is shown, as for a change. */
	startsEmpty?: boolean;
}

/** The fields of a form as inputs, fed by the form itself, or mapped by name from the input items. */
export const formInputs = (inputs: FormInputsOptions) =>
	field({
		displayName: inputs.displayName,
		name: 'details',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description: inputs.description,
		// Before that there is no form, and n8n would complain in red that it has no fields.
		displayOptions: { hide: { [inputs.owner]: [''] } },
		typeOptions: {
			loadOptionsDependsOn: [`${inputs.owner}.value`, 'options.formKeys'],
			resourceMapper: {
				resourceMapperMethod: inputs.method,
				mode: inputs.startsEmpty ? 'map' : 'add',
				valuesLabel: inputs.startsEmpty ? 'Update Fields' : 'Form Fields',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: !inputs.startsEmpty,
				supportAutoMap: true,
			},
		},
	});
