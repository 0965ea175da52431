import { BadInput } from '../errors';
import { readIdText } from '../values/texts';

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

declare const isSegment: unique symbol;

/** Text that stays inside one segment of a path once it is percent-encoded. Only `toPathSegment` creates it. */
export type PathSegment = string & { readonly [isSegment]: true };

/** Fills the placeholders of a path template with percent-encoded segments. */
export function fillPath(template: string, segments: Record<string, PathSegment>): string {
	return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
		const segment = segments[name];
		if (segment === undefined) throw new Error(`No value for {${name}} in ${template}`);
		return encodeURIComponent(segment);
	});
}

/**
 * Returns a value as a segment of a path, not yet encoded. Throws BadInput for values that encoding does not protect: blank
 * text, one dot, two dots, and text with an unpaired surrogate.
 */
export function toPathSegment(label: string, value: unknown): PathSegment {
	const text = toIdText(label, value);
	if (text === '.' || text === '..' || UNPAIRED_SURROGATE.test(text)) {
		throw new BadInput(
			`'${label}' is not valid`,
			`Check the value of '${label}': it can't be an ID. Nothing was sent.`,
		);
	}
	return text as PathSegment;
}

/** Converts an ID to text without surrounding white space. Throws BadInput if it is blank, or neither text nor number. */
export function toIdText(label: string, value: unknown): string {
	const isNumber = typeof value === 'number' || typeof value === 'bigint';
	const text = (isNumber ? readIdText(value, label) : value) ?? '';
	if (typeof text !== 'string') {
		throw new BadInput(`'${label}' must be text or a number`, `Check the value of '${label}'.`);
	}
	if (text.trim() === '') throw missingValueError(label);
	return text.trim();
}

/** Creates the error for a required value that is missing. */
export function missingValueError(label: string): BadInput {
	return new BadInput(
		`'${label}' is missing`,
		`Fill in '${label}'. If it comes from an expression, check that the previous node returns it. If the expression itself fails, n8n shows its error only where you edit it.`,
	);
}

/** Creates the error for a blank value that the user set, as an option or by an expression. */
export function blankValueError(label: string): BadInput {
	return new BadInput(
		`'${label}' was set but is blank`,
		`If it comes from an expression, check that the previous node returns it. If you don't need '${label}', remove the option or clear the field. Nothing was sent.`,
	);
}
