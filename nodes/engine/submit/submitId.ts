import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput, redact, sentence, ServiceFailure } from '../errors';
import type { Call } from '../operation';
import type { HandOverValues } from './options';
import { ask, post } from './post';
import type { Reply, To } from './post';
import { inOneLine } from './problems';
import type { Trouble } from './problems';

/** What is handed over: an id, and who is expected to answer where that can be checked. */
export interface Handed {
	id: string;
	subject?: string;
}

/** How to speak of what was made, if a trigger does not take it. */
export interface Made {
	/** That it was made, with its id: "The thing a1 was made". */
	done: string;
	/** The label of the trigger's field that ids are typed into. */
	field: string;
}

/** Hands over, once there is something to hand over; gives what the output says of it. */
type HandOver = (handed: Handed, made: Made) => Promise<IDataObject>;

/** What is known of a trigger in one execution: what it answered, and whether its test URL has had its one ID. */
interface Asked {
	reply: Reply;
	isUsedUp?: boolean;
}

/** The triggers that an execution has asked: one question for each, however many items there are. */
const asked = new WeakMap<IExecuteFunctions, Map<string, Promise<Asked>>>();

/**
 * Finds out whether a trigger will take an ID, before there is one: throws if it will not, so that nothing is made of which
 * nobody would hear. Gives what hands over afterwards; without a trigger, that does nothing.
 */
export async function readyToHandOver(values: HandOverValues, call: Call): Promise<HandOver> {
	const { triggerUrl, triggerSecret, continueWithoutTrigger } = values;
	if (triggerUrl === undefined) return async () => ({});
	const to: To = { triggerUrl, triggerSecret };
	if (continueWithoutTrigger) {
		return async (handed) => {
			const reply = await post(to, [entry(handed, values)], call);
			if ('said' in reply) return { handedOver: true };
			const handOverReason = redact(inOneLine(reply.trouble), call.secrets());
			return { handedOver: false, handOverReason };
		};
	}
	// An earlier try of this run asked before it sent; what was sent must reach the trigger whatever it says now.
	const trigger: Asked = call.journal.hasSent ? { reply: { said: {} } } : await askOnce(to, call);
	if ('trouble' in trigger.reply) throw notBegun(trigger.reply.trouble);
	if (trigger.isUsedUp) throw notBegun(ONE_ONLY);
	// Before anything is made, since other items may be under way.
	trigger.isUsedUp = trigger.reply.said.test === true;
	return async (handed, made) => {
		const reply = await post(to, [entry(handed, values)], call);
		if (!('trouble' in reply)) return { handedOver: true };
		// The items that follow ask anew, before anything is made for them.
		asked.get(call.context)?.delete(keyOf(to));
		throw notHandedOver(reply.trouble, handed, made);
	};
}

const keyOf = ({ triggerUrl, triggerSecret }: To) => JSON.stringify([triggerUrl, triggerSecret]);

async function askOnce(to: To, call: Call): Promise<Asked> {
	const known = asked.get(call.context) ?? new Map<string, Promise<Asked>>();
	asked.set(call.context, known);
	const key = keyOf(to);
	const answer = known.get(key) ?? ask(to, call).then((reply): Asked => ({ reply }));
	known.set(key, answer);
	return await answer;
}

const entry = (handed: Handed, { triggerData = {} }: HandOverValues): IDataObject => ({
	...handed,
	...(Object.keys(triggerData).length > 0 && { data: triggerData }),
});

const ONE_ONLY: Trouble = {
	message: 'The test URL of a trigger takes one ID, and there are several items',
	advice: "Use the trigger's production URL for them.",
};

const notBegun = ({ message, advice }: Trouble) =>
	new BadInput(message, `${sentence(advice)} Nothing was sent.`);

/** The item fails although something was made: whoever reads it must be able to hand over what was. */
const notHandedOver = ({ message, advice }: Trouble, { id }: Handed, { done, field }: Made) =>
	new ServiceFailure(`${done}, but the trigger did not take it: ${message}`, {
		advice: `${sentence(advice)} Don't run this step again, which would ask the person again. Instead add ${id} under '${field}' in the trigger and publish its workflow.`,
	});
