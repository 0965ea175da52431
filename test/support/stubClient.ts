import { Client } from '../../nodes/engine/http/client';

/** A service's response: its status, by default 200, and its body. */
export interface StubResponse {
	status?: number;
	body?: unknown;
}

const service = { name: 'service', credentialType: 'none', secretFields: [], explain: () => ({}) };

/**
 * Creates a client without n8n for a service that always returns the same response or always fails. It sends each request
 * once.
 */
export const stubClient = (
	baseUrl: string,
	responseOrError: StubResponse | Error,
	credential = {},
): Client =>
	new Client(
		{
			service,
			baseUrl,
			credential,
			secrets: new Set(),
			accountKey: baseUrl,
			transmit: async () => {
				if (responseOrError instanceof Error) throw responseOrError;
				const { status = 200, body } = responseOrError;
				return { statusCode: status, headers: {}, body: JSON.stringify(body) };
			},
		},
		{ maxAttempts: 1, maxRetryDelayMs: 1000, timeoutMs: 1000 },
	);
