import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import { field } from '../../engine/field';
import type { ServiceResponse } from '../../engine/http/types';
import { operation } from '../../engine/operation';
import type { ItemCall } from '../../engine/operation';
import { toRecord } from '../../engine/run/output';
import { integerReader } from '../../engine/values/convert';
import type { TokenExpectation } from '../expectation';
import {
	additionalClaims,
	epochSeconds,
	optionalFingerprint,
	optionalText,
	ownIssuer,
	ownSubject,
	signedFields,
	verifyOption,
	FINGERPRINT_EXAMPLE,
} from '../fields';
import { decodeUnverifiedClaims, toJobOutput } from '../jobResult';
import { findToken } from '../jobState';
import { obtainToken, readClaim, signersOf } from '../signing';
import { UnverifiedError, verifyToken } from '../verification';

const nowSeconds = () => Math.floor(Date.now() / 1000);

const callback = field({
	displayName: 'Callback',
	name: 'callback',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://app.example.com/login/callback',
	description: 'Address that the login is for',
	read: optionalText,
	target: { in: 'query' },
});

const audience = field({
	displayName: 'Audience',
	name: 'audience',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://app.example.com',
	description: 'Who the token is for. Leave empty to use the callback address.',
	readWhenBlank: true,
	read: (raw, reading, label) =>
		optionalText(raw, reading, label) ??
		optionalText(reading.rawValue(callback), reading, 'Callback'),
	target: { in: 'claim', as: 'aud' },
});

const validFor = field({
	displayName: 'Valid For (Seconds)',
	name: 'validFor',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 300,
	description: 'How long the token is valid',
	read: (raw) => nowSeconds() + integerReader('Valid For')(raw),
	target: { in: 'claim', as: 'exp' },
});

const notBefore = field({
	displayName: 'Not Valid Before',
	name: 'notBefore',
	type: 'dateTime',
	default: '',
	description: 'When the token becomes valid',
	read: epochSeconds,
	target: { in: 'claim', as: 'nbf' },
});

const issuedAt = field({
	displayName: 'Issued At',
	name: 'issuedAt',
	type: 'hidden',
	default: '',
	description: 'The current time',
	readWhenBlank: true,
	read: nowSeconds,
	target: { in: 'claim', as: 'iat' },
});

const expectedSigner = field({
	displayName: 'Expected Signer',
	name: 'expectedSigner',
	type: 'string',
	default: '',
	placeholder: FINGERPRINT_EXAMPLE,
	description:
		"Fingerprint of the issuer's own key. Answers signed by other keys are rejected. Without this option, any registered key that the answer names is accepted.",
	rejectBlank: true,
	read: optionalFingerprint,
});

const outputSchema = {
	outcome: 'string',
	verified: 'boolean',
	subjectChecked: 'boolean',
	claims: 'object',
	unverifiedClaims: 'object',
	reason: 'string',
	message: 'string',
	signer: 'string',
	token: 'string',
} as const;

/** Completes a login. The outcome is `completed` only with a verified token in the response; otherwise it is `unverified`. */
export const complete = operation({
	name: 'Complete',
	action: 'Complete a passwordless login',
	description: 'Log a person in at the callback address with a signed token',
	request: 'POST /login',
	sign: obtainToken,
	fields: {
		callback,
		...signedFields({
			subject: {
				...ownSubject,
				displayName: "Person's Key Fingerprint",
				description: 'Who logs in. Leave empty to use the key in the credential.',
			},
			audience,
			validFor,
			additionalClaims: additionalClaims(notBefore),
			issuer: ownIssuer,
			issuedAt,
		}),
	},
	options: { expectedSigner, verify: verifyOption },
	effect: 'the person was logged in',
	// A successful response may be the bare token as text. Without this function, only JSON counts as a success.
	accept: ({ status, kind, body }) =>
		status < 300 && kind === 'text' && findToken(body) !== undefined,
	identify: findToken,
	run: async ({ expectedSigner: signer, verify = true }, call) => {
		const request = await call.buildRequest();
		const response = await call.send(request);
		const subject = readClaim(request.token, 'sub');
		const requestSigners = signersOf(request.token);
		return await loginResult(response, { subject, signer, requestSigners, verify }, call);
	},
	simplify: Object.keys(outputSchema),
	transformRecord: toJobOutput,
	outputSchema,
});

async function loginResult(
	response: ServiceResponse,
	{ verify, ...expectation }: TokenExpectation & { verify: boolean },
	call: ItemCall,
): Promise<IDataObject> {
	const token = findToken(response.body);
	const unverifiedFields = { state: 'unverified', verified: false, subjectChecked: false };
	if (token === undefined) {
		// Returns only `status` of the response body: any other field, such as `claims`, could pass for a verified field.
		const { status } = toRecord(response);
		return {
			...(status !== undefined && { status }),
			...unverifiedFields,
			reason: 'noToken',
			message: 'The identity issuer accepted the login, but sent no signed token to prove it',
		};
	}
	if (!verify) {
		return { ...unverifiedFields, unverifiedClaims: decodeUnverifiedClaims(token), token };
	}
	const { claims, key, signer, subjectChecked, signerChecked } = await verifyToken(
		token,
		{ ...expectation, signerClaim: 'iss' },
		call.client,
	).catch(rethrowAsLoggedIn);
	return {
		state: 'completed',
		verified: true,
		subjectChecked,
		signerChecked,
		signer,
		claims,
		token,
		key,
	};
}

/** Rethrows a failed verification with a note that the login itself was carried out. */
function rethrowAsLoggedIn(error: unknown): never {
	if (!(error instanceof ServiceFailure)) throw error;
	const reason = error instanceof UnverifiedError ? error.reason : undefined;
	const note = 'The issuer accepted the login; only its answer is in doubt.';
	throw reason
		? new UnverifiedError(reason, error.message, `${error.advice ?? ''} ${note}`.trim())
		: new ServiceFailure(error.message, { status: error.status, advice: note });
}
