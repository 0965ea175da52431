import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { missing } from '../../engine/http/path';
import { text } from '../../engine/values/texts';

/** The most characters that the service takes. */
export const MAX_MESSAGE_LENGTH = 144;
const LABEL = 'Message';

/** The question that the user sees. Its length is checked before anything is sent. */
export const message = field({
	displayName: LABEL,
	name: 'message',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	required: true,
	placeholder: 'e.g. Approve the login to the speaker portal?',
	description: `The question shown on the phone. Up to ${MAX_MESSAGE_LENGTH} characters.`,
	read: (given) => readMessage(given),
	target: { in: 'body' },
});

/** The text of a question that the service takes. */
export function readMessage(given: unknown): string {
	const question = text(given, LABEL) ?? '';
	if (question.trim() === '') throw missing(LABEL);
	// By code points, as the service counts: an emoji is not two characters.
	const length = [...question].length;
	if (length <= MAX_MESSAGE_LENGTH) return question;
	throw new BadInput(
		`'${LABEL}' is too long: ${length} of ${MAX_MESSAGE_LENGTH} characters`,
		`Shorten '${LABEL}', and move the rest to 'Details'. Nothing was sent.`,
	);
}
