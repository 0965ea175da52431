import { shorten } from '../values/convert';
import { isRecord } from '../values/isRecord';

/** Maximum number of values that a message quotes. */
const MAX_QUOTED = 3;

/** Fields whose values are never quoted, because redaction skips short secrets and misses secrets that were shortened. */
const SECRET_NAME = /code|pin|otp|token|secret|password|passphrase|key|signature/i;

/** Returns the sent values of the fields that a service rejects, to be appended to its message; empty if none is known. */
export function quoteRejectedValues(
	fields: readonly string[],
	sentBody: unknown,
	message: string,
): string {
	const names = [...new Set(fields)].filter((field) => !SECRET_NAME.test(field));
	const quotes = names.flatMap((field) => {
		const name = stepsOf(field).at(-1);
		const value = sentValue(field, sentBody);
		// A name without steps, such as `/`, means the whole body.
		if (name === undefined || value === undefined || message.includes(value)) return [];
		return { name, quote: `"${shorten(value)}"` };
	});
	const [first, ...others] = quotes.slice(0, MAX_QUOTED);
	if (!first) return '';
	if (names.length === 1) return ` The value was ${first.quote}.`;
	const last = others.pop();
	if (!last) return ` The value of ${first.name} was ${first.quote}.`;
	const before = [first, ...others].map(({ name, quote }) => `${name} ${quote}`).join(', ');
	return ` The values were ${before} and ${last.name} ${last.quote}.`;
}

/** Splits the name of a field as services write it: `user.email`, `contacts[0].Email`, `/user/email`. */
const stepsOf = (field: string): string[] => field.split(/[.[\]/]+/).filter(Boolean);

const isIndex = (step: string | undefined): boolean => /^\d+$/.test(step ?? '');

/**
 * Returns the value of a field in a request body as text; undefined if it is blank, not a single value, or not found. Also
 * returns undefined if the body is a list of several records: the items of all records get the error, and no item may show
 * the data of another.
 */
function sentValue(field: string, sentBody: unknown): string | undefined {
	if (Array.isArray(sentBody) && sentBody.length > 1) return undefined;
	const steps = stepsOf(field);
	// The first step of `contacts[0].Email` is the service's name for the list that is the whole body.
	const path = Array.isArray(sentBody) && isIndex(steps[1]) ? steps.slice(1) : steps;
	const value = valueAt(sentBody, path) ?? valueInside(sentBody, path);
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return `${value}`.trim() === '' ? undefined : `${value}`;
}

/**
 * Follows the steps. In a list, a step is an index, or the name of an entry that has a name and a value. A list of one entry
 * needs no index.
 */
function valueAt(at: unknown, [step, ...rest]: string[]): unknown {
	if (step === undefined) return at;
	if (Array.isArray(at)) {
		if (isIndex(step)) return valueAt(at[Number(step)], rest);
		const entryWithName: unknown = at.find((entry) => isRecord(entry) && entry.Name === step);
		if (isRecord(entryWithName)) return entryWithName.Value;
		return at.length === 1 ? valueAt(at[0], [step, ...rest]) : undefined;
	}
	if (!isRecord(at)) return undefined;
	const key = Object.keys(at).find((name) => name.toLowerCase() === step.toLowerCase());
	return key === undefined ? undefined : valueAt(at[key], rest);
}

/** Follows the steps from each object in the body, because services name `cellphone` where the body has `user.cellphone`. */
function valueInside(sentBody: unknown, path: string[]): unknown {
	if (!isRecord(sentBody)) return undefined;
	const nestedObjects = Object.values(sentBody).filter(isRecord);
	return nestedObjects.map((part) => valueAt(part, path)).find((value) => value !== undefined);
}
