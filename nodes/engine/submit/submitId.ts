import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput, redact, ServiceFailure, toSentence } from '../errors';
import type { Call } from '../operation';
import type { SubmitValues } from './options';
import { checkTrigger, postIds } from './post';
import type { TriggerAddress, TriggerReply } from './post';
import { toOneLine } from './problems';
import type { SubmitProblem } from './problems';

/** What is handed over: an id, and who is expected to answer where that can be checked. */
export interface NewId {
	id: string;
	subject?: string;
}

/** How to speak of what was made, if a trigger does not take it. */
export interface CreatedTexts {
	/** That it was made, with its id: "The thing a1 was made". */
	done: string;
	/** The label of the trigger's field that ids are typed into. */
	field: string;
}

/** Hands over, once there is something to hand over; gives what the output says of it. */
type SubmitId = (newId: NewId, created: CreatedTexts) => Promise<IDataObject>;

/** What is known of a trigger in one execution: what it answered, and whether its test URL has had its one ID. */
interface CheckedTrigger {
	reply: TriggerReply;
	isUsedUp?: boolean;
}

/** The triggers that an execution has asked: one question for each, however many items there are. */
const checkedTriggers = new WeakMap<IExecuteFunctions, Map<string, Promise<CheckedTrigger>>>();

/**
 * Finds out whether a trigger will take an ID, before there is one: throws if it will not, so that nothing is made of which
 * nobody would hear. Gives what hands over afterwards; without a trigger, that does nothing.
 */
export async function prepareSubmit(values: SubmitValues, call: Call): Promise<SubmitId> {
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
	// An earlier try of this run asked before it sent; what was sent must reach the trigger whatever it says now.
	const trigger: CheckedTrigger = call.journal.hasSent
		? { reply: { body: {} } }
		: await checkOnce(address, call);
	if ('problem' in trigger.reply) throw nothingSentError(trigger.reply.problem);
	if (trigger.isUsedUp) throw nothingSentError(TEST_URL_USED);
	// Before anything is made, since other items may be under way.
	trigger.isUsedUp = trigger.reply.body.test === true;
	return async (newId, created) => {
		const reply = await postIds(address, [toEntry(newId, values)], call);
		if (!('problem' in reply)) return { handedOver: true };
		// The items that follow ask anew, before anything is made for them.
		checkedTriggers.get(call.context)?.delete(keyOf(address));
		throw notSubmittedError(reply.problem, newId, created);
	};
}

const keyOf = ({ triggerUrl, triggerSecret }: TriggerAddress) =>
	JSON.stringify([triggerUrl, triggerSecret]);

async function checkOnce(address: TriggerAddress, call: Call): Promise<CheckedTrigger> {
	const checks = checkedTriggers.get(call.context) ?? new Map<string, Promise<CheckedTrigger>>();
	checkedTriggers.set(call.context, checks);
	const key = keyOf(address);
	const check =
		checks.get(key) ?? checkTrigger(address, call).then((reply): CheckedTrigger => ({ reply }));
	checks.set(key, check);
	return await check;
}

const toEntry = (newId: NewId, { triggerData = {} }: SubmitValues): IDataObject => ({
	...newId,
	...(Object.keys(triggerData).length > 0 && { data: triggerData }),
});

const TEST_URL_USED: SubmitProblem = {
	message: 'The test URL of a trigger takes one ID, and there are several items',
	advice: "Use the trigger's production URL for them.",
};

const nothingSentError = ({ message, advice }: SubmitProblem) =>
	new BadInput(message, `${toSentence(advice)} Nothing was sent.`);

/** The item fails although something was made: whoever reads it must be able to hand over what was. */
const notSubmittedError = (
	{ message, advice }: SubmitProblem,
	{ id }: NewId,
	{ done, field }: CreatedTexts,
) =>
	new ServiceFailure(`${done}, but the trigger did not take it: ${message}`, {
		advice: `${toSentence(advice)} Don't run this step again, which would ask the person again. Instead add ${id} under '${field}' in the trigger and publish its workflow.`,
	});
