import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { decide } from '../http/backoff';
import { redact } from '../errors';
import { broken } from '../http/failures';
import { readBody } from '../http/body';
import { exchange } from '../http/exchange';
import type { Call, Field } from '../operation';
import { keysOf, sign, SIGNATURE_HEADER } from '../trigger/signature';
import { firstText, jsonObject } from '../values/convert';

const MANNER = { tries: 3, longestWaitMs: 5000, timeLimitMs: 10_000 };
const NAME = "trigger's URL";
const NOT_TAKEN = `The ${NAME} does not answer like a trigger of this pack: check the address, and that its workflow is published`;

/** Options of an operation that makes something a trigger of the pack can watch. */
export const handOverOptions: Field[] = [
	{
		displayName: 'Trigger URL',
		name: 'triggerUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/3f1c…',
		description:
			'The production URL of a trigger of this pack, in this or another workflow. The new ID is handed over to it, so that its workflow starts when this is finished. If that fails, the item does not: "handedOver" says so.',
	},
	{
		displayName: 'Trigger Secret',
		name: 'triggerSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		secret: true,
		description:
			'The Trigger Secret of the trigger at Trigger URL, if that has another credential than this node, or is in another n8n. What is handed over is signed with it; the secret itself is not sent.',
	},
	{
		displayName: 'Trigger Data',
		name: 'triggerData',
		type: 'json',
		default: '{}',
		description:
			'Data as JSON, up to 1 kB, that the workflow at Trigger URL gets together with the result, for example {"order": 1042}',
	},
];

/** What is handed over: an id, and who is expected to answer where that can be checked. */
export interface Handed {
	id: string;
	subject?: string;
}

/**
 * Hands a new id to a trigger, if the user gave its URL. Never throws except when the execution is cancelled: what became of
 * it comes out as `handedOver` and, if it failed, `handOverReason`. A trigger takes the same id twice as one, so it is repeated.
 */
export async function handOver(call: Call, handed: Handed): Promise<IDataObject> {
	const url = `${call.option('triggerUrl', '')}`.trim();
	if (url === '') return {};
	call.keepSecret(call.option('triggerSecret'));
	const reason = await post(call, url, handed);
	if (reason === undefined) return { handedOver: true };
	return { handedOver: false, handOverReason: redact(reason, call.secrets()) };
}

/** Gives the reason why it was not handed over, or nothing if it was. */
async function post(call: Call, url: string, handed: Handed): Promise<string | undefined> {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 'Trigger URL is not a web address';
	let body: string;
	try {
		body = JSON.stringify({ ids: [{ ...handed, ...dataOf(call) }] });
	} catch (error) {
		return (error as Error).message;
	}
	const signal = call.context.getExecutionCancelSignal();
	for (let tried = 1; ; tried++) {
		const { status, retryAfter, reason } = await postOnce(call, url, body, signal);
		if (reason === undefined) return undefined;
		const decision = decide({ status, retryAfter }, tried, true, MANNER);
		if (!decision.again) return reason;
		await sleep(decision.waitMs, signal);
	}
}

/** What the user wants to come out again with the result. */
function dataOf(call: Call): { data?: IDataObject } {
	const given = call.option('triggerData');
	const blank = given === undefined || given === null || given === '';
	const data = blank ? {} : (jsonObject('Trigger Data')(given, call) as IDataObject);
	return Object.keys(data).length > 0 ? { data } : {};
}

/** Only a trigger counts what it watches. n8n answers to everything with success while it starts, so success is not enough. */
const isTaken = (answer: unknown) =>
	typeof (answer as { watched?: unknown } | undefined)?.watched === 'number';

interface Posted {
	status?: number;
	retryAfter?: string;
	/** Why the trigger did not take it; absent if it did. */
	reason?: string;
}

async function postOnce(
	call: Call,
	url: string,
	body: string,
	signal: AbortSignal | undefined,
): Promise<Posted> {
	const key =
		`${call.option('triggerSecret', '')}` ||
		keysOf(call.service, call.connection.credential).signing;
	try {
		const received = await exchange(
			async (stop) =>
				await call.context.helpers.httpRequest({
					method: 'POST',
					url,
					headers: {
						'Content-Type': 'application/json',
						// Never the secret itself: an address that was typed wrong is somebody else's.
						...(key && { [SIGNATURE_HEADER]: sign(url, body, key) }),
					},
					body,
					encoding: 'stream',
					timeout: MANNER.timeLimitMs,
					abortSignal: stop,
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
				}),
			{ ...MANNER, signal },
		);
		const { status } = received;
		const { body: answer } = readBody(received.body);
		if (status < 300) return isTaken(answer) ? { status } : { status: 503, reason: NOT_TAKEN };
		const said = firstText(answer, ['message', 'error']);
		const words = said ? `says: ${said.slice(0, 300)}` : 'answered';
		return {
			status,
			retryAfter: received.headers['retry-after'],
			reason: `The ${NAME} ${words} (status ${status})`,
		};
	} catch (error) {
		signal?.throwIfAborted();
		return { reason: broken(error, { ...call.service, name: NAME }, MANNER).message };
	}
}
