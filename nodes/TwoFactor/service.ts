import type { IDataObject } from 'n8n-workflow';

import { apiKeyHeader } from '../engine/http/apiKey';
import type { CredentialProbe } from '../engine/http/verifyCredential';
import { catalog } from '../engine/operation';
import { firstText } from '../engine/values/convert';
import { application } from './application';
import { approvalRequest } from './approvalRequest';
import { oneTimeCode } from './oneTimeCode';
import { requireValidPeople } from './people';
import { phoneVerification } from './phoneVerification';
import { asObject, errorCode, isFalse, succeeded } from './responses';
import { user } from './user';

/** Advice for the service's error codes. */
const ADVICE: Record<string, string> = {
	'60001':
		"Check 'API Key' in the credential, and 'Header Name' if your provider uses another one.",
	'60004':
		"Check the values in this node: one is missing or has a form that the service doesn't accept.",
	'60026':
		"Check 'User ID': use the twofactor_id that Enroll returned. A deleted user must be enrolled again. A phone number is not a User ID: to send it a code, use Phone Verification.",
	'60027': 'Check the email address, the phone number and the country of the user.',
	'60033': 'Check the phone number and its country.',
	'60049': "Check 'Approval Request ID': use the id that Create returned.",
	'60060':
		"Trying again won't help: resolve it with the provider, in the provider's console or through its support.",
	'60065': "Turn push approvals on for the application, in the provider's console.",
	'60082': "Landlines can't receive text messages. Try a voice call, or ask for a mobile number.",
	'60083': 'No carrier serves this number: check it with the user.',
};

/** Advice for a 2xx response whose body does not report success. */
const UNCLEAR_ADVICE =
	"Its answer doesn't say whether it succeeded: check 'Base URL' in the credential.";
const REJECTED_ADVICE = "The service didn't do it. Check the values in this node.";

/** Error code of a suspended account. Its HTTP status suggests a temporary failure, but retrying does not help. */
const SUSPENDED = '60060';

/** The two-factor service. A request succeeded only if the body says so; a 2xx status alone does not count. */
export const service = catalog({
	name: 'two-factor service',
	credentialType: 'twoFactorApi',
	secretFields: ['apiKey', 'triggerSecret'],
	resources: { application, approvalRequest, oneTimeCode, phoneVerification, user },
	defaultResource: 'oneTimeCode',
	explain: (response) => {
		const body = asObject(response.body);
		const code = errorCode(response);
		const isSuccessStatus = response.status < 300;
		const isUncertain = isSuccessStatus && !isFalse(body.success);
		const advice = isUncertain
			? UNCLEAR_ADVICE
			: (ADVICE[code ?? ''] ?? (isSuccessStatus ? REJECTED_ADVICE : undefined));
		return {
			message: readServiceMessage(body),
			fields: Object.keys(asObject(body.errors)).filter((name) => name !== 'message'),
			code,
			advice,
			isPermanent: code === SUSPENDED,
			isUncertain,
		};
	},
	isFailure: (response) => !succeeded(response),
	rateLimitedParams: ['twofactor_id'],
});

/** Returns the service's message, with its errors about single fields. */
function readServiceMessage(body: IDataObject): string | undefined {
	const errors = asObject(body.errors);
	const message = firstText(body, ['message', 'error']) ?? firstText(errors, ['message']);
	const fields = Object.entries(errors).flatMap(([name, text]) =>
		name !== 'message' && typeof text === 'string' ? [`${name} ${text}`] : [],
	);
	const main = message?.replace(/\.\s*$/, '');
	return [main, fields.join(', ')].filter(Boolean).join(': ') || undefined;
}

/** Connection test: reads the application's details, which has no side effect and requires the API key. */
export const probe: CredentialProbe = {
	path: (credential) => {
		requireValidPeople(credential);
		return '/protected/json/app/details';
	},
	headers: (credential) => apiKeyHeader(credential, 'X-Twofactor-API-Key'),
	recognizes: (response) => succeeded(response) && 'app' in asObject(response.body),
};
