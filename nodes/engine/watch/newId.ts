import type { AddResult, NewId } from './types';

const MAX_ID_LENGTH = 128;
const MAX_SUBJECT_LENGTH = 256;
const MAX_DATA_BYTES = 1024;

type AddRejection = Extract<AddResult, { ok: false }>;

export const rejectAdd = (reason: AddRejection['reason'], message: string): AddRejection => ({
	ok: false,
	reason,
	message,
});

/** An ID to watch with its data and subject, not validated. */
type Candidate = { [Name in keyof NewId]: unknown };

export const isNewId = (candidate: Candidate): candidate is NewId =>
	validateNewId(candidate) === undefined;

/** Returns why an ID cannot be watched, or undefined if it can. White space around an ID is ignored. */
export function validateNewId({ id, data, subject }: Candidate): AddRejection | undefined {
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

/** Whether a value can be the data of an ID: JSON of limited length. */
export function fitsAsData(data: unknown): boolean {
	try {
		// `JSON.stringify` returns undefined for a function, which its type does not declare.
		const json = JSON.stringify(data) as string | undefined;
		return json !== undefined && Buffer.byteLength(json) <= MAX_DATA_BYTES;
	} catch {
		return false;
	}
}
