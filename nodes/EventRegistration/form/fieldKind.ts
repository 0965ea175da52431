/** The type of the values of a form field. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'date' | 'dateTime' | 'choices';

/** Returns the kind of a field by its type, of the service or of n8n. An unknown type is text. */
export function fieldKind(type = ''): FieldKind {
	if (/^(date.?time|timestamp)/i.test(type)) return 'dateTime';
	if (/^date$/i.test(type)) return 'date';
	if (/^(bool|boolean|checkbox|switch|yes.?no)$/i.test(type)) return 'boolean';
	if (/^(number|numeric|int|integer|decimal|float|currency)$/i.test(type)) return 'number';
	return /multi|checkboxes/i.test(type) ? 'choices' : 'text';
}
