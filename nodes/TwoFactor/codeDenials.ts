import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../engine/values/isRecord';
import { isTrue } from './responses';

/** Last words of the names of members that state the result of a check, such as "is_valid", "codeVerified" and "status". */
const RESULT_NAMES = new Set(
	'accepted approved authenticated authorized confirmed correct match matched matches ok outcome passed result state status success successful valid validated verified'.split(
		' ',
	),
);

/** Words that confirm a code as a stated result. Any other result denies it, since services have many words for "no". */
const CONFIRMATIONS = new Set(
	'accepted approved authenticated authorized complete completed confirmed correct done match matched matches ok okay passed success successful succeeded true valid validated verified yes'.split(
		' ',
	),
);

/** Words that deny a code in any text. Longer words that begin so, in other languages too, count as well. */
const DENIAL =
	/\b(?:invalid|incorrect|wrong|expired|pending|unknown|already used|too many|unverified|unsuccessful|mismatch|denied|declined|reject|refused|failed|failure)/;

/** A negation of a confirming word, with up to two words in between: "could not be verified", "no longer valid". */
const NEGATED_CONFIRMATION =
	/\b(?:no|not|never|cannot|\w+n['’]t)\s+(?:\w+\s+){0,2}(?:accepted|approved|confirmed|correct|match|ok|recogni[sz]ed|right|successful|valid|verified)/;

/** Names of members that report an error. */
const ERROR_NAME = /^(errors?|error_?(code|message)|faults?|fail(ed|ure)?)$/i;

/** Parts of names that state the result of a check wherever they stand, such as "valid_code". */
const RESULT_PART = /valid|verif|match|correct/i;

/** Member that describes the user's device. Its status is not that of the code. */
const DEVICE = 'device';

/**
 * Whether a member of a response denies the code that `success` confirms, or reports an error. Judges the members of the body
 * and, one level deep, those of the objects and lists in it.
 */
export function deniesCode(body: IDataObject): boolean {
	const inner = Object.entries(body)
		.filter(([name]) => name !== DEVICE)
		.flatMap(([, value]) => [value].flat().filter(isRecord));
	return [body, ...inner].some((record) =>
		Object.entries(record).some(
			([name, value]) => reportsError(name, value) || deniesByMember(name, value, record === body),
		),
	);
}

function deniesByMember(name: string, value: unknown, isOuter: boolean): boolean {
	if (value === undefined || value === null) return false;
	const lastWord = toWords(name).split(' ').at(-1)!;
	if (DENIAL.test(lastWord) && (isTrue(value) || value === 1)) return true;
	if (RESULT_PART.test(name) && value === false) return !DENIAL.test(toWords(name));
	if (!RESULT_NAMES.has(lastWord)) {
		return [value].flat().some((text) => typeof text === 'string' && deniesInText(text));
	}
	// The members of an object in the body are judged on their own.
	return isRecord(value) ? !isOuter : !confirms(value);
}

/** Whether a stated result confirms the code: true, 1, a success status or a confirming word. */
function confirms(result: unknown): boolean {
	if (typeof result === 'boolean') return result;
	const words = typeof result === 'object' ? '' : toWords(`${result}`);
	if (/^(1|2\d\d)$/.test(words)) return true;
	return !deniesInText(words) && words.split(/\W+/).some((word) => CONFIRMATIONS.has(word));
}

function deniesInText(text: string): boolean {
	const words = toWords(text);
	return DENIAL.test(words) || NEGATED_CONFIRMATION.test(words);
}

/** Returns a name or text in lower case without accents, and with spaces between the words: "codeNotValid" becomes "code not valid". */
const toWords = (text: string): string =>
	text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
		.replace(/[_\s-]+/g, ' ')
		.trim()
		.toLowerCase();

const reportsError = (name: string, value: unknown): boolean =>
	ERROR_NAME.test(name) && !isEmpty(value);

const isEmpty = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	value === '' ||
	value === false ||
	(typeof value === 'object' && Object.keys(value).length === 0);
