import { apiKeyHeader } from '../engine/http/apiKey';
import { recordsOf } from '../engine/http/records';
import type { CredentialProbe } from '../engine/http/verifyCredential';
import { catalog } from '../engine/operation';
import { firstText } from '../engine/values/convert';
import { isRecord } from '../engine/values/isRecord';
import { attendee } from './attendee';
import { event } from './event';
import { registration } from './registration';
import { session } from './session';

const METHOD_NOT_ALLOWED =
	"Your provider doesn't accept this kind of request. For an update, change 'Update Method' under Options; otherwise check the base URL in the credential.";

const NUMBER_AS_ID =
	'IDs of Event Data look like evt_1004 or att_20017; a plain number belongs to Event Registration. Choose the record from the list.';

/** The event data service. It does not document its error bodies, so the usual members are searched for a message. */
export const service = catalog({
	name: 'event data service',
	credentialType: 'eventDataApi',
	secretFields: ['apiKey'],
	resources: { attendee, event, registration, session },
	keepsRecords: true,
	defaultResource: 'event',
	configurationParams: ['eventId'],
	explain: ({ status, body }, { params = {} } = {}) => {
		const messages = fieldMessages(body);
		const isNumber = Object.values(params).some((id) => /^\d+$/.test(`${id}`));
		return {
			advice:
				status === 405
					? METHOD_NOT_ALLOWED
					: status === 404 && isNumber
						? NUMBER_AS_ID
						: messages.length > 0
							? ''
							: undefined,
			message:
				[firstText(body, MESSAGE_FIELDS), ...messages].filter(Boolean).join('; ') || undefined,
			code: firstText(body, ['code']),
			fields: errorEntries(body).flatMap((entry) => fieldIn(entry) ?? []),
		};
	},
});

const MESSAGE_FIELDS = ['message', 'Message', 'error_description', 'detail', 'error', 'title'];

/** Returns the errors about single fields, if the error body lists any. */
function errorEntries(body: unknown): unknown[] {
	const { details, errors } = isRecord(body) ? body : {};
	return [details, errors].find(Array.isArray) ?? [];
}

const fieldIn = (entry: unknown) => firstText(entry, ['field', 'path', 'name']);

/** Returns the messages about single fields. */
function fieldMessages(body: unknown): string[] {
	return errorEntries(body).map((entry) => {
		if (typeof entry === 'string') return entry;
		const field = fieldIn(entry);
		const message = firstText(entry, ['message', 'detail']) ?? 'not accepted';
		return field ? `${field}: ${message}` : message;
	});
}

/** Requests the first page of events: no other request without side effects shows whether the key is accepted. */
export const probe: CredentialProbe = {
	path: () => '/events',
	headers: (credential) => apiKeyHeader(credential, 'X-API-Key'),
	recognizes: ({ status, body }) =>
		status === 200 &&
		(Array.isArray(body) || (isRecord(body) && Array.isArray(body.data))) &&
		recordsOf(body).every((record) => 'id' in record),
};
