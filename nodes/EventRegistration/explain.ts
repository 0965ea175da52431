import type { Answer, Explanation } from '../engine/http/types';
import { firstText, isRecord } from '../engine/values/convert';

/** What says nothing where the service names a field besides. */
const EMPTY_WORDS = /^the request is invalid\.?$/i;

/** So many details of a refusal are worth reading. */
const SHOWN = 5;

/** Reads an error body: what is wrong as a whole, then what is wrong with which field. */
export function explain({ body }: Answer): Explanation {
	const { error, errors, ModelState, MessageDetail } = isRecord(body) ? body : {};
	const whole =
		firstText(body, ['Message', 'message', 'error_description', 'error']) ??
		firstOf(errors) ??
		firstText(error, ['message', 'Message']);
	const details = detailsOf(ModelState);
	const more = details || (typeof MessageDetail === 'string' ? MessageDetail : '');
	const words = details && EMPTY_WORDS.test(whole?.trim() ?? '') ? '' : whole;
	return {
		message: [words, more].filter(Boolean).join(' ') || undefined,
		// Nothing is left to say where the service names the field.
		...(details && { advice: '' }),
	};
}

function firstOf(errors: unknown): string | undefined {
	const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
	return typeof first === 'string' ? first : firstText(first, ['message', 'Message', 'detail']);
}

/** The texts about fields; with the field's name where the text does not say it. */
function detailsOf(state: unknown): string {
	if (typeof state !== 'object' || state === null) return '';
	const texts = Object.entries(state).flatMap(([key, about]) =>
		[about]
			.flat()
			.filter((text) => typeof text === 'string')
			.map((text) => sentence(key, text)),
	);
	const shown = [...new Set(texts)].slice(0, SHOWN);
	const left = new Set(texts).size - shown.length;
	return left > 0 ? `${shown.join(' ')} And ${left} more.` : shown.join(' ');
}

function sentence(key: string, text: string): string {
	const name = key.replace(/^\w*\[0\]\./, '');
	const field = name.split('.').at(-1)!;
	const says = name === field || name.startsWith('CustomFields.');
	return says && mentions(text, field) ? text : `${name}: ${text}`;
}

/** Whether a text names a field, be it in words: "Email address" names EmailAddress. */
const mentions = (text: string, field: string) => {
	const letters = (from: string) => from.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return letters(text).includes(letters(field));
};
