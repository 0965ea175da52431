import { make } from '/common/dom.js';

/** Longer values are shown on their own lines below the name. */
const MAX_INLINE_LENGTH = 26;
/** Matches text for machines: JSON, addresses, statements, escapes, several lines, a very long word. */
const MACHINE_TEXT = /^\s*[[{]|:\/\/|[\n\t\\=<>{};]|\S{27,}/;

/** Returns a name with its complete value: the user must see everything that is approved. */
export function createDetailRow(name, value) {
	const isLong =
		value.length > MAX_INLINE_LENGTH || name.length > MAX_INLINE_LENGTH || /\n/.test(value);
	return make(
		'div',
		{ class: isLong && 'long' },
		make('dt', {}, name),
		value === ''
			? make('dd', { class: 'missing' }, 'empty')
			: make('dd', { class: MACHINE_TEXT.test(value) && 'code' }, value),
	);
}
