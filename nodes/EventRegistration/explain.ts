import type { ServiceResponse, Explanation } from '../engine/http/types';
import { firstText } from '../engine/values/convert';
import { isRecord } from '../engine/values/isRecord';

/** A summary that adds nothing if the service also names the invalid fields. */
const GENERIC_MESSAGE = /^the request is invalid\.?$/i;

const MAX_DETAILS = 5;

/** Reads an error body. The message is the summary, followed by the errors of single fields. */
export function explain({ body }: ServiceResponse): Explanation {
	const { error, errors, ModelState, MessageDetail } = isRecord(body) ? body : {};
	const summary =
		firstText(body, ['Message', 'message', 'error_description', 'error']) ??
		firstErrorText(errors) ??
		firstText(error, ['message', 'Message']);
	const details = detailsOf(ModelState);
	const detailText = details || (typeof MessageDetail === 'string' ? MessageDetail : '');
	const message = details && GENERIC_MESSAGE.test(summary?.trim() ?? '') ? '' : summary;
	return {
		message: [message, detailText].filter(Boolean).join(' ') || undefined,
		// The service names the invalid field; general advice would add nothing.
		...(details && { advice: '', fields: Object.keys(isRecord(ModelState) ? ModelState : {}) }),
	};
}

function firstErrorText(errors: unknown): string | undefined {
	const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
	return typeof first === 'string' ? first : firstText(first, ['message', 'Message', 'detail']);
}

/**
 * Returns up to MAX_DETAILS messages about fields. The name of a field is prepended unless the message mentions it. The name
 * of a nested field is always prepended.
 */
function detailsOf(modelState: unknown): string {
	if (typeof modelState !== 'object' || modelState === null) return '';
	const texts = Object.entries(modelState).flatMap(([key, messages]) =>
		[messages]
			.flat()
			.filter((text) => typeof text === 'string')
			.map((text) => describeDetail(key, text)),
	);
	const shownTexts = [...new Set(texts)].slice(0, MAX_DETAILS);
	const hiddenCount = new Set(texts).size - shownTexts.length;
	return hiddenCount > 0
		? `${shownTexts.join(' ')} And ${hiddenCount} more.`
		: shownTexts.join(' ');
}

function describeDetail(key: string, text: string): string {
	const name = key.replace(/^\w*\[0\]\./, '');
	const field = name.split('.').at(-1)!;
	const isUnambiguousField = name === field || name.startsWith('CustomFields.');
	return isUnambiguousField && mentions(text, field) ? text : `${name}: ${text}`;
}

/** Whether a text mentions a field. Spaces and case do not matter: "Email address" mentions EmailAddress. */
const mentions = (text: string, field: string) => {
	const letters = (from: string) => from.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return letters(text).includes(letters(field));
};
