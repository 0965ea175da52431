import { SEND_AND_WAIT_OPERATION, WAITING_FORMS_EXECUTION_STATUS } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../errors';
import { Client } from '../http/client';
import type { Connection } from '../http/client';
import { BLOCKED } from '../http/networkErrors';
import type { Answer, Request, SendOptions, Service } from '../http/types';
import type { Call } from '../operation';
import { firstText } from '../values/convert';

/** Once, since whoever looks after parked executions decides about another try. */
export const ONCE: SendOptions = { tries: 1, longestWaitMs: 0, timeLimitMs: 30_000 };

/** What n8n says of an execution that nobody waits for any more; the last one of an execution that is no longer there. */
const OVER = new Set(['success', 'error', 'crashed', 'canceled', 'null']);

/** n8n's SSRF protection counts for calls to n8n itself, too. */
const ITSELF_BLOCKED =
	'it was not called, since its own SSRF protection blocks that address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES can allow it)';

const n8nItself: Service = { name: 'n8n', credential: '', secrets: [], explain: () => ({}) };

/**
 * What requests are sent with once the execution rests. n8n's helpers hold on to the whole of the execution that they are
 * from, so there must be one of these for all executions that share a connection, and not one for each.
 */
export interface Sender {
	connection: Connection;
	/** Tells n8n to go on; gives what went wrong, if trying again may mend it. */
	wake(url: string): Promise<string | undefined>;
	/** Whether n8n says for sure that an execution is over, such as one that was stopped. It goes on by no means. */
	isOver(statusUrl: string): Promise<boolean>;
}

/** A sender over the connection of an item. */
export function senderOf({ client: { connection }, context }: Call): Sender {
	const { helpers } = context;
	const toN8n = async (url: string, method: Request['method']) => {
		const n8n: Connection = {
			service: n8nItself,
			baseUrl: url,
			credential: {},
			secrets: new Set(),
			owner: 'n8n itself',
			transmit: async (options, abortSignal) =>
				await helpers.httpRequest({ ...options, abortSignal }),
		};
		return await new Client(n8n, ONCE).sendOnce({ method, path: '' }).catch(asTrouble);
	};
	return {
		connection,
		wake: async (url) => {
			const answer = await toN8n(url, 'POST');
			return typeof answer === 'string' ? answer : troubleIn(answer);
		},
		isOver: async (statusUrl) => {
			const answer = await toN8n(statusUrl, 'GET');
			return typeof answer !== 'string' && answer.status === 200 && OVER.has(`${answer.body}`);
		},
	};
}

/** Over for good: it goes on, or went on before, or was stopped. It may also not be stored yet, or n8n may be starting. */
function troubleIn({ status, body }: Answer): string | undefined {
	const words = typeof body === 'string' ? body.slice(0, 200) : firstText(body, ['message']);
	const notYet = /starting up|running already/i.test(words ?? '');
	if ([200, 404, 409].includes(status) && !notYet) return undefined;
	return `it answered ${status}`;
}

function asTrouble(error: unknown): string {
	if (!(error instanceof ServiceFailure)) return 'it could not be called';
	return error.code === BLOCKED ? ITSELF_BLOCKED : 'it did not answer';
}

/**
 * Where n8n is told to go on with an execution. For the operation that n8n knows as waiting it wants an address that it has
 * signed, and for all others the one with the execution's own token.
 */
export function wakingUrl(context: IExecuteFunctions): string {
	if (context.getNodeParameter('operation', 0) === SEND_AND_WAIT_OPERATION) {
		return context.getSignedResumeUrl();
	}
	return below('{{ $execution.resumeUrl }}', context.getNode().id, context);
}

/** Where n8n says how an execution is doing. Its forms ask there; that starts nothing, and takes reading the execution once. */
export const statusUrl = (context: IExecuteFunctions): string =>
	below('{{ $execution.resumeFormUrl }}', WAITING_FORMS_EXECUTION_STATUS, context);

/** A place below an address that n8n has for this execution. */
function below(address: string, place: string, context: IExecuteFunctions): string {
	const url = new URL(`${context.evaluateExpression(address, 0)}`);
	url.pathname += `/${encodeURIComponent(place)}`;
	return url.href;
}
