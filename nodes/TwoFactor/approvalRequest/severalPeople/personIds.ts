import { BadInput } from '../../../engine/errors';
import { shorten } from '../../../engine/values/convert';
import { isRecord } from '../../../engine/values/isRecord';
import { readIdText, isBlank, readText } from '../../../engine/values/texts';

/** A User ID without leading zeros, so that IDs that are the same number are the same text. */
const USER_ID = /^[1-9]\d{0,19}$/;
/** Separators of the people in a text. */
export const SEPARATORS = /[,\n]/;

/** A person who may decide, with the name that an expression gave. */
export interface Person {
	id: string;
	name?: string;
}

/**
 * Reads people: User IDs in a text, separated by commas or line breaks, or a list of User IDs or of objects with `id` and
 * `name`. Rejects empty entries: an expression that found no one must not leave fewer people to decide.
 */
export function readPeople(label: string, raw: unknown): Person[] {
	if (isBlank(raw)) return [];
	const entries: unknown[] = typeof raw === 'string' ? raw.split(SEPARATORS) : [raw].flat();
	return entries.map((entry) => readPerson(label, entry));
}

function readPerson(label: string, entry: unknown): Person {
	if (!isRecord(entry)) return { id: readPersonId(label, entry) };
	const name = readText(entry.name, `${label}: name`)?.trim();
	return { id: readPersonId(`${label}: id`, entry.id), ...(name && { name }) };
}

/** Reads a User ID. Throws BadInput if it is missing, is not a number, or has leading zeros. */
export function readPersonId(label: string, raw: unknown): string {
	const id = isBlank(raw) ? '' : (readIdText(raw, label) ?? '').trim();
	if (USER_ID.test(id)) return id;
	if (id === '') {
		throw new BadInput(
			`'${label}' has an empty entry`,
			`Check '${label}': remove empty lines and extra commas. If an expression gives the User IDs, it found none for one entry. Nothing was sent.`,
		);
	}
	if (/^0\d*$/.test(id)) {
		throw new BadInput(
			`'${label}' has a User ID that starts with 0: "${shorten(id)}"`,
			'Write the User ID without leading zeros, as User: Enroll returned it. Nothing was sent.',
		);
	}
	throw new BadInput(
		`'${label}' must be User IDs, which are numbers, not "${shorten(id)}"`,
		'Use the twofactor_id that User: Enroll returned, several separated by commas or line breaks. Nothing was sent.',
	);
}
