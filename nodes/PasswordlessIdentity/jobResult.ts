import type { IDataObject } from 'n8n-workflow';

import { decodeUnverified } from '../engine/jwt';
import type { Connection, Manner } from '../engine/request';
import type { JobReading } from './jobState';
import { verifyToken } from './verification';

/** How the result of a job is looked at. */
export interface Look {
	job: string;
	/** The fingerprint of the person who was asked, where it is known. */
	subject?: string;
	/** Whether the token is checked. */
	verify: boolean;
	/** When the token came, in milliseconds; now unless told. */
	at?: number;
}

/**
 * What is put out about a job. Claims come out as `claims` only if they were verified, as `unverifiedClaims` otherwise. Throws
 * Unverified when a token does not hold, and ServiceFailure when its key cannot be fetched for now.
 */
export async function jobResult(
	reading: JobReading,
	{ job, subject, verify, at }: Look,
	connection: Connection,
	manner: Manner,
): Promise<IDataObject> {
	const { state, token, claims, rest } = reading;
	if (state !== 'completed') return { ...rest, job, state };
	const unverified = { job, state, verified: false, subjectChecked: false };
	if (token === undefined) {
		return claims ? { ...unverified, unverifiedClaims: claims } : { ...rest, ...unverified };
	}
	if (!verify) return { ...unverified, unverifiedClaims: unverifiedClaims(token), token };
	const verified = await verifyToken(token, { subject, at }, connection, manner);
	return {
		job,
		state,
		verified: true,
		subjectChecked: verified.subjectChecked,
		claims: verified.claims as IDataObject,
		token,
		key: verified.key,
	};
}

/** The claims of a token that nobody checked; nothing when it cannot be taken apart. */
export function unverifiedClaims(token: string): IDataObject {
	try {
		return decodeUnverified(token).claims as IDataObject;
	} catch {
		return {};
	}
}

/** What those outputs hold, for n8n's preview. */
export const jobYields = {
	job: 'string',
	state: 'string',
	verified: 'boolean',
	subjectChecked: 'boolean',
	claims: 'object',
	unverifiedClaims: 'object',
	token: 'string',
	key: 'object',
} as const;
