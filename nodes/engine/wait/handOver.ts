import type { IDataObject } from 'n8n-workflow';

import { BadInput, redact, ServiceFailure } from '../errors';
import { field } from '../field';
import type { SentBy } from '../field';
import { Client } from '../http/client';
import { keysOf, sign, SIGNATURE_HEADER } from '../http/signature';
import type { Answer, Service } from '../http/types';
import type { Call } from '../operation';
import { firstText, jsonObject, membersOf } from '../values/convert';

const name = "trigger's URL";

/** What stands at the other end of a hand-over. */
const triggerUrl: Service = {
	name,
	credential: '',
	secrets: [],
	explain: ({ status, body }) => {
		const message = firstText(body, ['message', 'error'])?.slice(0, 300);
		return { message, code: message && `status ${status}` };
	},
};

const NOT_TAKEN = `The ${name} does not answer like a trigger of this pack: check the address, and that its workflow is published`;

/** Options of an operation that makes something a trigger of the pack can watch. */
export const handOverOptions = {
	triggerUrl: field({
		displayName: 'Trigger URL',
		name: 'triggerUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/3f1c…',
		description:
			'The production URL of a trigger of this pack, in this or another workflow. The new ID is handed over to it, so that its workflow starts when this is finished. If that fails, the item does not: "handedOver" says so.',
		read: (given) => `${given}`.trim(),
	}),
	triggerSecret: field({
		displayName: 'Trigger Secret',
		name: 'triggerSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		secret: true,
		description:
			'The Trigger Secret of the trigger at Trigger URL, if that has another credential than this node, or is in another n8n. What is handed over is signed with it; the secret itself is not sent.',
		read: (given) => `${given}`,
	}),
	triggerData: field({
		displayName: 'Trigger Data',
		name: 'triggerData',
		type: 'json',
		default: '{}',
		description:
			'Data as JSON, up to 1 kB, that the workflow at Trigger URL gets together with the result, for example {"order": 1042}',
	}),
};

/** What the user set of them. */
export type HandOverValues = {
	[K in keyof typeof handOverOptions]?: SentBy<(typeof handOverOptions)[K]>;
};

/** What is handed over: an id, and who is expected to answer where that can be checked. */
export interface Handed {
	id: string;
	subject?: string;
}

/**
 * Hands a new id to a trigger, if the user gave its URL. Never throws except when the execution is cancelled: what became of
 * it comes out as `handedOver` and, if it failed, `handOverReason`. A trigger takes the same id twice as one, so it is repeated.
 */
export async function handOver(
	values: HandOverValues,
	call: Call,
	handed: Handed,
): Promise<IDataObject> {
	if (!values.triggerUrl) return {};
	const reason = await post(values.triggerUrl, values, call, handed);
	if (reason === undefined) return { handedOver: true };
	return { handedOver: false, handOverReason: redact(reason, call.secrets()) };
}

/** Gives the reason why it was not handed over, or nothing if it was. */
async function post(
	url: string,
	values: HandOverValues,
	call: Call,
	handed: Handed,
): Promise<string | undefined> {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 'Trigger URL is not a web address';
	const send = async () => {
		const json = { ids: [{ ...handed, ...dataOf(values) }] };
		await clientTo(url, values, call).send({
			method: 'POST',
			path: '',
			json,
			repeatable: true,
			expects,
		});
		return undefined;
	};
	return await send().catch(reasonOf);
}

/** Why a trigger did not take it, in words; what is no failure of either side goes on. */
function reasonOf(error: unknown): string {
	if (error instanceof ServiceFailure) return isSuccess(error) ? NOT_TAKEN : error.message;
	if (error instanceof BadInput) return error.message;
	throw error;
}

const isSuccess = ({ status = 0 }: ServiceFailure) => status >= 200 && status < 300;

/** What the user wants to come out again with the result. */
function dataOf({ triggerData }: HandOverValues): { data?: IDataObject } {
	const data = triggerData === undefined ? {} : jsonObject('Trigger Data')(triggerData);
	return Object.keys(data).length > 0 ? { data } : {};
}

/** Only a trigger counts what it watches. n8n answers to everything with success while it starts, so success is not enough. */
const expects = ({ body }: Answer) => typeof membersOf(body).watched === 'number';

/** Each hand-over waits for itself: a trigger that is full must be asked for every ID, and say so of every one. */
let handOvers = 0;

/** A client that knows nothing but the address, and signs what it sends. */
function clientTo(url: string, { triggerSecret }: HandOverValues, call: Call): Client {
	const { connection } = call.client;
	const key = triggerSecret || keysOf(connection.service, connection.credential).signing;
	const signal = call.context.getExecutionCancelSignal();
	return new Client(
		{
			service: triggerUrl,
			baseUrl: url,
			credential: {},
			secrets: new Set(call.secrets()),
			owner: `hand-over ${handOvers++}`,
			transmit: async ({ headers, ...options }, abortSignal) =>
				await call.context.helpers.httpRequest({
					...options,
					// Never the secret itself: an address that was typed wrong is somebody else's.
					headers: {
						...headers,
						...(key && { [SIGNATURE_HEADER]: sign(url, `${options.body}`, key) }),
					},
					abortSignal,
				}),
		},
		{ tries: 3, longestWaitMs: 5000, timeLimitMs: 10_000, signal },
	);
}
