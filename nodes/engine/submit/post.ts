import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../errors';
import { Client } from '../http/client';
import { keysOf, sign, SIGNATURE_HEADER } from '../http/signature';
import type { Answer, Service } from '../http/types';
import type { Call } from '../operation';
import { firstText, membersOf } from '../values/convert';
import type { SubmitValues } from './options';
import { NOT_A_TRIGGER, problemOf } from './problems';
import type { SubmitProblem } from './problems';

/** What stands at the other end of a hand-over. */
const webhookService: Service = {
	name: "trigger's URL",
	credential: '',
	secrets: [],
	explain: () => ({}),
};

/** How a trigger of before the question below refuses an empty list: it is there, and lets this node in. */
const OLDER_TRIGGER_MESSAGE = /^There is no ID in it/;

/** The trigger that a node hands over to: where it is, and what is signed with. */
export type TriggerAddress = Required<Pick<SubmitValues, 'triggerUrl'>> &
	Pick<SubmitValues, 'triggerSecret'>;

/** What a trigger answers: what it says, or why it takes nothing. */
export type TriggerReply = { body: Record<string, unknown> } | { problem: SubmitProblem };

/** Asks a trigger whether it runs and would take an ID from this node; adds nothing. */
export const checkTrigger = async (address: TriggerAddress, call: Call): Promise<TriggerReply> =>
	await postIds(address, [], call);

/** Posts ids to a trigger, signed. It takes the same one twice as one, so it is repeated. */
export async function postIds(
	address: TriggerAddress,
	ids: IDataObject[],
	call: Call,
): Promise<TriggerReply> {
	const url = address.triggerUrl;
	const send = async (): Promise<TriggerReply> => {
		const answer = await clientTo(url, address, call).send({
			method: 'POST',
			path: '',
			json: { ids },
			repeatable: true,
			expects: isJson,
			accept: ({ status, body }) =>
				ids.length === 0 && status === 400 && isOlderTriggerReply(membersOf(body)),
		});
		const body = membersOf(answer.body);
		return isTriggerReply(body) || isOlderTriggerReply(body)
			? { body }
			: { problem: NOT_A_TRIGGER };
	};
	return await send().catch((error: unknown) => ({ problem: problemOrThrow(error, url) }));
}

/** What is no failure of either side, such as a cancelled execution, goes on. */
function problemOrThrow(error: unknown, url: string): SubmitProblem {
	if (error instanceof ServiceFailure) return problemOf(error, url);
	throw error;
}

/** n8n answers to everything with success and a text while it starts, which is worth another try. */
const isJson = ({ kind }: Answer) => kind === 'json';

/** Only a trigger counts what it watches: success is not enough. */
const isTriggerReply = ({ watched }: Record<string, unknown>) => typeof watched === 'number';

const isOlderTriggerReply = (body: Record<string, unknown>) =>
	OLDER_TRIGGER_MESSAGE.test(firstText(body, ['message']) ?? '');

/** Each hand-over waits for itself: a trigger that is full must be asked for every ID, and say so of every one. */
let submitCount = 0;

/** A client that knows nothing but the address, and signs what it sends. */
function clientTo(url: string, { triggerSecret }: TriggerAddress, call: Call): Client {
	const { connection } = call.client;
	const key = triggerSecret || keysOf(connection.service, connection.credential).signing;
	const signal = call.context.getExecutionCancelSignal();
	return new Client(
		{
			service: webhookService,
			baseUrl: url,
			credential: {},
			secrets: new Set(call.secrets()),
			owner: `submit ${submitCount++}`,
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
