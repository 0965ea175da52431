import type { INodePropertyOptions } from 'n8n-workflow';

import { BadInput } from '../../errors';
import { shorten } from '../../values/convert';

/** The parts of the error messages about a choice. */
interface ChoiceMessages {
	/** The message if nothing is chosen. */
	noneChosen: string;
	/** The end of the message about a value that is not offered, such as "is not an outcome". */
	notOffered: string;
	/** The field's label. */
	field: string;
}

/**
 * Returns the chosen values; an expression can return them as a list, or as a string separated by commas. Throws BadInput if
 * nothing is chosen, or a value is not offered.
 */
export function readChoices(
	storedChoice: unknown,
	offered: INodePropertyOptions[],
	{ noneChosen, notOffered, field }: ChoiceMessages,
): Set<string> {
	const chosen = [storedChoice]
		.flat()
		.flatMap((entry) => (typeof entry === 'string' ? entry.split(',') : [entry]))
		.map((entry) => String(entry ?? '').trim())
		.filter(Boolean);
	const offeredValues = offered.map(({ value }) => `${value}`);
	const unoffered = chosen.find((entry) => !offeredValues.includes(entry));
	if (chosen.length > 0 && unoffered === undefined) return new Set(chosen);
	throw new BadInput(
		unoffered === undefined ? noneChosen : `"${shorten(unoffered)}" ${notOffered}`,
		`Choose at least one under ${field}. An expression can give ${offeredValues.join(', ')}.`,
	);
}
