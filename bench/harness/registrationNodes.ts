import type { BenchN8n } from './n8n';
import { createGatehouseNode, createHttpRequestNode } from './nodes';

/** The event that has 11 % of the sandbox's registrations. */
const EVENT_ID = 1010;

export type RegistrationNodes = ReturnType<typeof createRegistrationNodes>;

/** Creates nodes for the same work on the registrations of an event, with the pack and without it. */
export function createRegistrationNodes({ lab }: Pick<BenchN8n, 'lab'>, eventId = EVENT_ID) {
	const { baseUrl, headerName, apiKey } = lab.sandbox.credentials.eventRegistrationApi!;
	const url = `${baseUrl}/api/v1/events/${eventId}/registrations`;
	const headers = { [headerName!]: apiKey! };
	return {
		url,
		headers,
		createPackNode: (operation: string, parameters: object) =>
			createGatehouseNode('Work', 'eventRegistration', {
				resource: 'registration',
				operation,
				eventId: { __rl: true, mode: 'id', value: `${eventId}` },
				...parameters,
			}),
		createHttpNode: (name: string, address: string, parameters: object = {}) =>
			createHttpRequestNode(name, address, { headers, ...parameters }),
	};
}
