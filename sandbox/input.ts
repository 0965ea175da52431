import { ControlError } from './controlError';
import { formats } from './formats';

/** Unvalidated input from JSON or a query. */
export type Input = Record<string, unknown>;

const CENT = 0.01;
const ID = /^\d{1,15}$/;

function complain(name: string, message: string): never {
	throw new ControlError(400, message, { [name]: [message] });
}

const reject = (name: string, wanted: string): never =>
	complain(name, `'${name}' must be ${wanted}`);

/** Rejects unknown names: a misspelled one would otherwise be ignored silently. */
export function expectOnly(input: Input, names: readonly string[]): void {
	const unknown = Object.keys(input).find((name) => !names.includes(name));
	if (unknown === undefined) return;
	const name = unknown.slice(0, 100);
	complain(name, `There is no '${name}' here; there is: ${names.join(', ')}`);
}

/** Returns an optional text. */
export function textIn(input: Input, name: string): string | undefined {
	const value = input[name];
	return value === undefined || typeof value === 'string' ? value : reject(name, 'a text');
}

/** Returns a required text that is not blank. */
export function requiredText(input: Input, name: string): string {
	const text = textIn(input, name);
	return text === undefined || text.trim() === '' ? complain(name, `'${name}' is required`) : text;
}

/** Returns an optional text that must be one of some values. */
export function choiceIn<Word extends string>(
	input: Input,
	name: string,
	words: readonly Word[],
): Word | undefined {
	const value = input[name];
	if (value === undefined || words.includes(value as Word)) return value as Word | undefined;
	return reject(name, `one of ${words.join(', ')}`);
}

/** Returns an optional whole number from 0, also given as text, as in queries. */
export function integerIn(input: Input, name: string): number | undefined {
	const value = input[name];
	if (value === undefined) return undefined;
	const isId = typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : false;
	if (isId || (typeof value === 'string' && ID.test(value))) return Number(value);
	return reject(name, 'a whole number');
}

/** Returns a required numeric ID. */
export function idIn(input: Input, name: string): number {
	return integerIn(input, name) ?? complain(name, `'${name}' is required`);
}

/** Returns an optional amount of money, by default at least one cent. */
export function amountIn(input: Input, name: string, least = CENT): number | undefined {
	const value = input[name];
	if (value === undefined) return undefined;
	if (typeof value === 'number' && value >= least && Number.isFinite(value)) return value;
	return reject(name, `an amount of at least ${least}`);
}

/** Returns an optional boolean. */
export function flagIn(input: Input, name: string): boolean | undefined {
	const value = input[name];
	return value === undefined || typeof value === 'boolean' ? value : reject(name, 'true or false');
}

/** Returns an optional time in ms since 1970. */
export function timeIn(input: Input, name: string): number | undefined {
	const text = textIn(input, name);
	if (text === undefined) return undefined;
	return formats['date-time'](text)
		? Date.parse(text)
		: reject(name, 'a date and time such as 2030-05-17T09:00:00Z');
}

/** Returns an optional text that must match a pattern; `wanted` describes it. */
export function formIn(
	input: Input,
	name: string,
	form: RegExp,
	wanted: string,
): string | undefined {
	const text = textIn(input, name);
	return text === undefined || form.test(text) ? text : reject(name, wanted);
}

/** Returns the values that are not undefined. */
export function withoutUndefined<T extends object>(values: T): Partial<T> {
	return Object.fromEntries(
		Object.entries(values).filter(([, value]) => value !== undefined),
	) as Partial<T>;
}
