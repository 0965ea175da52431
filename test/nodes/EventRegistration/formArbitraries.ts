import fc from 'fast-check';

import type { FormField } from '../../../nodes/EventRegistration/form/readForm';

/** Draws names and captions that are hard to handle: quotes, other scripts, names of object properties. */
export const anyUnusualName = fc.constantFrom(
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
/** Draws names of letters, digits and underscores. */
export const anySimpleName = fc.stringMatching(/^[A-Za-z]\w{0,12}$/);
const anyCaption = fc.oneof(
	anyUnusualName,
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
);

/** The fields that every form has. */
export const personFields: FormField[] = [
	{ name: 'FirstName', caption: 'First name', required: false },
	{ name: 'LastName', caption: 'Last name', required: false },
	{ name: 'Email', caption: 'Email address', required: false },
];

/** Trims captions, and drops fields whose name or caption occurred before. */
const dropDuplicates = (fields: FormField[]) => {
	const trimmedFields = fields.map((field) => ({ ...field, caption: field.caption.trim() || 'x' }));
	return trimmedFields.filter(
		({ name, caption: text }, index) =>
			trimmedFields.findIndex((other) => other.name === name) === index &&
			trimmedFields.findIndex((other) => other.caption === text) === index,
	);
};

/** Draws forms with the fields that every form has, and others. */
export const anyForm = fc
	.array(
		fc.record({
			name: fc.oneof(anySimpleName, anyUnusualName),
			caption: anyCaption,
			required: fc.boolean(),
		}),
		{
			maxLength: 30,
		},
	)
	.map((otherFields) => dropDuplicates([...personFields, ...otherFields]));
