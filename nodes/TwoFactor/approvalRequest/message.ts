import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { missing } from '../../engine/http/path';
import { text } from '../../engine/values/texts';

const MOST = 144;

/** The question that the user sees. Its length is checked before anything is sent. */
export const message = field({
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	required: true,
	placeholder: 'e.g. Approve the login to the speaker portal?',
	description: `The question that the user sees on the phone, ${MOST} characters at most`,
	read: (given, _, label) => {
		const question = text(given, label) ?? '';
		if (question.trim() === '') throw missing(label);
		// By code points, as the service counts: an emoji is not two characters.
		const length = [...question].length;
		if (length <= MOST) return question;
		throw new BadInput(
			`Message has ${length} characters, and ${MOST} is the most`,
			'Make Message shorter, and put the rest into Details. Nothing was sent.',
		);
	},
	target: { in: 'body' },
});
