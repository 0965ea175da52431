import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { missing } from '../../engine/http/path';
import { text } from '../../engine/values/texts';

/** The most characters that the service takes. */
export const MOST = 144;
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
	description: `The question shown on the phone. Up to ${MOST} characters.`,
	read: (given) => questionOf(given),
	target: { in: 'body' },
});

/** The text of a question that the service takes. */
export function questionOf(given: unknown): string {
	const question = text(given, LABEL) ?? '';
	if (question.trim() === '') throw missing(LABEL);
	// By code points, as the service counts: an emoji is not two characters.
	const length = [...question].length;
	if (length <= MOST) return question;
	throw new BadInput(
		`'${LABEL}' is too long: ${length} of ${MOST} characters`,
		`Shorten '${LABEL}', and move the rest to 'Details'. Nothing was sent.`,
	);
}
