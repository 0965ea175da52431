import { make } from '/common/dom.js';

/** A longer value gets lines of its own, below its name. */
const LONGEST_BESIDE = 26;
/** What a machine is to read: JSON, addresses, statements, escapes, several lines, a word that nobody would write. */
const CODE = /^\s*[[{]|:\/\/|[\n\t\\=<>{};]|\S{27,}/;

/** A name and its value, all of it: what is not seen is not approved. */
export function detailRow(name, value) {
	const long = value.length > LONGEST_BESIDE || name.length > LONGEST_BESIDE || /\n/.test(value);
	return make(
		'div',
		{ class: long && 'long' },
		make('dt', {}, name),
		value === ''
			? make('dd', { class: 'missing' }, 'empty')
			: make('dd', { class: CODE.test(value) && 'code' }, value),
	);
}
