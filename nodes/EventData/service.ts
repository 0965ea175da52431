import { apiKeyHeader } from '../engine/apiKey';
import type { Probe } from '../engine/credentialTest';
import type { Service } from '../engine/operation';
import { recordsOf } from '../engine/pages';
import { firstText } from '../engine/values';
import { attendee } from './attendee';
import { event } from './event';
import { registration } from './registration';
import { session } from './session';

/** The event data service. Its error bodies are not published, so the usual places are searched for words. */
export const service: Service = {
	name: 'event data service',
	credential: 'eventDataApi',
	secrets: ['apiKey'],
	resources: { attendee, event, registration, session },
	initial: 'event',
	explain: ({ body }) => ({
		message: firstText(body, [
			'message',
			'Message',
			'error_description',
			'detail',
			'error',
			'title',
		]),
		code: firstText(body, ['code']),
	}),
};

/** Asks for the first page of events: nothing else without side effects tells whether the key is right. */
export const probe: Probe = {
	path: () => '/events',
	headers: (credential) => apiKeyHeader(credential, 'X-API-Key'),
	recognizes: ({ status, body }) =>
		status === 200 &&
		(Array.isArray(body) || Array.isArray((body as { data?: unknown } | undefined)?.data)) &&
		recordsOf(body).every((record) => 'id' in record),
};
