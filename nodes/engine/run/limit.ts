import { BadInput } from '../errors';
import { shorten } from '../values/convert';
import { isBlank } from '../values/texts';
import { HIDDEN } from './parameters';

/** The default of Limit in the panel; used for a blank value. */
const DEFAULT_LIMIT = 50;

/** Reads the parameter Limit as a whole number, rounded down. Throws BadInput unless the value is blank or at least 1. */
export function readLimit(raw: unknown): number {
	if (raw === HIDDEN || isBlank(raw)) return DEFAULT_LIMIT;
	const limit = Math.floor(Number(raw));
	if (limit >= 1) return limit;
	throw new BadInput(
		`'Limit' must be a number of 1 or more, not "${shorten(raw)}"`,
		"Enter how many records to return at most, or turn on 'Return All'.",
	);
}
