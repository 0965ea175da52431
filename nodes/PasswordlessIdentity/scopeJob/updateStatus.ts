import type { ServiceResponse } from '../../engine/http/types';
import { operation } from '../../engine/operation';
import { toRecord } from '../../engine/run/output';
import { looksLikeToken } from '../../engine/token/jwt';
import {
	additionalClaims,
	email,
	job,
	ownIssuer,
	ownSubject,
	phone,
	signedFields,
} from '../fields';
import { withoutReservedFields } from '../jobState';
import { obtainToken } from '../signing';

/**
 * Returns the token that some issuers respond with instead of a status. A response declared as `application/jwt` is accepted
 * by its form alone, without decoding: the issuer has completed the job, so rejecting the response would only cause a useless
 * retry.
 */
function readTokenBody({ status, body, headers }: ServiceResponse): string | undefined {
	if (status >= 300 || typeof body !== 'string') return undefined;
	const text = body.trim();
	const isDeclaredJwt = /^application\/jwt\b/i.test(headers['content-type'] ?? '');
	const hasJwtForm = isDeclaredJwt && /^[\w-]+(\.[\w-]*){2}((\.[\w-]+){2})?$/.test(text);
	return hasJwtForm || looksLikeToken(text) ? text : undefined;
}

/** Answers a job on behalf of the person who was asked, as the app on the phone does. */
export const updateStatus = operation({
	name: 'Update Status',
	action: 'Update the status of a scope job',
	description: 'Complete a scope job with a token signed by the person',
	request: 'PUT /scope/{job}',
	sign: obtainToken,
	fields: {
		job,
		...signedFields(
			{
				subject: { ...ownSubject, displayName: "Person's Key Fingerprint" },
				additionalClaims: additionalClaims(email, phone),
				issuer: ownIssuer,
			},
			true,
		),
	},
	idempotent: true,
	accept: (response) => readTokenBody(response) !== undefined,
	output: (response, { job: id }) => {
		const token = readTokenBody(response);
		// "ready" is the status that other issuers answer with. The token is not verified here.
		if (token !== undefined) return { id, status: 'ready', verified: false, token };
		return { id, ...withoutReservedFields(toRecord(response)) };
	},
	outputSchema: { id: 'string', status: 'string', verified: 'boolean', token: 'string' },
});
