import { field } from '../../engine/field';
import { isOn } from '../../engine/values/convert';
import { readFormKeyOrder } from './readForm';
import type { FormKeyOrder } from './readForm';

/** The service does not document the format of its forms, so the user can correct the detection. */
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
	read: readFormKeyOrder,
});

export const clearBlank = field({
	displayName: 'Clear Blank Fields',
	name: 'clearBlank',
	type: 'boolean',
	default: false,
	description: 'Whether blank values clear the field. If off, blank values are ignored.',
	read: isOn,
});

/** Parameters that a form needs besides its own fields: its owner and the options above. */
export type FormParameters<Owner extends string> = Record<Owner, string> & {
	formKeys?: FormKeyOrder;
	clearBlank?: boolean;
};

interface FormInputsOptions {
	displayName: string;
	description: string;
	/** The name of the `resourceMapping` method that loads the form. */
	method: string;
	/** The parameter with the event or contact list that has the form. */
	owner: string;
	/** Whether no field is shown until the user adds it, as for an update. */
	startsEmpty?: boolean;
}

/** Name of the parameter with the resource mapper of a form. */
export const DETAILS_FIELD = 'details';

/** Creates the resource mapper of a form: the user fills in its fields, or maps input items to them by name. */
export const formInputs = (inputs: FormInputsOptions) =>
	field({
		displayName: inputs.displayName,
		name: DETAILS_FIELD,
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description: inputs.description,
		builderHint: {
			propertyHint:
				"{ mappingMode: 'defineBelow', value: { FirstName: '…', LastName: '…', Email: '…' } }, with the field names of the form of the event or contact list: Get Form lists them. mappingMode 'autoMapInputData' sends the fields of the input item that have these names.",
		},
		// Without an owner there is no form; n8n (2.41.1) would show an error that no fields were found.
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
