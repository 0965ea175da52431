import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../errors';
import { Client } from '../http/client';
import { keysOf, signSubmission, SIGNATURE_HEADER } from '../http/signature';
import type { ServiceResponse, Service } from '../http/types';
import type { ItemCall } from '../operation';
import { membersOf } from '../values/convert';
import type { SubmitValues } from './options';
import { NOT_A_TRIGGER, problemOf } from './problems';
import type { SubmitProblem } from './problems';

/** The trigger's webhook as a service, so that the client can send to it. */
const webhookService: Service = {
	name: "trigger's URL",
	credentialType: '',
	secretFields: [],
	explain: () => ({}),
};

/** A trigger's webhook URL, and the secret to sign with. Without a secret, the node signs with the key of its credential. */
export type TriggerAddress = Required<Pick<SubmitValues, 'triggerUrl'>> &
	Pick<SubmitValues, 'triggerSecret'>;

/** Reply of a trigger: the response body, or why the trigger accepts no ID. */
export type TriggerReply = { body: Record<string, unknown> } | { problem: SubmitProblem };

/** Checks that a trigger runs and accepts IDs from this node. Posts an empty list, which adds no ID. */
export const checkTrigger = async (
	address: TriggerAddress,
	call: ItemCall,
): Promise<TriggerReply> => await postIds(address, [], call);

/** Posts IDs to a trigger with a signature. Idempotent: the trigger ignores IDs that it already has. */
export async function postIds(
	address: TriggerAddress,
	ids: IDataObject[],
	call: ItemCall,
): Promise<TriggerReply> {
	const url = address.triggerUrl;
	const send = async (): Promise<TriggerReply> => {
		const response = await clientTo(url, address, call).send({
			method: 'POST',
			path: '',
			json: { ids },
			idempotent: true,
			isRecognized: isJson,
		});
		const body = membersOf(response.body);
		return isTriggerReply(body) ? { body } : { problem: NOT_A_TRIGGER };
	};
	return await send().catch((error: unknown) => ({ problem: problemOrThrow(error, url) }));
}

/** Rethrows errors that are not failed requests, such as a canceled execution. */
function problemOrThrow(error: unknown, url: string): SubmitProblem {
	if (error instanceof ServiceFailure) return problemOf(error, url);
	throw error;
}

/**
 * While n8n 2.41.1 starts, it answers every request with a success status and a text. The client then retries the request.
 */
const isJson = ({ kind }: ServiceResponse) => kind === 'json';

/** A success status is not enough: only a trigger returns the number of watched IDs. */
const isTriggerReply = ({ watched }: Record<string, unknown>) => typeof watched === 'number';

/**
 * Makes the account key of each client unique. Clients with the same key share rate-limit pauses: after one 429, later IDs
 * would wait instead of getting the trigger's own response.
 */
let submitCount = 0;

/** Creates a client for the trigger's URL that signs requests and does not send the node's credential. */
function clientTo(url: string, { triggerSecret }: TriggerAddress, call: ItemCall): Client {
	const { connection } = call.client;
	const key = triggerSecret || keysOf(connection.service, connection.credential).signing;
	const signal = call.context.getExecutionCancelSignal();
	return new Client(
		{
			service: webhookService,
			baseUrl: url,
			credential: {},
			secrets: new Set(call.secrets()),
			accountKey: `submit ${submitCount++}`,
			transmit: async ({ headers, ...options }, abortSignal) =>
				await call.context.helpers.httpRequest({
					...options,
					// The header contains a signature and never the secret, because a mistyped URL may belong to a stranger.
					headers: {
						...headers,
						...(key && { [SIGNATURE_HEADER]: signSubmission(url, `${options.body}`, key) }),
					},
					abortSignal,
				}),
		},
		{ maxAttempts: 3, maxRetryDelayMs: 5000, timeoutMs: 10_000, signal },
	);
}
