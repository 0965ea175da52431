import { BadInput } from '../engine/errors';
import { isNotFound } from '../engine/http/statuses';
import type { ServiceResponse } from '../engine/http/types';
import type { CredentialProbe } from '../engine/http/verifyCredential';
import { catalog } from '../engine/operation';
import { firstText } from '../engine/values/convert';
import { isRecord } from '../engine/values/isRecord';
import { isBlank } from '../engine/values/texts';
import { readErrorLabel, UNSTATED_ADVICE } from './absence';
import { key } from './key';
import { login } from './login';
import { scopeJob } from './scopeJob';
import { readSigningKey } from './signing';

const ADVICE: Record<string, string> = {
	'auth-error':
		'The issuer does not accept the signature, secret or code. Check it; for a signature, check that the key in the credential is registered (Key: Register) and not revoked.',
	'aud-error': "'Audience' must name the callback: leave it empty to use the callback address.",
	'unknown-key':
		'No such key is registered. Check the fingerprint, or the email and phone; register a new key with Key: Register.',
	'revoked-key': "The key was revoked and can't be used anymore. Register a new one.",
	'duplicate-key': 'To change it, use Update.',
	'duplicate-hash': 'The email address or phone number already belongs to another key.',
	'confirm-first':
		'A code is required first: submit it with Scope Job: Confirm; to revoke a key, run the step "1. Send the Code" (codes are valid for a few minutes only).',
	'unknown-job':
		'There is no such outstanding job: it was answered or canceled, it timed out, or it never existed. Scope Job: Get shows its state.',
	'expired-job': "The person didn't answer in time. Issue a new job.",
	'wrong-method': 'Submit signed tokens with Update Status, not with Confirm.',
};

/** The passwordless identity issuer. Signed bodies authenticate requests, so no request carries an API key. */
export const service = catalog({
	name: 'identity issuer',
	credentialType: 'passwordlessIdentityApi',
	secretFields: ['privateKey', 'triggerSecret'],
	hidesSentValues: true,
	resources: { key, login, scopeJob },
	defaultResource: 'scopeJob',
	explain: (response) => {
		const { body } = response;
		const code = readErrorLabel(body);
		const isKnown = code !== undefined && Object.hasOwn(ADVICE, code);
		return {
			message: firstText(body, ['detail', 'title', 'message', 'error_description', 'error']),
			code,
			advice: isKnown ? ADVICE[code] : isNotFound(response) ? UNSTATED_ADVICE : undefined,
		};
	},
});

/** A fingerprint that no registered key has, for the connection test of a credential without a key. */
const UNUSED_FINGERPRINT = 'A'.repeat(43);

/** Whether an error has the issuer's members, and not only those that other web servers use, too. */
const isProblem = ({ body }: ServiceResponse): boolean => {
	const { error, type } = isRecord(body) ? body : {};
	return (
		typeof type === 'string' &&
		(typeof error === 'number' || readErrorLabel(body) === 'unknown-key')
	);
};

const isKeyRecord = ({ body }: ServiceResponse) => isRecord(body) && typeof body.sub === 'string';

const NO_SIGNING_KEY = [
	'Connected, but no signing key is set',
	"Enter 'Private Signing Key'. If you only use tokens signed elsewhere, ignore this message: the credential works for that.",
] as const;

/** Connection test: fetches the record of the credential's key. A key that is not registered yet passes. */
export const probe: CredentialProbe = {
	path: async ({ privateKey, algorithm }) => {
		const { fingerprint } = isBlank(privateKey)
			? { fingerprint: UNUSED_FINGERPRINT }
			: await readSigningKey(privateKey, `${algorithm || 'EdDSA'}`);
		return `/key/${fingerprint}`;
	},
	headers: () => ({}),
	recognizes: (response, { privateKey }) => {
		if (response.status === 410 && isProblem(response)) {
			throw new BadInput(
				'The issuer answers, but this key was revoked',
				'Enter a new private key in the credential and register it with Key: Register.',
			);
		}
		const isIssuer =
			response.status === 200
				? isKeyRecord(response)
				: response.status === 404 && isProblem(response);
		// n8n 2.41.1 shows no message with a passed test, so a missing key can only be reported as a failure.
		if (isIssuer && isBlank(privateKey)) throw new BadInput(...NO_SIGNING_KEY);
		return isIssuer;
	},
};
