import { ControlError } from './controlError';
import { formats } from './formats';

/** What came as JSON, or in a query: nothing is known of it yet. */
export type Input = Record<string, unknown>;

const CENT = 0.01;
const ID = /^\d{1,15}$/;

function complain(name: string, message: string): never {
	throw new ControlError(400, message, { [name]: [message] });
}

const refuse = (name: string, wanted: string): never =>
	complain(name, `'${name}' must be ${wanted}`);

/** Refuses names that nobody reads: a misspelled one would otherwise change nothing and say nothing. */
export function expectOnly(input: Input, names: readonly string[]): void {
	const unknown = Object.keys(input).find((name) => !names.includes(name));
	if (unknown === undefined) return;
	const name = unknown.slice(0, 100);
	complain(name, `There is no '${name}' here; there is: ${names.join(', ')}`);
}

/** A text, if one is given. */
export function textIn(input: Input, name: string): string | undefined {
	const value = input[name];
	return value === undefined || typeof value === 'string' ? value : refuse(name, 'a text');
}

/** A text that is not blank. */
export function requiredText(input: Input, name: string): string {
	const text = textIn(input, name);
	return text === undefined || text.trim() === '' ? complain(name, `'${name}' is required`) : text;
}

/** One of some words, if one is given. */
export function wordIn<Word extends string>(
	input: Input,
	name: string,
	words: readonly Word[],
): Word | undefined {
	const value = input[name];
	if (value === undefined || words.includes(value as Word)) return value as Word | undefined;
	return refuse(name, `one of ${words.join(', ')}`);
}

/** A whole number from 0, if one is given, also one written as text, as queries have it. */
export function wholeIn(input: Input, name: string): number | undefined {
	const value = input[name];
	if (value === undefined) return undefined;
	const isId = typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : false;
	if (isId || (typeof value === 'string' && ID.test(value))) return Number(value);
	return refuse(name, 'a whole number');
}

/** The number of something that must be named. */
export function idIn(input: Input, name: string): number {
	return wholeIn(input, name) ?? complain(name, `'${name}' is required`);
}

/** An amount of money, at least a cent unless told, if one is given. */
export function amountIn(input: Input, name: string, least = CENT): number | undefined {
	const value = input[name];
	if (value === undefined) return undefined;
	if (typeof value === 'number' && value >= least && Number.isFinite(value)) return value;
	return refuse(name, `an amount of at least ${least}`);
}

/** Yes or no, if given. */
export function flagIn(input: Input, name: string): boolean | undefined {
	const value = input[name];
	return value === undefined || typeof value === 'boolean' ? value : refuse(name, 'true or false');
}

/** A moment in ms since 1970, if one is given. */
export function timeIn(input: Input, name: string): number | undefined {
	const text = textIn(input, name);
	if (text === undefined) return undefined;
	return formats['date-time'](text)
		? Date.parse(text)
		: refuse(name, 'a date and time such as 2030-05-17T09:00:00Z');
}

/** A text of a certain form, if one is given; `wanted` says which. */
export function formIn(
	input: Input,
	name: string,
	form: RegExp,
	wanted: string,
): string | undefined {
	const text = textIn(input, name);
	return text === undefined || form.test(text) ? text : refuse(name, wanted);
}

/** What is given of some values, without those that are not. */
export function given<T extends object>(values: T): Partial<T> {
	return Object.fromEntries(
		Object.entries(values).filter(([, value]) => value !== undefined),
	) as Partial<T>;
}
