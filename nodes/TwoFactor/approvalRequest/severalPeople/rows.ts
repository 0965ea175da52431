import { BadInput } from '../../../engine/errors';
import type { Level } from '../../../engine/quorum/types';
import { shorten } from '../../../engine/values/convert';

const LEVEL = 'Level';
const REQUESTER = 'Requester (does not decide)';
/** Characters that a phone does not show. */
const INVISIBLE = /[\p{Cc}\p{Cf}\s]+/gu;

const normalizeLabel = (label: string) =>
	label.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();

const OWN_LABELS = new Set([LEVEL, REQUESTER].map(normalizeLabel));

/** Throws if details have a row that could be mistaken for one of `levelRows`. */
export function rejectImitatedRows(details: object): void {
	const imitated = Object.keys(details).find((label) => OWN_LABELS.has(normalizeLabel(label)));
	if (imitated === undefined) return;
	throw new BadInput(
		`'Details' has a row called "${shorten(imitated.trim())}", which this node adds to say how it is decided`,
		"Give that row of 'Details' another name. Nothing was sent.",
	);
}

/** Returns the rows that tell each person how it is decided. */
export const levelRows = (
	{ name, needed, people }: Level,
	requester: string | undefined,
): Record<string, string> => ({
	[LEVEL]: `${name} (${needed} of ${people.length} must approve)`,
	...(requester !== undefined && { [REQUESTER]: requester }),
});
