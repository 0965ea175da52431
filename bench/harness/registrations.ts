import type { BenchN8n } from './n8n';
import { gatehouse, httpRequest } from './nodes';

/** The event that has eleven of a hundred parts of the sandbox's registrations. */
const EVENT = 1010;

export type RegistrationNodes = ReturnType<typeof registrationNodes>;

/** Nodes that do the same with the registrations of an event, by the pack and without it. */
export function registrationNodes({ lab }: Pick<BenchN8n, 'lab'>, event = EVENT) {
	const { baseUrl, headerName, apiKey } = lab.sandbox.credentials.eventRegistrationApi!;
	const url = `${baseUrl}/api/v1/events/${event}/registrations`;
	const headers = { [headerName!]: apiKey! };
	return {
		url,
		headers,
		ours: (operation: string, parameters: object) =>
			gatehouse('Work', 'eventRegistration', {
				resource: 'registration',
				operation,
				eventId: { __rl: true, mode: 'id', value: `${event}` },
				...parameters,
			}),
		theirs: (name: string, address: string, parameters: object = {}) =>
			httpRequest(name, address, { headers, ...parameters }),
	};
}
