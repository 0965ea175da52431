import { ServiceFailure } from '../errors';
import { Client } from '../http/client';
import type { Connection } from '../http/client';
import { BLOCKED } from '../http/networkErrors';
import { POLL_SEND_OPTIONS } from '../http/pollOnce';
import type { ServiceResponse, Request, Service } from '../http/types';
import { readinessIn } from '../n8n/startupRecovery';
import { isResumeSettled, statusIn } from '../n8n/waitingWebhook';
import type { ItemCall } from '../operation';
import { firstText } from '../values/convert';

/** n8n's SSRF protection also applies to requests to n8n 2.41.1 itself. */
const RESUME_BLOCKED =
	'it was not called, since its own SSRF protection blocks that address (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES can allow it)';

const n8nService: Service = {
	name: 'n8n',
	credentialType: '',
	secretFields: [],
	explain: () => ({}),
};

/**
 * Sends requests while executions are parked. n8n's request helpers reference the whole execution that they belong to, so
 * all executions that share a connection must share one sender. If each had its own, all these executions would stay in
 * memory.
 */
export interface Sender {
	/**
	 * Identifies the credential. Its data is not part of the key: once the user has replaced a key in it, and one execution has
	 * read the new one, the poller uses the new one for all.
	 */
	key: string;
	connection: Connection;
	/** Calls n8n to resume the execution. Returns the problem if a retry may help; otherwise undefined. */
	resume(url: string): Promise<string | undefined>;
	/** Returns the status of an execution at n8n; undefined if n8n does not answer with one. */
	readStatus(statusUrl: string): Promise<string | undefined>;
	/** Returns whether n8n has started completely; undefined if n8n does not say. */
	isReady(readinessUrl: string): Promise<boolean | undefined>;
}

/** Returns a sender with the connection and the request helpers of an item. */
export function senderOf({ client: { connection }, context }: ItemCall): Sender {
	const { helpers } = context;
	const { service, accountKey } = connection;
	const credentialId = context.getNode().credentials?.[service.credentialType]?.id;
	const callN8n = async (url: string, method: Request['method']) => {
		const n8n: Connection = {
			service: n8nService,
			baseUrl: url,
			credential: {},
			secrets: new Set(),
			accountKey: 'n8n itself',
			transmit: async (options, abortSignal) =>
				await helpers.httpRequest({ ...options, abortSignal }),
		};
		return await new Client(n8n, POLL_SEND_OPTIONS)
			.sendOnce({ method, path: '' })
			.catch(describeFailure);
	};
	return {
		key: `${service.name} ${credentialId ?? accountKey}`,
		connection,
		resume: async (url) => {
			const response = await callN8n(url, 'POST');
			return typeof response === 'string' ? response : problemIn(response);
		},
		readStatus: async (statusUrl) => {
			const response = await callN8n(statusUrl, 'GET');
			return typeof response === 'string' ? undefined : statusIn(response);
		},
		isReady: async (readinessUrl) => {
			const response = await callN8n(readinessUrl, 'GET');
			return typeof response === 'string' ? undefined : readinessIn(response);
		},
	};
}

function problemIn({ status, body }: ServiceResponse): string | undefined {
	const message = typeof body === 'string' ? body.slice(0, 200) : firstText(body, ['message']);
	return isResumeSettled(status, message) ? undefined : `it answered ${status}`;
}

function describeFailure(error: unknown): string {
	if (!(error instanceof ServiceFailure)) return 'it could not be called';
	return error.code === BLOCKED ? RESUME_BLOCKED : 'it did not answer';
}
