import { ControlError } from './controlError';
import { formats } from './stringFormats';

/** Unvalidated input from JSON or a query. */
export type Input = Record<string, unknown>;

const CENT = 0.01;
const DIGITS = /^\d{1,15}$/;

function throwFieldError(name: string, message: string): never {
	throw new ControlError(400, message, { [name]: [message] });
}

const throwExpected = (name: string, expected: string): never =>
	throwFieldError(name, `'${name}' must be ${expected}`);

/** Rejects unknown names: a misspelled one would otherwise be ignored silently. */
export function rejectUnknownNames(input: Input, names: readonly string[]): void {
	const unknown = Object.keys(input).find((name) => !names.includes(name));
	if (unknown === undefined) return;
	const name = unknown.slice(0, 100);
	throwFieldError(name, `There is no '${name}' here; there is: ${names.join(', ')}`);
}

/** Returns an optional text. */
export function readText(input: Input, name: string): string | undefined {
	const value = input[name];
	return value === undefined || typeof value === 'string' ? value : throwExpected(name, 'a text');
}

/** Returns a required text that is not blank. */
export function readRequiredText(input: Input, name: string): string {
	const text = readText(input, name);
	return text === undefined || text.trim() === ''
		? throwFieldError(name, `'${name}' is required`)
		: text;
}

/** Returns an optional text that must be one of some values. */
export function readChoice<Choice extends string>(
	input: Input,
	name: string,
	choices: readonly Choice[],
): Choice | undefined {
	const value = input[name];
	if (value === undefined || choices.includes(value as Choice)) return value as Choice | undefined;
	return throwExpected(name, `one of ${choices.join(', ')}`);
}

/** Returns an optional whole number from 0, also given as text, as in queries. */
export function readInteger(input: Input, name: string): number | undefined {
	const value = input[name];
	if (value === undefined) return undefined;
	const isWholeNumber =
		typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : false;
	if (isWholeNumber || (typeof value === 'string' && DIGITS.test(value))) return Number(value);
	return throwExpected(name, 'a whole number');
}

/** Returns a required numeric ID. */
export function readRequiredId(input: Input, name: string): number {
	return readInteger(input, name) ?? throwFieldError(name, `'${name}' is required`);
}

/** Returns an optional amount of money, by default at least one cent. */
export function readAmount(input: Input, name: string, min = CENT): number | undefined {
	const value = input[name];
	if (value === undefined) return undefined;
	if (typeof value === 'number' && value >= min && Number.isFinite(value)) return value;
	return throwExpected(name, `an amount of at least ${min}`);
}

/** Returns an optional boolean. */
export function readBoolean(input: Input, name: string): boolean | undefined {
	const value = input[name];
	return value === undefined || typeof value === 'boolean'
		? value
		: throwExpected(name, 'true or false');
}

/** Returns an optional time in ms since 1970. */
export function readTime(input: Input, name: string): number | undefined {
	const text = readText(input, name);
	if (text === undefined) return undefined;
	return formats['date-time'](text)
		? Date.parse(text)
		: throwExpected(name, 'a date and time such as 2030-05-17T09:00:00Z');
}

/** Returns an optional text that must match a pattern; `expected` describes the pattern. */
export function readMatchingText(
	input: Input,
	name: string,
	pattern: RegExp,
	expected: string,
): string | undefined {
	const text = readText(input, name);
	return text === undefined || pattern.test(text) ? text : throwExpected(name, expected);
}

/** Returns the values that are not undefined. */
export function withoutUndefined<T extends object>(values: T): Partial<T> {
	return Object.fromEntries(
		Object.entries(values).filter(([, value]) => value !== undefined),
	) as Partial<T>;
}
