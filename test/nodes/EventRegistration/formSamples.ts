import fc from 'fast-check';

import type { FormField } from '../../../nodes/EventRegistration/form/readForm';

/** Names and captions as organizers make them up, hostile ones included. */
export const nasty = fc.constantFrom(
	'__proto__',
	'constructor',
	'toString',
	'a"b',
	"O'Brien?",
	'100% sure',
	'%22',
	'x["y"]',
	'back\\slash',
	'a.b.c',
	'Größe 👕',
	'اسم الشركة',
	'fields',
	'data',
);
/** A name as programmers make it up. */
export const word = fc.stringMatching(/^[A-Za-z]\w{0,12}$/);
const caption = fc.oneof(nasty, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }));

/** The fields that every form has. */
export const personFields: FormField[] = [
	{ name: 'FirstName', caption: 'First name', required: false },
	{ name: 'LastName', caption: 'Last name', required: false },
	{ name: 'Email', caption: 'Email address', required: false },
];

const dropDuplicates = (fields: FormField[]) => {
	const clean = fields.map((field) => ({ ...field, caption: field.caption.trim() || 'x' }));
	return clean.filter(
		({ name, caption: text }, index) =>
			clean.findIndex((other) => other.name === name) === index &&
			clean.findIndex((other) => other.caption === text) === index,
	);
};

/** A form with the fields that every form has, and others. */
export const forms = fc
	.array(fc.record({ name: fc.oneof(word, nasty), caption, required: fc.boolean() }), {
		maxLength: 30,
	})
	.map((extra) => dropDuplicates([...personFields, ...extra]));
