import type { IDataObject } from 'n8n-workflow';

import { asOutput } from '../../engine/run/execute';
import type { Operation } from '../../engine/operation';
import { readForm } from './form';
import type { KeysAre } from './form';

/** The output of a form: one item per field, or the service's own answer when Simplify is off. */
export const formOutput: Pick<Operation, 'output' | 'simplify' | 'yields'> = {
	simplify: ['name', 'caption', 'type', 'required', 'options'],
	yields: {
		name: 'string',
		caption: 'string',
		type: 'string',
		required: 'boolean',
		options: 'array',
	},
	output: (answer, call) => {
		if (call.field('simplify', true) === false) return asOutput(answer);
		const keysAre = call.option('formKeys', 'detect') as KeysAre;
		return readForm(answer.body, keysAre) as unknown as IDataObject[];
	},
};
