import { BadInput } from '../errors';
import { idText } from '../values/texts';

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/**
 * Fills the placeholders of a path template. Each value stays inside its own segment: it is percent-encoded, and values that
 * encoding does not protect (blank, one dot, two dots) throw BadInput. Messages call the values by their labels.
 */
export function fillPath(
	template: string,
	values: Record<string, unknown>,
	labels: Record<string, string> = {},
): string {
	return template.replace(/\{([^}]+)\}/g, (_, name: string) =>
		encodeSegment(labels[name] ?? name, values[name]),
	);
}

const encodeSegment = (label: string, value: unknown) => encodeURIComponent(pathText(label, value));

/** Returns a value as text for a path segment, not yet encoded; throws BadInput if it cannot be one. */
export function pathText(label: string, value: unknown): string {
	const isNumber = typeof value === 'number' || typeof value === 'bigint';
	const text = (isNumber ? idText(value, label) : value) ?? '';
	if (typeof text !== 'string') {
		throw new BadInput(`'${label}' must be text or a number`, `Check the value of '${label}'.`);
	}
	const trimmed = text.trim();
	if (trimmed === '') throw missing(label);
	if (trimmed === '.' || trimmed === '..' || UNPAIRED_SURROGATE.test(trimmed)) {
		throw new BadInput(
			`'${label}' is not valid`,
			`Check the value of '${label}': it can't be an ID. Nothing was sent.`,
		);
	}
	return trimmed;
}

/** Creates the error for a required value that is missing. */
export function missing(label: string): BadInput {
	return new BadInput(
		`'${label}' is missing`,
		`Fill in '${label}'. If it comes from an expression, check that the previous node returns it.`,
	);
}

/** Creates the error for a blank value that the user set, as an option or by an expression. */
export function setButBlank(label: string): BadInput {
	return new BadInput(
		`'${label}' was set but is blank`,
		`If it comes from an expression, check that the previous node returns it. If you don't need '${label}', remove the option or clear the field. Nothing was sent.`,
	);
}
