import type { INodePropertyOptions } from 'n8n-workflow';

import { BadInput } from '../../errors';
import { shorten } from '../../values/convert';

/** How messages speak of a choice. */
interface ChoiceMessages {
	/** That nothing is chosen. */
	nothing: string;
	/** What a stranger is not, such as "is not an outcome". */
	strange: string;
	/** The field's label. */
	field: string;
}

/** What was chosen of several; an expression can give it as a list, or as a text with commas. */
export function chosenOf(
	given: unknown,
	offered: INodePropertyOptions[],
	{ nothing, strange, field }: ChoiceMessages,
): Set<string> {
	const chosen = [given]
		.flat()
		.flatMap((entry) => (typeof entry === 'string' ? entry.split(',') : [entry]))
		.map((entry) => String(entry ?? '').trim())
		.filter(Boolean);
	const known = offered.map(({ value }) => `${value}`);
	const unoffered = chosen.find((entry) => !known.includes(entry));
	if (chosen.length > 0 && unoffered === undefined) return new Set(chosen);
	throw new BadInput(
		unoffered === undefined ? nothing : `"${shorten(unoffered)}" ${strange}`,
		`Choose at least one under ${field}. An expression can give ${known.join(', ')}.`,
	);
}
