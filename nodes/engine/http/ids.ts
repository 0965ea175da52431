import { BadInput } from '../errors';
import type { ReadField } from '../field';
import { shorten } from '../values/convert';
import { isBlank } from '../values/texts';
import { toIdText } from './path';

/** Format of the IDs of one kind of record. A test compares it with the contract (`test/tables/ids.test.ts`). */
export interface IdFormat {
	pattern: RegExp;
	/** Description for messages, after "must be". */
	description: string;
	/** Returns where the user finds a valid ID. The advice may depend on `text`, the invalid ID. */
	advice: (text: string) => string;
}

/** Returns the format of an ID that can be any text up to a length. */
export const textIdFormat = (maxLength: number): IdFormat => ({
	pattern: new RegExp(`^.{1,${maxLength}}$`, 'su'),
	description: `an ID of up to ${maxLength} characters`,
	advice: () => 'Choose it from the list, or copy the ID again from where it is shown.',
});

/** Returns an ID as text. Throws BadInput for an invalid ID, because the service's own message may be hard to understand. */
export function readId(format: IdFormat, label: string, raw: unknown): string {
	const text = toIdText(label, raw);
	if (format.pattern.test(text)) return text;
	throw new BadInput(
		`'${label}' must be ${format.description}, not "${shorten(text)}"`,
		`${format.advice(text)} Nothing was sent.`,
	);
}

/** Returns a reader for ID fields. A blank field reads as ''. */
export const idReader =
	(format: IdFormat): ReadField<string> =>
	(raw, _, label) =>
		isBlank(raw) ? '' : readId(format, label, raw);
