import type { AddResult, NewId } from './types';

const MAX_ID_LENGTH = 128;
const MAX_SUBJECT_LENGTH = 256;
const MAX_DATA_BYTES = 1024;

type AddRejection = Extract<AddResult, { ok: false }>;

/** A refusal of what was to be added. */
export const rejectAdd = (reason: AddRejection['reason'], message: string): AddRejection => ({
	ok: false,
	reason,
	message,
});

/** What may be an id to watch, with what belongs to it. */
type Candidate = { [Name in keyof NewId]: unknown };

/** Whether something can be watched. */
export const isNewId = (given: Candidate): given is NewId => problemWith(given) === undefined;

/** Says what is wrong with an id to watch, if anything is. White space around an id does not count. */
export function problemWith({ id, data, subject }: Candidate): AddRejection | undefined {
	const text = typeof id === 'string' ? id.trim() : '';
	if (text === '' || text === '.' || text === '..' || /[\p{Cc}\p{Surrogate}]/u.test(text)) {
		return rejectAdd('badId', 'An ID must be text that can be part of an address.');
	}
	if (text.length > MAX_ID_LENGTH) {
		return rejectAdd(
			'badId',
			`An ID has ${text.length} characters; at most ${MAX_ID_LENGTH} are allowed. Check that it is a single ID.`,
		);
	}
	if (
		subject !== undefined &&
		(typeof subject !== 'string' || subject.length > MAX_SUBJECT_LENGTH)
	) {
		return rejectAdd('badId', `A subject must be text of up to ${MAX_SUBJECT_LENGTH} characters.`);
	}
	if (data !== undefined && !fitsAsData(data)) {
		return rejectAdd('tooMuchData', 'The data of an ID must be JSON of up to 1 kB.');
	}
	return undefined;
}

/** Whether something can come along with an id: JSON that is not too long. */
export function fitsAsData(data: unknown): boolean {
	try {
		// Of a function it makes nothing, which its type does not say.
		const json = JSON.stringify(data) as string | undefined;
		return json !== undefined && Buffer.byteLength(json) <= MAX_DATA_BYTES;
	} catch {
		return false;
	}
}
