import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../engine/http/client';
import type { Operation } from '../engine/operation';
import { inOrder } from '../engine/run/output';
import { decodeUnverified } from '../engine/token/jwt';
import type { JobReading } from './jobState';
import type { TokenPolicy } from './tokenOptions';
import { UnverifiedError, verifyToken } from './verification';

/** How the result of a job is looked at. */
export interface JobExpectation extends TokenPolicy {
	job: string;
	/** The fingerprint of the person who was asked, where it is known. */
	subject?: string;
	/** When the token came, in milliseconds; now unless told. */
	validAt?: number;
}

/**
 * What is put out about a job. It is completed only with a token that was verified: anything else that is said to be a result
 * throws Unverified, and ServiceFailure when the key cannot be fetched for now. Where the user does not want it checked, claims
 * come out as `unverifiedClaims`.
 */
export async function verifyJobResult(
	reading: JobReading,
	expectation: JobExpectation,
	client: Client,
): Promise<IDataObject> {
	const { job, verify } = expectation;
	const { state, token, claims, rest } = reading;
	if (state === 'unverified') throw unrecognizedAnswer();
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

/** What is said of an answer that nobody can read. */
export const UNRECOGNIZED_ANSWER =
	'The identity issuer answered with something that is neither a scope job nor its result';

const unrecognizedAnswer = () =>
	new UnverifiedError(
		'unreadable',
		UNRECOGNIZED_ANSWER,
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

/** What is put out about a job whose result is not to be trusted: why, and nothing of what it claims. */
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

/** The claims of a token that nobody checked; nothing when it cannot be taken apart. */
export function decodeUnverifiedClaims(token: string): IDataObject {
	try {
		return decodeUnverified(token).claims;
	} catch {
		return {};
	}
}

/** What comes out about a job, by the names that the trigger has too; the token last, since it is long. */
export const jobShape = shape({ ...jobYields(), token: 'string' });

/** The same once it is waited for, with what else an operation or a trigger says. */
export const waitedJobShape = <Y extends Yields>(more: Y) =>
	shape({
		...jobYields(),
		reason: 'string',
		message: 'string',
		...more,
		waitedSeconds: 'number',
		trouble: 'string',
		token: 'string',
	});

type Yields = NonNullable<Operation['yields']>;

function jobYields() {
	return {
		id: 'string',
		outcome: 'string',
		verified: 'boolean',
		subjectChecked: 'boolean',
		claims: 'object',
		unverifiedClaims: 'object',
	} as const;
}

function shape(yields: Yields) {
	return { simplify: Object.keys(yields), yields, tidy: toJobOutput };
}

const orderFields = inOrder(
	'id',
	'outcome',
	'verified',
	'subjectChecked',
	'claims',
	'unverifiedClaims',
);

/** A job under the names that come out: the words of its state are the outcomes of a wait, but for one that goes on. */
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
