import type { IDataObject } from 'n8n-workflow';

import { shorten } from '../values/convert';

const EMAIL_NAME = /e-?mail/i;

/**
 * Returns how error messages name an input item: its position, counted from 1 as people count the rows of a table, and its
 * email address, if it has one. Undefined for the only item.
 */
export function describeRow(input: IDataObject, index: number, count: number): string | undefined {
	if (count <= 1) return undefined;
	const email = Object.entries(input)
		.filter(([name]) => EMAIL_NAME.test(name))
		.map(([, value]) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : ''))
		.find((text) => text !== '');
	return `Row ${index + 1} of ${count}${email === undefined ? '' : ` (${shorten(email)})`}`;
}

const MAX_LISTED = 20;

/** Returns, for example, "rows 5, 18": the positions of items as people count them. */
export const listRows = (indexes: readonly number[]): string => {
	const positions = indexes.slice(0, MAX_LISTED).map((index) => index + 1);
	const rest = indexes.length > MAX_LISTED ? ' and more' : '';
	return `${indexes.length > 1 ? 'rows' : 'row'} ${positions.join(', ')}${rest}`;
};
