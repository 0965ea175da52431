import type { Field } from '../field';
import { MOST_RECORDS } from '../http/pages';

/** Return All and Limit, as every list offers them. */
export const limitFields: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** How far Return All goes at most; an option of every list. */
export const mostRecords: Field = {
	displayName: 'Most Records',
	name: 'mostRecords',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: MOST_RECORDS,
	description:
		'How many records Return All reads at most, so that a list that never ends does not fill the memory. A hint beside the output says when it was reached.',
	displayOptions: { show: { '/returnAll': [true] } },
};
