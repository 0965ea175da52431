import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput, toSentence } from '../../engine/errors';
import { field } from '../../engine/field';
import type { Request } from '../../engine/http/types';
import { REVIEW_MESSAGE } from '../../engine/n8n/toolVariants';
import type { ItemCall } from '../../engine/operation';
import { NOT_RUN } from '../../engine/review/agentMessages';
import { isolateDirections, toDisplayText, escapeInvisible } from '../../engine/review/displayText';
import {
	rawParameter,
	readsOnlySafeVariables,
	rejectIfFromAgent,
} from '../../engine/review/notByAgent';
import { rejectIfFromPublicTrigger } from '../../engine/review/openTriggers';
import { rejectRepeated, reviewedCall } from '../../engine/review/reviewLimits';
import { readReviewItem, toolCallOf } from '../../engine/review/toolCall';
import { DATA_MARK, ARGUMENT_MARK, toolCallRows } from '../../engine/review/toolCallRows';
import { isRecord } from '../../engine/values/isRecord';
import { plainText } from '../../engine/values/texts';
import type { EndedId } from '../../engine/watch';
import { MAX_MESSAGE_LENGTH } from './message';

/**
 * Matches the text of an object, with the label before it. An edited copy of n8n's default message contains this text,
 * because `$tool.parameters` is an object.
 */
const OBJECT_TEXT = /(\n\s*[^\n:]*:)?\s*\[object Object\]/g;
const WHITESPACE = /\s+/g;

const AGENT_PREFIX = 'The agent says: ';

/** Option: whether arguments that are too long for the phone reject the tool call or are shown in part. */
export const longArguments = field({
	displayName: 'Long Arguments',
	name: 'longArguments',
	type: 'options',
	options: [
		{
			name: 'Reject the Tool Call',
			value: 'refuse',
			description: "No request is sent, the tool isn't run, and the agent receives the reason",
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

/**
 * Throws if an agent or an unauthenticated caller can choose who decides, how many must approve, a time limit, or how much of
 * a tool call the phone shows.
 */
export function rejectUntrustedChoices({ context, itemIndex }: ItemCall): void {
	const raw = (name: string) => rawParameter(context, name, itemIndex);
	const options = raw('options');
	const {
		expiry,
		neverExpires,
		limitWaitTime,
		oneDenialEnds,
		requester,
		remindAfter,
		remindAfterUnit,
		longArguments: long,
	} = isRecord(options) ? options : {};
	const choices = {
		'Decided By': raw('decidedBy'),
		'User ID': raw('twofactorId'),
		'Max Wait for Decision (Seconds)': raw('waitLimit'),
		'Expires After': expiry,
		'Never Expires': neverExpires,
		'Limit Wait Time': limitWaitTime,
		Levels: raw('levels'),
		'One Denial Ends It': oneDenialEnds,
		Requester: requester,
		'Remind After': [remindAfter, remindAfterUnit],
		'Long Arguments': long,
	};
	rejectIfFromAgent(context, choices);
	for (const [label, value] of Object.entries(choices)) rejectIfPublic(context, label, value);
}

function rejectIfPublic(context: IExecuteFunctions, label: string, value: unknown): void {
	for (const text of textsIn(value)) rejectIfFromPublicTrigger(context, label, text);
}

/** Returns all texts in a value, at any depth. */
const textsIn = (value: unknown): unknown[] =>
	typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value];

/**
 * Throws if an unauthenticated caller can choose the user who is asked. For operations that do not wait for the decision. In
 * these operations, an agent may choose the user.
 */
export function rejectUserFromPublicTrigger({ context, itemIndex }: ItemCall): void {
	rejectIfPublic(context, 'User ID', rawParameter(context, 'twofactorId', itemIndex));
}

/**
 * Builds the request for the review of a tool call. The request's rows come from the call that n8n will run, never from the
 * message.
 */
export function reviewRequest(request: Request, call: ItemCall, shortens: boolean): Request {
	const { context, itemIndex } = call;
	const toolCall = toolCallOf(context, itemIndex);
	rejectRepeated(context, readReviewItem(context, itemIndex).run);
	const rows = toolCallRows(toolCall, { workflow: context.getWorkflow().name, shortens });
	const body = isRecord(request.json) ? request.json : {};
	return {
		...request,
		json: {
			...body,
			message: truncate(
				readQuestion(call, body.message) ||
					`The agent wants to run the tool ${escapeInvisible(toolCall.tool)}`,
			),
			details: { ...rows, ...readOwnDetails(call, body.details, rows) },
		},
	};
}

/** Returns the workflow's own question, on one line and without invisible characters; empty for n8n's default message. */
function readQuestion({ context, itemIndex }: ItemCall, message: unknown): string {
	const raw = rawParameter(context, 'message', itemIndex);
	if (raw === REVIEW_MESSAGE) return '';
	const text = (plainText(message) ?? '').replace(OBJECT_TEXT, '').replace(WHITESPACE, ' ').trim();
	return text === ''
		? ''
		: `${readsOnlySafeVariables(raw) ? '' : AGENT_PREFIX}${escapeInvisible(text)}`;
}

/**
 * Isolates a message, and shortens it first if the result would exceed the service's limit. `isolateDirections` adds
 * characters, so the length is measured after it.
 */
function truncate(message: string): string {
	const characters = [...message];
	if ([...isolateDirections(message)].length <= MAX_MESSAGE_LENGTH)
		return isolateDirections(message);
	let length = MAX_MESSAGE_LENGTH;
	const head = () => isolateDirections(`${characters.slice(0, length).join('')}…`);
	while ([...head()].length > MAX_MESSAGE_LENGTH) length--;
	return head();
}

/**
 * Returns the details set in the node, with values that the agent may have chosen marked. Throws if the agent could choose a
 * name or 'Details (JSON)', or if a name could be mistaken for a row about the tool call.
 */
function readOwnDetails(
	{ context, itemIndex }: ItemCall,
	details: unknown,
	rows: Record<string, string>,
): IDataObject {
	const rawRows = detailRows(rawParameter(context, 'details', itemIndex));
	rejectIfFromAgent(context, {
		'Details: Name': rawRows.map(({ name }) => name),
		'Details (JSON)': rawParameter(context, 'detailsJson', itemIndex),
	});
	const evaluatedRows = detailRows(context.getNodeParameter('details', itemIndex, {}));
	const byAgent = new Set(
		evaluatedRows
			.filter((_, index) => !readsOnlySafeVariables(rawRows[index]?.value))
			.map(({ name }) => `${plainText(name)}`.trim()),
	);
	const callLabels = new Set(Object.keys(rows).map(normalizeLabel));
	const entries = Object.entries(isRecord(details) ? details : {});
	const isMisleading = (name: string) =>
		name.includes(ARGUMENT_MARK) ||
		name.includes(DATA_MARK) ||
		callLabels.has(normalizeLabel(name));
	const misleading = entries.find(([name]) => isMisleading(name));
	if (misleading) {
		throw new BadInput(
			`'Details' has a row called ${toDisplayText(misleading[0])}, which could be mistaken for one about the tool call`,
			"Give that row of 'Details' another name in the options of this node.",
		);
	}
	return Object.fromEntries(
		entries.map(([name, value]) => [
			toDisplayText(name),
			`${byAgent.has(name) ? AGENT_PREFIX : ''}${toDisplayText(value)}`,
		]),
	);
}

const detailRows = (details: unknown): IDataObject[] =>
	isRecord(details) ? [details.rows ?? []].flat().filter(isRecord) : [];

const normalizeLabel = (name: string) => name.normalize('NFKC').trim().toLowerCase();

const UNDECIDED_MESSAGES: Record<string, string> = {
	expired: 'No decision: the request expired before the person answered.',
	gone: 'No decision is known: the two-factor service no longer knows the request.',
	stillOutstanding: 'No decision: the person did not answer in time.',
};

/** Returns the output fields of a review: the reviewed call and, without a decision, the message to the agent. */
export function reviewOutput(
	{ context, itemIndex }: ItemCall,
	{ outcome, trouble }: Pick<EndedId, 'outcome' | 'trouble'>,
): IDataObject {
	const pollTrouble = outcome === 'stillOutstanding' && trouble;
	// A denial needs no message, because n8n 2.41.1 itself reports it to the agent.
	const message = pollTrouble
		? `It's unclear whether the person decided: ${toSentence(pollTrouble)}`
		: UNDECIDED_MESSAGES[outcome];
	return {
		...(message !== undefined && { chatInput: `${message} ${NOT_RUN}` }),
		...reviewedCall(readReviewItem(context, itemIndex).run),
	};
}
