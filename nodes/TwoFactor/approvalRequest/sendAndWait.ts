import type { Field } from '../../engine/field';
import type { Request } from '../../engine/http/types';
import { isReview } from '../../engine/n8n/toolVariants';
import { operation } from '../../engine/operation';
import type { Call } from '../../engine/operation';
import type { BegunItem } from '../../engine/park/beginAndWait';
import { reportsToAgent } from '../../engine/review/agentMessages';
import { isRecord } from '../../engine/values/convert';
import { limitWaitTime } from '../../engine/wait/limitWaitTime';
import { twofactorId } from '../fields';
import { failWithoutApp, requireApp } from './appCheck';
import { approvalShape, approvalOutputSchema, waitOutputSchema } from './approval';
import { hintAsked } from './askedHint';
import { create } from './create';
import { failOn, toDecisionOutput, waitForDecisions } from './decision';
import type { AwaitedApproval } from './decision';
import { details, hiddenDetails } from './details';
import { expiresAt, expiry, neverExpires } from './expiry';
import { logos } from './logos';
import { message, readMessage } from './message';
import { longArguments, rejectUntrustedChoices, reviewOutput, reviewRequest } from './review';
import { describeSent, sendApproval } from './sending';

/** Accepts any message: n8n sets one of any length and type for the review of tool calls. Other messages are checked later. */
const anyMessage: Field<'message', unknown> = { ...message, read: (given) => given };

const { id, outcome, ...others } = approvalOutputSchema;

/** Pushes a question, once, and waits for the decision, without a limit by default. n8n recognizes the operation by its value. */
export const sendAndWait = operation({
	name: 'Send and Wait for Approval',
	action: 'Ask for approval and wait',
	description: "Push a question to the user's app and wait until it is approved or denied",
	fields: { twofactorId, message: anyMessage, ...details },
	options: {
		limitWaitTime,
		expiry,
		neverExpires,
		failWithoutApp,
		...hiddenDetails,
		logos,
		longArguments,
		errorOutcomes: failOn,
	},
	effect: 'the approval request went out',
	runBatch: async (batch) => {
		const results = await waitForDecisions(batch, sendOne, (values, call, end, approval) => {
			const { outcome } = end;
			// Every outcome is reported to the agent; n8n 2.41.1 would present an error as a rejection by the user.
			const effectiveValues = reportsToAgent(call.context)
				? { ...values, errorOutcomes: [] }
				: values;
			return {
				...toDecisionOutput(effectiveValues, call, end, approval),
				approved: outcome === 'approved',
				...(isReview(call.context.getNode()) && reviewOutput(call, end)),
			};
		});
		if (Array.isArray(results)) hintAsked(batch, results);
		return results;
	},
	...approvalShape({ id, outcome, approved: 'boolean', ...others, ...waitOutputSchema }),
});

interface SendValues {
	twofactorId: string;
	failWithoutApp?: boolean;
	longArguments?: string;
	expiry?: number;
	neverExpires?: number;
}

async function sendOne(values: SendValues, call: Call): Promise<BegunItem<AwaitedApproval>> {
	const { twofactorId: user, longArguments: long } = values;
	rejectUntrustedChoices(call);
	const request = await call.buildRequest(create.request);
	const pushRequest = isReview(call.context.getNode())
		? reviewRequest(request, call, long === 'shorten')
		: withCheckedMessage(request);
	await requireApp(values, call);
	const output = await sendApproval(pushRequest, user, call);
	const { uuid: id } = output;
	const wait = { id, subject: user, effect: describeSent(id), expiresAt: expiresAt(values) };
	return { output, wait };
}

function withCheckedMessage(request: Request): Request {
	const body = isRecord(request.json) ? request.json : {};
	return { ...request, json: { ...body, message: readMessage(body.message) } };
}
