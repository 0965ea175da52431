import { BadInput } from '../errors';
import type { Read } from '../field';
import { shorten } from '../values/convert';
import { isBlank } from '../values/texts';
import { pathText } from './path';

/** What the IDs of a kind look like. A test holds it against what the contract says of them. */
export interface IdForm {
	looks: RegExp;
	/** What messages say of it, after "must be". */
	words: string;
	/** Where to get a right one; may depend on what was given instead. */
	advice: (given: string) => string;
}

/** An ID that is a number. */
export const NUMBER_ID: IdForm = {
	looks: /^0*[1-9]\d{0,18}$/,
	words: 'a number',
	advice: () => 'Choose it from the list, or enter the number that the service shows for it.',
};

/** An ID that can be any text up to a length. */
export const textId = (maxLength: number): IdForm => ({
	looks: new RegExp(`^.{1,${maxLength}}$`, 'su'),
	words: `an ID of up to ${maxLength} characters`,
	advice: () => 'Choose it from the list, or copy the ID again from where it is shown.',
});

/** The text of an ID; throws BadInput for what can be none, since the service would answer in words of its own about it. */
export function readId(form: IdForm, label: string, given: unknown): string {
	const text = pathText(label, given);
	if (form.looks.test(text)) return text;
	throw new BadInput(
		`'${label}' must be ${form.words}, not "${shorten(text)}"`,
		`${form.advice(text)} Nothing was sent.`,
	);
}

/** The same as a reader of fields; what was left blank stays so. */
export const idReader =
	(form: IdForm): Read<string> =>
	(given, _, label) =>
		isBlank(given) ? '' : readId(form, label, given);
