import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../engine/http/client';
import type { Operation } from '../engine/operation';
import { fieldsFirst } from '../engine/run/output';
import { decodeUnverified } from '../engine/token/jwt';
import type { JobReading } from './jobState';
import type { TokenPolicy } from './tokenOptions';
import { UnverifiedError, verifyToken } from './verification';

/** Conditions for the result of one job. Passed on to `verifyToken` as a `TokenExpectation`. */
export interface JobExpectation extends TokenPolicy {
	job: string;
	/** Fingerprint of the person who was asked, if it is known. */
	subject?: string;
	/** Fingerprints of the keys that may have signed the request for the job, besides the credential's key. */
	requestSigners?: readonly string[];
	/** Time at which the token was received, in milliseconds since 1970. Default: now. */
	validAt?: number;
}

/**
 * Returns the output for one job. A job is completed only with a verified token. Throws UnverifiedError for any other result
 * that the service reports, and ServiceFailure if the key record cannot be fetched now. If the user turned verification off,
 * the claims are returned as `unverifiedClaims`.
 */
export async function verifyJobResult(
	reading: JobReading,
	expectation: JobExpectation,
	client: Client,
): Promise<IDataObject> {
	const { job, verify } = expectation;
	const { state, token, claims, rest } = reading;
	if (state === 'unrecognized' || state === 'unstated') throw unrecognizedJobError();
	if (state !== 'completed') return { ...rest, job, state };
	if (!verify) return { ...rest, ...withoutVerification(reading), job, state };
	if (token === undefined) throw claims ? unsignedResult() : missingToken();
	const verified = await verifyToken(token, expectation, client);
	return {
		job,
		state,
		verified: true,
		subjectChecked: verified.subjectChecked,
		claims: verified.claims,
		token,
		key: verified.key,
	};
}

function withoutVerification({ token, claims }: JobReading): IDataObject {
	const checks = { verified: false, subjectChecked: false };
	if (token !== undefined) {
		return { ...checks, unverifiedClaims: decodeUnverifiedClaims(token), token };
	}
	return claims ? { ...checks, unverifiedClaims: claims } : checks;
}

export const UNRECOGNIZED_RESPONSE =
	'The identity issuer answered with something that is neither a scope job nor its result';

const unrecognizedJobError = () =>
	new UnverifiedError(
		'unreadable',
		UNRECOGNIZED_RESPONSE,
		"If this keeps happening, check 'Base URL' in the credential, or ask the operator of the issuer.",
	);

const unsignedResult = () =>
	new UnverifiedError(
		'unsigned',
		'The result of the scope job is not signed: the identity issuer sent claims without a token, and anyone could have made them up',
	);

const missingToken = () =>
	new UnverifiedError(
		'noToken',
		'The identity issuer reports that the scope job is finished, but sent no signed token with it',
		'Do not act on it. The token may come a moment later: try again, or use Wait Until Finished.',
	);

/** Output for a job whose result failed verification: the reason, and none of its claims. */
export const unverifiedResult = (
	job: string,
	{ reason, message }: UnverifiedError,
): IDataObject => ({
	job,
	state: 'unverified',
	verified: false,
	subjectChecked: false,
	reason,
	message,
});

/** Returns the claims of a token without verifying it; an empty object if the token is malformed. */
export function decodeUnverifiedClaims(token: string): IDataObject {
	try {
		return decodeUnverified(token).claims;
	} catch {
		return {};
	}
}

/** Output shape of a job, with the same field names as the trigger's. The token comes last because it is long. */
export const jobShape = shape({ ...jobOutputSchema(), token: 'string' });

/** Output shape of a job after a wait, with the fields that an operation or a trigger adds. */
export const waitedJobShape = <More extends OutputSchema>(addedFields: More) =>
	shape({
		...jobOutputSchema(),
		reason: 'string',
		message: 'string',
		...addedFields,
		waitedSeconds: 'number',
		trouble: 'string',
		token: 'string',
	});

type OutputSchema = NonNullable<Operation['outputSchema']>;

function jobOutputSchema() {
	return {
		id: 'string',
		outcome: 'string',
		verified: 'boolean',
		subjectChecked: 'boolean',
		claims: 'object',
		unverifiedClaims: 'object',
	} as const;
}

function shape(outputSchema: OutputSchema) {
	return { simplify: Object.keys(outputSchema), outputSchema, transformRecord: toJobOutput };
}

const orderFields = fieldsFirst(
	'id',
	'outcome',
	'verified',
	'subjectChecked',
	'claims',
	'unverifiedClaims',
);

/** Renames `job` and `state` to the output fields `id` and `outcome`. States equal outcomes of a wait, except `outstanding`. */
export function toJobOutput({ job, state, token, ...rest }: IDataObject): IDataObject {
	return {
		...orderFields({
			...(job !== undefined && { id: job }),
			...(state !== undefined && { outcome: state }),
			...rest,
		}),
		...(token !== undefined && { token }),
	};
}
