import type { Field } from '../../engine/field';
import type { Request } from '../../engine/http/types';
import { isReview } from '../../engine/n8n/toolVariants';
import { operation } from '../../engine/operation';
import type { ItemCall } from '../../engine/operation';
import type { BegunItem } from '../../engine/park/beginAndWait';
import { reportsToAgent } from '../../engine/review/agentMessages';
import { isRecord } from '../../engine/values/isRecord';
import { limitWaitTime } from '../../engine/wait/limitWaitTime';
import type { WaitValues } from '../../engine/wait/wait';
import type { EndedId } from '../../engine/watch';
import { twofactorId } from '../fields';
import { failWithoutApp, requireAppBeforeFirstSend } from './appCheck';
import { approvalShape, approvalOutputSchema, waitOutputSchema } from './approval';
import { answerOutputSchema } from './approvalAnswer';
import { addAskedHint } from './askedHint';
import { create } from './create';
import {
	approvalPoll,
	decisionBranches,
	failOn,
	nameOfUser,
	toDecisionOutput,
	waitForDecisions,
} from './decision';
import type { AwaitedApproval } from './decision';
import { details, hiddenDetails, withVisibleDetails } from './details';
import { expiresAt, expiry, neverExpires } from './expiry';
import { logos } from './logos';
import { message, readMessage } from './message';
import { toSentQuestion } from './mismatch';
import { longArguments, rejectUntrustedChoices, reviewOutput, reviewRequest } from './review';
import { describeAllSent, describeSent, sendApproval } from './sending';
import { askPerson, beginSeveral, findQuestionMismatch } from './severalPeople/askSeveral';
import type { SeveralPeopleValues } from './severalPeople/askSeveral';
import {
	decidedBy,
	isBySeveralPeople,
	levels,
	severalPeopleOptions,
	unlessSeveral,
} from './severalPeople/fields';
import { nameOf, readAnswer, toQuorumOutput } from './severalPeople/output';
import { rejectImitatedRows } from './severalPeople/rows';

/**
 * Accepts any message, because n8n sets a message of any length and type for the review of tool calls. Other messages are
 * checked later.
 */
const anyMessage: Field<'message', unknown> = { ...message, read: (raw) => raw };

const { id: idType, outcome: outcomeType, ...otherTypes } = approvalOutputSchema;

/** Pushes a question, once, and waits for the decision, without a limit by default. n8n recognizes the operation by its value. */
export const sendAndWait = operation({
	name: 'Send and Wait for Approval',
	action: 'Ask for approval and wait',
	description: "Push a question to the user's app and wait until it is approved or denied",
	fields: {
		decidedBy,
		twofactorId: unlessSeveral(twofactorId),
		levels,
		message: anyMessage,
		...details,
	},
	options: {
		limitWaitTime,
		expiry,
		neverExpires,
		failWithoutApp,
		...severalPeopleOptions,
		...hiddenDetails,
		logos,
		longArguments,
		errorOutcomes: failOn,
	},
	effect: 'the approval request went out',
	runBatch: async (batch) => {
		const results = await waitForDecisions(
			batch,
			beginItem,
			(values, call, end, approval) => ({
				...toDecisionOutput(
					withoutErrorOutcomesForAgent(values, call),
					end,
					approval,
					nameOfUser(call, approval.subject),
				),
				...endOutput(call, end),
			}),
			{
				poll: approvalPoll,
				send: askPerson,
				nameOf,
				describeSent: describeAllSent,
				readAnswer,
				findMismatch: findQuestionMismatch,
				conclude: (values, call, end, wait) => ({
					...toQuorumOutput(withoutErrorOutcomesForAgent(values, call), end, wait),
					...endOutput(call, { outcome: end.outcome, trouble: wait.trouble }),
				}),
			},
		);
		if (Array.isArray(results)) addAskedHint(batch, results);
		return results;
	},
	branches: decisionBranches,
	...approvalShape({
		id: idType,
		outcome: outcomeType,
		approved: 'boolean',
		...otherTypes,
		...answerOutputSchema,
		level: 'string',
		decisions: 'array',
		...waitOutputSchema,
	}),
});

/** Returns values with which an agent gets every outcome as output: n8n 2.41.1 would present an error as a denial by the user. */
const withoutErrorOutcomesForAgent = <V extends WaitValues>(values: V, { context }: ItemCall): V =>
	reportsToAgent(context) ? { ...values, errorOutcomes: [] } : values;

const endOutput = (call: ItemCall, end: Pick<EndedId, 'outcome' | 'trouble'>) => ({
	approved: end.outcome === 'approved',
	...(isReview(call.context.getNode()) && reviewOutput(call, end)),
});

interface SendValues extends SeveralPeopleValues {
	decidedBy?: string;
	twofactorId?: string;
	failWithoutApp?: boolean;
	longArguments?: string;
}

async function beginItem(values: SendValues, call: ItemCall): Promise<BegunItem<AwaitedApproval>> {
	const { decidedBy: approvers, twofactorId: user = '', longArguments: long } = values;
	rejectUntrustedChoices(call);
	const hasSeveralPeople = isBySeveralPeople(approvers);
	const request = await call.buildRequest(create.request);
	const isReviewNode = isReview(call.context.getNode());
	const pushRequest = isReviewNode
		? reviewRequest(request, call, long === 'shorten')
		: withCheckedMessage(withVisibleDetails(request));
	if (hasSeveralPeople) {
		// In a review the message is not checked: `reviewRequest` has marked the agent's text in it, so the text cannot pass for
		// a row.
		const { message: question, details: rows } = isRecord(request.json) ? request.json : {};
		rejectImitatedRows({ details: rows, ...(!isReviewNode && { message: question }) });
		return beginSeveral(values, pushRequest, call);
	}
	await requireAppBeforeFirstSend({ ...values, twofactorId: user }, call);
	const output = await sendApproval(pushRequest, user, call);
	const { uuid: id } = output;
	const wait = {
		id,
		subject: user,
		sent: toSentQuestion(pushRequest.json),
		sentStatement: describeSent(id),
		expiresAt: expiresAt(values),
	};
	return { output, wait };
}

function withCheckedMessage(request: Request): Request {
	const body = isRecord(request.json) ? request.json : {};
	return { ...request, json: { ...body, message: readMessage(body.message) } };
}
