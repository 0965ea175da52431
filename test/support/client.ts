import { Client } from '../../nodes/engine/http/client';

/** What a service answers, as n8n's request helper gives it. */
export interface Told {
	status?: number;
	body?: unknown;
}

const service = { name: 'service', credential: 'none', secrets: [], explain: () => ({}) };

/** A client without n8n, of a service that always answers the same, or not at all. It sends once. */
export const clientOf = (baseUrl: string, told: Told | Error, credential = {}): Client =>
	new Client(
		{
			service,
			baseUrl,
			credential,
			secrets: new Set(),
			accountKey: baseUrl,
			transmit: async () => {
				if (told instanceof Error) throw told;
				const { status = 200, body } = told;
				return { statusCode: status, headers: {}, body: JSON.stringify(body) };
			},
		},
		{ maxAttempts: 1, maxRetryDelayMs: 1000, timeoutMs: 1000 },
	);
