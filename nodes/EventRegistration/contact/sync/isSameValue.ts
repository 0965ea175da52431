import type { SyncField } from './types';

/** The type of a field, as far as the form specifies it. */
export type ValueType = Pick<SyncField, 'kind' | 'options'>;

const DECIMAL = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/;
const YES = /^(true|yes|y|1|on)$/i;
const NO = /^(false|no|n|0|off)$/i;
/** A date alone or at midnight. At any other time, the date may differ in the service's time zone. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/;

/**
 * Whether the service's value is the one that would be sent. Texts are compared without surrounding white space. The field's
 * type in the form makes different spellings of a value equal. A spelling that does not fit the type is compared as text.
 */
export function isSameValue(type: ValueType, newValue: string, storedValue: string): boolean {
	const [newText, storedText] = [newValue.trim(), storedValue.trim()];
	if (newText === storedText) return true;
	const meaning = meaningOf(type, newText);
	return meaning !== undefined && meaning === meaningOf(type, storedText);
}

/** Returns a text that is equal for all spellings of a value; undefined if the text does not fit the kind. */
function meaningOf({ kind, options }: ValueType, text: string): string | undefined {
	switch (kind) {
		case 'number':
			return canonicalDecimal(text);
		case 'boolean':
			return YES.test(text) ? 'yes' : NO.test(text) ? 'no' : undefined;
		case 'date':
			return DAY.exec(text)?.[1];
		case 'dateTime':
			return momentOf(text);
		case 'choices':
			return text === '' ? undefined : JSON.stringify(choicesIn(text, options).sort());
		default:
			return undefined;
	}
}

/** Returns a number as normalized digits. Floating-point numbers would make different long numbers equal. */
function canonicalDecimal(text: string): string | undefined {
	const [, sign, integer = '', fraction = ''] = /\d/.test(text) ? (DECIMAL.exec(text) ?? []) : [];
	if (sign === undefined) return undefined;
	const digits = `${integer || '0'}.${fraction}`;
	return digits === '0.' ? digits : `${sign === '-' ? '-' : ''}${digits}`;
}

/** Returns a date and time in milliseconds. A text without an offset counts as UTC, because the node sends times in UTC. */
function momentOf(text: string): string | undefined {
	const [, day, time, zone = 'Z'] = MOMENT.exec(text) ?? [];
	const ms = Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(ms) ? undefined : `${ms}`;
}

/**
 * Returns the answers in a text. Services differ in separator and order. An option of the form may contain a separator, so
 * the longest option that fits counts.
 */
function choicesIn(text: string, options: readonly string[] = []): string[] {
	const choices: string[] = [];
	let rest = text;
	while ((rest = rest.replace(/^[\s,;|]+/, '')) !== '') {
		const choice =
			longest(options.filter((option) => startsWithChoice(rest, option))) ??
			/^[^,;|\n]+/.exec(rest)![0];
		choices.push(choice.trim());
		rest = rest.slice(choice.length);
	}
	return choices;
}

const startsWithChoice = (text: string, choice: string) =>
	choice !== '' && text.startsWith(choice) && /^\s*(?:[,;|\n]|$)/.test(text.slice(choice.length));

const longest = (texts: string[]) => texts.sort((a, b) => b.length - a.length)[0];
