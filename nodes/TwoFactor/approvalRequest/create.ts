import { field, shownIf } from '../../engine/field';
import { operation } from '../../engine/operation';
import type { ItemCall } from '../../engine/operation';
import type { BegunItem } from '../../engine/park/beginAndWait';
import { waitAndTriggerNotice, submitOptions } from '../../engine/submit/options';
import type { SubmitValues } from '../../engine/submit/options';
import { prepareSubmit } from '../../engine/submit/submitId';
import { isOn } from '../../engine/values/convert';
import { checkEvery, waitLimit } from '../../engine/wait/wait';
import { twofactorId } from '../fields';
import { peopleOf } from '../people';
import { failWithoutApp, requireAppBeforeFirstSend } from './appCheck';
import { approvalShape, approvalOutputSchema, waitOutputSchema, withNames } from './approval';
import { answerOutputSchema } from './approvalAnswer';
import { decisionBranches, failOn, waitForDecisions } from './decision';
import type { AwaitedApproval } from './decision';
import { details, hiddenDetails, withVisibleDetails } from './details';
import { expiry, neverExpires } from './expiry';
import { logos } from './logos';
import { message } from './message';
import { toSentQuestion } from './mismatch';
import { rejectUntrustedChoices, rejectUserFromPublicTrigger } from './review';
import { describeSent, sendApproval, APPROVAL_REQUEST_IDS_FIELD } from './sending';

const wait = field({
	displayName: 'Wait for Decision',
	name: 'wait',
	type: 'boolean',
	// The outputs of the node depend on it.
	noDataExpression: true,
	default: false,
	description:
		'Whether to wait for the decision in this step. If off, the item is returned as soon as the question is sent.',
	read: isOn,
});

/** Pushes a question to the user's app, never twice, and waits for the decision if Wait for Decision is on. */
export const create = operation({
	name: 'Create',
	action: 'Create an approval request',
	description: "Push a question to the user's app to approve or deny, and optionally wait",
	request: 'POST /onetouch/json/users/{twofactor_id}/approval_requests',
	fields: {
		twofactorId,
		message,
		...details,
		wait,
		waitLimit: shownIf(waitLimit('Decision'), { wait: [true] }),
		bothHappen: waitAndTriggerNotice,
	},
	options: {
		expiry,
		neverExpires,
		failWithoutApp,
		...hiddenDetails,
		logos,
		...submitOptions,
		errorOutcomes: shownIf(failOn, { '/wait': [true] }),
		checkEvery: shownIf(checkEvery, { '/wait': [true] }),
	},
	effect: 'the approval request went out',
	runBatch: async (batch) => await waitForDecisions(batch, createOne),
	branches: { ...decisionBranches, requires: wait.name },
	...approvalShape({
		...approvalOutputSchema,
		handedOver: 'boolean',
		handOverReason: 'string',
		...answerOutputSchema,
		...waitOutputSchema,
	}),
});

interface CreateValues extends SubmitValues {
	twofactorId: string;
	failWithoutApp?: boolean;
	wait?: boolean;
}

async function createOne(
	values: CreateValues,
	call: ItemCall,
): Promise<BegunItem<AwaitedApproval>> {
	const { twofactorId: user } = values;
	if (values.wait) rejectUntrustedChoices(call);
	else rejectUserFromPublicTrigger(call);
	const request = withVisibleDetails(await call.buildRequest());
	await requireAppBeforeFirstSend(values, call);
	const submit = await prepareSubmit(values, call);
	const approval = await sendApproval(request, user, call);
	const { uuid: id } = approval;
	const createdStatement = describeSent(id);
	const submitted = await submit(
		{ id, subject: user },
		{ createdStatement, field: APPROVAL_REQUEST_IDS_FIELD },
	);
	const output = withNames({ ...approval, ...submitted }, peopleOf(call.connection));
	if (values.wait) {
		const sent = toSentQuestion(request.json);
		return { output, wait: { id, subject: user, sent, sentStatement: createdStatement } };
	}
	return { output: { status: 'pending', ...output } };
}
