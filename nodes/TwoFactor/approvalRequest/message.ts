import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { missingValueError } from '../../engine/http/path';
import { escapeDirectionControls } from '../../engine/review/displayText';
import { readText } from '../../engine/values/texts';

/** Limit of the service, in code points. */
export const MAX_MESSAGE_LENGTH = 144;
const LABEL = 'Message';

export const message = field({
	displayName: LABEL,
	name: 'message',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	required: true,
	placeholder: 'e.g. Approve the login to the speaker portal?',
	description: `The question shown on the phone. Up to ${MAX_MESSAGE_LENGTH} characters.`,
	read: (raw) => readMessage(raw),
	target: { in: 'body' },
});

/**
 * Reads the question as the phone shows it, with direction controls as escapes. Throws BadInput before anything is sent if it
 * is empty or too long for the service.
 */
export function readMessage(raw: unknown): string {
	const text = readText(raw, LABEL) ?? '';
	if (text.trim() === '') throw missingValueError(LABEL);
	const question = escapeDirectionControls(text);
	// Code points, as the service counts: an emoji counts as one.
	const length = [...question].length;
	if (length <= MAX_MESSAGE_LENGTH) return question;
	const escapeNote =
		question === text
			? ''
			: ' A character that turns the direction of writing counts as 6, since it is shown as an escape.';
	throw new BadInput(
		`'${LABEL}' is too long: ${length} of ${MAX_MESSAGE_LENGTH} characters`,
		`Shorten '${LABEL}', and move the rest to 'Details'.${escapeNote} Nothing was sent.`,
	);
}
