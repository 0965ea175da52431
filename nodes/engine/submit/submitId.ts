import type { IDataObject } from 'n8n-workflow';

import { BadInput, redact, ServiceFailure, toSentence } from '../errors';
import type { ItemCall } from '../operation';
import { SharedReads } from '../sharedReads';
import type { SubmitValues } from './options';
import { checkTrigger, postIds } from './post';
import type { TriggerAddress, TriggerReply } from './post';
import { toOneLine } from './problems';
import type { SubmitProblem } from './problems';

/**
 * An ID to submit to a trigger. `subject` is the person whose answer is expected, for services where the trigger can verify
 * that person.
 */
interface SubmittedId {
	id: string;
	subject?: string;
}

/** Texts for the error message if the trigger does not accept the ID. */
interface CreatedTexts {
	/** States what was created, with its ID, as the start of a sentence: "The job a1 was issued". */
	createdStatement: string;
	/** The display name of the trigger's parameter that IDs are entered in. */
	field: string;
}

/** Submits an ID to the trigger. Returns the output fields about the submission. */
type SubmitId = (newId: SubmittedId, created: CreatedTexts) => Promise<IDataObject>;

/** State of a trigger in one execution: its reply to the check, and whether its test URL, which accepts one ID, is used up. */
interface CheckedTrigger {
	reply: TriggerReply;
	isUsedUp?: boolean;
}

/** The triggers of each execution, by address and secret. Each is checked once, for all items. */
const checkedTriggers = new SharedReads<CheckedTrigger>();

/**
 * Checks that the trigger accepts IDs, before the record is created, and returns the function that submits the new ID.
 * Throws if the trigger accepts no IDs, so that no record is created unless a trigger will receive its ID. Without a trigger
 * the function does nothing. With _Continue Without Trigger_ the trigger is not checked; if it does not accept the ID, the
 * output has the reason.
 */
export async function prepareSubmit(values: SubmitValues, call: ItemCall): Promise<SubmitId> {
	const { triggerUrl, triggerSecret, continueWithoutTrigger } = values;
	if (triggerUrl === undefined) return async () => ({});
	const address: TriggerAddress = { triggerUrl, triggerSecret };
	if (continueWithoutTrigger) {
		return async (newId) => {
			const reply = await postIds(address, [toEntry(newId, values)], call);
			if ('body' in reply) return { handedOver: true };
			const handOverReason = redact(toOneLine(reply.problem), call.secrets());
			return { handedOver: false, handOverReason };
		};
	}
	// An earlier try of this run checked the trigger before it sent the request. The ID from that request must be submitted,
	// even if a new check would fail.
	const trigger: CheckedTrigger = call.journal.hasSent
		? { reply: { body: {} } }
		: await checkedTriggers.get(call.context, keyOf(address), async () => ({
				reply: await checkTrigger(address, call),
			}));
	if ('problem' in trigger.reply) throw nothingSentError(trigger.reply.problem);
	if (trigger.isUsedUp) throw nothingSentError(TEST_URL_USED);
	// Set before the record is created, since items may run concurrently.
	trigger.isUsedUp = trigger.reply.body.test === true;
	return async (newId, created) => {
		const reply = await postIds(address, [toEntry(newId, values)], call);
		if (!('problem' in reply)) return { handedOver: true };
		// The next items check the trigger again before they create anything.
		checkedTriggers.forget(call.context, keyOf(address));
		throw notSubmittedError(reply.problem, newId, created);
	};
}

const keyOf = ({ triggerUrl, triggerSecret }: TriggerAddress) =>
	JSON.stringify([triggerUrl, triggerSecret]);

const toEntry = (newId: SubmittedId, { triggerData = {} }: SubmitValues): IDataObject => ({
	...newId,
	...(Object.keys(triggerData).length > 0 && { data: triggerData }),
});

const TEST_URL_USED: SubmitProblem = {
	message: 'The test URL of a trigger takes one ID, and there are several items',
	advice: "Use the trigger's production URL for them.",
};

const nothingSentError = ({ message, advice }: SubmitProblem) =>
	new BadInput(message, `${toSentence(advice)} Nothing was sent.`);

/** The item fails although the record was created, so the message tells the user how to submit its ID. */
const notSubmittedError = (
	{ message, advice }: SubmitProblem,
	{ id }: SubmittedId,
	{ createdStatement, field }: CreatedTexts,
) =>
	new ServiceFailure(`${createdStatement}, but the trigger didn't accept it: ${message}`, {
		advice: `${toSentence(advice)} Don't run this step again, which would ask the person again. Instead add ${id} under '${field}' in the trigger and publish its workflow.`,
	});
