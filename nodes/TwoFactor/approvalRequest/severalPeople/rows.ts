import { BadInput } from '../../../engine/errors';
import type { Level } from '../../../engine/quorum/types';
import { escapeInvisible, isolateDirections } from '../../../engine/review/displayText';
import { shorten } from '../../../engine/values/convert';

const LEVEL = 'Level';
const MUST_APPROVE = 'must approve';
const MAX_NAME_LENGTH = 60;
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

/** Throws if the name of a level could be mistaken for how many must approve. */
export function rejectImitatedName(name: string): void {
	if (!normalizeLabel(name).includes(normalizeLabel(MUST_APPROVE))) return;
	throw new BadInput(
		`The name of a level must not contain "${MUST_APPROVE}": "${shorten(name)}"`,
		"The node adds to the name how many must approve. Give the level another name in 'Levels'. Nothing was sent.",
	);
}

/** Returns a name as the phone shows it: nothing in it is invisible, and it does not push the rest of the row out of sight. */
function toShownName(name: string): string {
	const characters = [...escapeInvisible(name)];
	const isLong = characters.length > MAX_NAME_LENGTH;
	return isolateDirections(
		isLong ? `${characters.slice(0, MAX_NAME_LENGTH).join('')}…` : characters.join(''),
	);
}

/** Returns the rows that tell each person how it is decided. */
export const levelRows = (
	{ name, needed, people }: Level,
	requester: string | undefined,
): Record<string, string> => ({
	[LEVEL]: `${toShownName(name)} (${needed} of ${people.length} ${MUST_APPROVE})`,
	...(requester !== undefined && { [REQUESTER]: requester }),
});
