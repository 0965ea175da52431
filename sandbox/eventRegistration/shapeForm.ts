import type { FormField } from '../demoData';
import type { SettingValue } from '../service';

/** Possible formats of a form in a response; the real one is not known. */
export const formShapes = ['captionToName', 'nameToCaption', 'array', 'object'] as const;

/** Returns a form in one of these formats. */
export function shapeForm(form: readonly FormField[], shape: SettingValue | undefined): unknown {
	const describedFields = form.map(({ name, caption, type, required, options }) => ({
		name,
		caption,
		type,
		required,
		...(options && { options }),
	}));
	switch (shape) {
		case 'array':
			return describedFields;
		case 'object':
			return Object.fromEntries(describedFields.map((field) => [field.name, field]));
		case 'nameToCaption':
			return Object.fromEntries(form.map(({ name, caption }) => [name, caption]));
		default:
			return Object.fromEntries(form.map(({ name, caption }) => [caption, name]));
	}
}
