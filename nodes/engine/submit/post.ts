import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../errors';
import { Client } from '../http/client';
import { keysOf, sign, SIGNATURE_HEADER } from '../http/signature';
import type { Answer, Service } from '../http/types';
import type { Call } from '../operation';
import { firstText, membersOf } from '../values/convert';
import type { HandOverValues } from './options';
import { NOT_A_TRIGGER, troubleIn } from './problems';
import type { Trouble } from './problems';

/** What stands at the other end of a hand-over. */
const triggerUrl: Service = {
	name: "trigger's URL",
	credential: '',
	secrets: [],
	explain: () => ({}),
};

/** How a trigger of before the question below refuses an empty list: it is there, and lets this node in. */
const OLDER = /^There is no ID in it/;

/** The trigger that a node hands over to: where it is, and what is signed with. */
export type To = Required<Pick<HandOverValues, 'triggerUrl'>> &
	Pick<HandOverValues, 'triggerSecret'>;

/** What a trigger answers: what it says, or why it takes nothing. */
export type Reply = { said: Record<string, unknown> } | { trouble: Trouble };

/** Asks a trigger whether it runs and would take an ID from this node; adds nothing. */
export const ask = async (to: To, call: Call): Promise<Reply> => await post(to, [], call);

/** Posts ids to a trigger, signed. It takes the same one twice as one, so it is repeated. */
export async function post(to: To, ids: IDataObject[], call: Call): Promise<Reply> {
	const url = to.triggerUrl;
	const send = async (): Promise<Reply> => {
		const answer = await clientTo(url, to, call).send({
			method: 'POST',
			path: '',
			json: { ids },
			repeatable: true,
			expects,
			accept: ({ status, body }) => ids.length === 0 && status === 400 && isOld(membersOf(body)),
		});
		const said = membersOf(answer.body);
		return isTrigger(said) || isOld(said) ? { said } : { trouble: NOT_A_TRIGGER };
	};
	return await send().catch((error: unknown) => ({ trouble: troubleOf(error, url) }));
}

/** What is no failure of either side, such as a cancelled execution, goes on. */
function troubleOf(error: unknown, url: string): Trouble {
	if (error instanceof ServiceFailure) return troubleIn(error, url);
	throw error;
}

/** n8n answers to everything with success and a text while it starts, which is worth another try. */
const expects = ({ kind }: Answer) => kind === 'json';

/** Only a trigger counts what it watches: success is not enough. */
const isTrigger = ({ watched }: Record<string, unknown>) => typeof watched === 'number';

const isOld = (said: Record<string, unknown>) => OLDER.test(firstText(said, ['message']) ?? '');

/** Each hand-over waits for itself: a trigger that is full must be asked for every ID, and say so of every one. */
let handOvers = 0;

/** A client that knows nothing but the address, and signs what it sends. */
function clientTo(url: string, { triggerSecret }: To, call: Call): Client {
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
