import type { ServiceResponse } from '../../engine/http/types';
import type { ItemCall, Operation, Output } from '../../engine/operation';
import { toOutput } from '../../engine/run/output';
import { identifyForm, readForm } from './readForm';
import type { FormKeyOrder } from './readForm';

const simplified: Required<Pick<Operation, 'simplify' | 'outputSchema'>> = {
	simplify: ['name', 'caption', 'type', 'required', 'options'],
	outputSchema: {
		name: 'string',
		caption: 'string',
		type: 'string',
		required: 'boolean',
		options: 'array',
	},
};

/** The output of Get Form: one item per field, or the service's response if Simplify is off. */
export const formOutput = {
	...simplified,
	requiredContent: 'content',
	identify: identifyForm,
	output: (
		response: ServiceResponse,
		{ formKeys }: { formKeys?: FormKeyOrder },
		call: ItemCall,
	): Output =>
		call.simplifies
			? readForm(response.body, formKeys).map((field) => ({ ...field }))
			: toOutput(response),
} as const;
