import { apiKeyHeader } from '../engine/http/apiKey';
import type { CredentialProbe } from '../engine/http/verifyCredential';
import { catalog } from '../engine/operation';
import { isRecord } from '../engine/values/isRecord';
import { plainText } from '../engine/values/texts';
import { attendance } from './attendance';
import { contact } from './contact';
import { contactList } from './contactList';
import { event } from './event';
import { explain } from './explain';
import { namedContactLists, namedEvents, namedRegistrationTypes } from './names';
import { optionGroup } from './optionGroup';
import { order } from './order';
import { registration } from './registration';
import { registrationType } from './registrationType';
import { session } from './session';
import { transaction } from './transaction';

export const service = catalog({
	name: 'event registration service',
	credentialType: 'eventRegistrationApi',
	secretFields: ['apiKey'],
	credentialAdvice:
		"Check the credential: 'API Key', 'Header Name', and 'Prefix', which some services need (e.g. Bearer) and others don't.",
	resources: {
		attendance,
		contact,
		contactList,
		event,
		optionGroup,
		order,
		registration,
		registrationType,
		session,
		transaction,
	},
	keepsRecords: true,
	defaultResource: 'registration',
	names: {
		contactListId: namedContactLists,
		eventId: namedEvents,
		registrationTypeId: namedRegistrationTypes,
	},
	configurationParams: ['eventId', 'contactListId'],
	explain,
	firstPage: ({ firstPage }) => {
		const number = plainText(firstPage);
		return number === '0' ? 0 : number === '1' ? 1 : 'detect';
	},
});

/** Requests one event: no other request without side effects shows whether the key is accepted. */
export const probe: CredentialProbe = {
	path: () => '/api/v1/events?pageSize=1',
	headers: (credential) => apiKeyHeader(credential, 'Authorization'),
	recognizes: ({ status, body }) =>
		status === 200 && Array.isArray(body) && body.every((record) => hasEventId(record)),
};

const hasEventId = (record: unknown) => isRecord(record) && 'EventId' in record;
