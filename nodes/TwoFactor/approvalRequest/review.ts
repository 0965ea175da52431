import type { IDataObject } from 'n8n-workflow';

import { BadInput, sentence } from '../../engine/errors';
import { field } from '../../engine/field';
import type { Request } from '../../engine/http/types';
import type { Call } from '../../engine/operation';
import { NOT_RUN } from '../../engine/review/answer';
import { rawParameter, refuseFromAgent } from '../../engine/review/notByAgent';
import { MARK, rowsOf } from '../../engine/review/rows';
import { shown } from '../../engine/review/shown';
import { toolCallOf } from '../../engine/review/toolCall';
import { isRecord } from '../../engine/values/convert';
import { plainText } from '../../engine/values/texts';
import type { Ended } from '../../engine/watch';
import { MOST } from './message';

/** What an expression leaves of an object in a text, with the label in front of it; n8n's own message has that. */
const OBJECT_TEXT = /(\n\s*[^\n:]*:)?\s*\[object Object\]/g;
const BLANKS = /\s+/g;
const BY_MODEL = /\$fromAI\b/i;

/** What to do with arguments of a tool call that a phone cannot show. */
export const longArguments = field({
	displayName: 'Long Arguments',
	name: 'longArguments',
	type: 'options',
	options: [
		{
			name: 'Refuse the Tool Call',
			value: 'refuse',
			description: "No one is asked, the tool isn't run, and the agent is told why",
		},
		{
			name: 'Show in Part',
			value: 'shorten',
			description: 'The phone shows the beginning, the end and how many characters are hidden',
		},
	],
	default: 'refuse',
	description:
		'Only for the human review of an agent: what to do if an argument of the tool has more than 2,000 characters, or all of them more than 6,000',
});

/** Refuses that an agent chooses who is asked, or for how long. */
export function refuseChoiceByAgent({ context, itemIndex }: Call): void {
	const options = rawParameter(context, 'options', itemIndex);
	const { expiry, neverExpires, limitWaitTime } = isRecord(options) ? options : {};
	refuseFromAgent(context, {
		'User ID': rawParameter(context, 'twofactorId', itemIndex),
		'Expires After': expiry,
		'Never Expires': neverExpires,
		'Limit Wait Time': limitWaitTime,
	});
}

/** The request that asks for the review of a tool call: the rows come from what will be run, and never from the message. */
export function reviewRequest(request: Request, call: Call, shortens: boolean): Request {
	const { context, itemIndex } = call;
	const toolCall = toolCallOf(context, itemIndex);
	const rows = rowsOf(toolCall, { workflow: context.getWorkflow().name, shortens });
	const body = isRecord(request.json) ? request.json : {};
	const raw = rawParameter(context, 'message', itemIndex);
	const says = BY_MODEL.test(`${raw}`) ? 'The agent says: ' : '';
	const question = questionIn(body.message) || `The agent wants to run the tool ${rows.Tool}`;
	return {
		...request,
		json: {
			...body,
			message: cut(`${says}${question}`),
			details: { ...rows, ...ownDetails(call, body.details, rows) },
		},
	};
}

/** The question in a message, on one line and with nothing in it that cannot be seen. */
function questionIn(message: unknown): string {
	const text = (plainText(message) ?? '').replace(OBJECT_TEXT, '').replace(BLANKS, ' ').trim();
	return text === '' ? '' : shown(text);
}

/** The service takes no more. */
function cut(message: string): string {
	const characters = [...message];
	return characters.length <= MOST ? message : `${characters.slice(0, MOST - 1).join('')}…`;
}

/** The details that stand in the node, none of which may pass for a row about the tool call. */
function ownDetails(
	{ context, itemIndex }: Call,
	details: unknown,
	rows: Record<string, string>,
): IDataObject {
	const raw = rawParameter(context, 'details', itemIndex);
	const written = isRecord(raw) ? [raw.rows ?? []].flat() : [];
	refuseFromAgent(context, {
		'Details: Name': written.map((row) => (isRecord(row) ? row.name : row)),
		'Details (JSON)': rawParameter(context, 'detailsJson', itemIndex),
	});
	const taken = new Set(Object.keys(rows).map(plainName));
	const entries = Object.entries(isRecord(details) ? details : {});
	const bad = entries.find(([name]) => name.includes(MARK) || taken.has(plainName(name)));
	if (bad) {
		throw new BadInput(
			`'Details' has a row called ${shown(bad[0])}, which could be mistaken for one about the tool call`,
			"Give that row of 'Details' another name in the options of this node.",
		);
	}
	return Object.fromEntries(entries.map(([name, value]) => [shown(name), shown(value)]));
}

const plainName = (name: string) => name.normalize('NFKC').trim().toLowerCase();

const UNDECIDED: Record<string, string> = {
	expired: 'No decision: the request expired before the person answered.',
	gone: 'No decision is known: the two-factor service no longer knows the request.',
	stillOutstanding: 'No decision: the person did not answer in time.',
};

/** What the agent is told of an end that is no decision; n8n itself tells it of a denial. */
export function toldAgent({ outcome, trouble }: Pick<Ended, 'outcome' | 'trouble'>): {
	chatInput?: string;
} {
	const unknown = outcome === 'stillOutstanding' && trouble;
	const words = unknown
		? `It's unclear whether the person decided: ${sentence(trouble)}`
		: UNDECIDED[outcome];
	return words === undefined ? {} : { chatInput: `${words} ${NOT_RUN}` };
}
