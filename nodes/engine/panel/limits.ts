import type { Field } from '../field';
import { MAX_PAGE_CONCURRENCY, DEFAULT_MAX_RECORDS } from '../http/pages';

/** Return All and Limit; parameters of every list operation. */
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

/** Option of every list operation. */
export const returnEmptyItem: Field = {
	displayName: 'Return an Empty Item if Nothing Is Found',
	name: 'returnEmptyItem',
	type: 'boolean',
	default: false,
	description:
		'Whether an input item for which nothing is found gives one empty item, so that the workflow continues. Otherwise it gives none.',
};

/** Upper limit of Return All; option of operations with `paging`. */
export const mostRecords: Field = {
	displayName: 'Max Records',
	name: 'mostRecords',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_MAX_RECORDS,
	description:
		"Most records that 'Return All' reads. A hint beside the output tells you if the list was longer.",
	displayOptions: { show: { '/returnAll': [true] } },
};

/** Number of concurrent page requests; option of every list operation whose pages are numbered. */
export const pagesAtATime: Field = {
	displayName: 'Pages at a Time',
	name: 'pagesAtATime',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_PAGE_CONCURRENCY },
	default: 1,
	description:
		'How many pages Return All requests at once. More is faster if the service is far away, but records can be missed if the list changes meanwhile.',
	displayOptions: { show: { '/returnAll': [true] } },
};
