import { BadInput } from '../../../engine/errors';
import type { ApprovalLevel } from '../../../engine/quorum/types';
import { escapeInvisible, isolateDirections } from '../../../engine/review/displayText';
import { toSkeleton } from '../../../engine/review/lookAlikes';
import { shorten } from '../../../engine/values/convert';
import { isRecord } from '../../../engine/values/isRecord';
import { plainText } from '../../../engine/values/texts';

const LEVEL = 'Level';
const MUST_APPROVE = 'must approve';
const MAX_NAME_LENGTH = 60;
const REQUESTER = 'Requester (does not decide)';
const ROLE = 'Your Role';
const OWN_LABELS = new Set([LEVEL, REQUESTER, ROLE].map(toSkeleton));
const MUST_APPROVE_SHAPE = toSkeleton(MUST_APPROVE);
/** Matches the text of one of the node's rows. In a skeleton (`toSkeleton`), 1 is l and 0 is o. */
const OWN_TEXT = new RegExp(`of[\\p{N}lo]+${MUST_APPROVE_SHAPE}|${toSkeleton(REQUESTER)}`, 'u');

/** Texts on the phones that come from the workflow. */
interface OwnTexts {
	/** Absent if the message is marked as the agent's. */
	message?: unknown;
	details?: unknown;
}

/**
 * Throws if the workflow's own texts have a row of `levelRows`, or a line that could be mistaken for such a row. These texts
 * may come from the input of the workflow.
 */
export function rejectImitatedRows({ message, details }: OwnTexts): void {
	const rows = isRecord(details) ? details : {};
	const label = Object.keys(rows).find((name) => OWN_LABELS.has(toSkeleton(name)));
	if (label !== undefined) {
		throw new BadInput(
			`'Details' has a row called ${shorten(escapeInvisible(label))}, which this node adds to say how it is decided`,
			"Give that row of 'Details' another name. Nothing was sent.",
		);
	}
	const texts = { Message: [message], Details: Object.entries(rows).flat() };
	const isImitated = (text: unknown) => OWN_TEXT.test(toSkeleton(`${plainText(text)}`));
	const [field] = Object.entries(texts).find(([, fieldTexts]) => fieldTexts.some(isImitated)) ?? [];
	if (field === undefined) return;
	throw new BadInput(
		`'${field}' has a text that could be mistaken for how it is decided, such as "1 of 2 ${MUST_APPROVE}"`,
		`The node itself tells each person how many must approve. Write '${field}' without that text. Nothing was sent.`,
	);
}

/** Throws if the name of a level could be mistaken for how many must approve. */
export function rejectImitatedName(name: string): void {
	if (!toSkeleton(name).includes(MUST_APPROVE_SHAPE)) return;
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

/** Returns the rows that show a person how the request is decided. A deputy would otherwise wonder why they are asked. */
export const levelRows = (
	{ name, needed, people, deputies }: ApprovalLevel,
	person: string,
	requester: string | undefined,
): Record<string, string> => ({
	[LEVEL]: `${toShownName(name)} (${needed} of ${people.length} ${MUST_APPROVE})`,
	...(deputies.includes(person) && { [ROLE]: 'You are asked as deputy' }),
	...(requester !== undefined && { [REQUESTER]: requester }),
});
