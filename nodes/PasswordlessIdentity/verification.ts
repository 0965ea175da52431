import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../engine/errors';
import type { Client } from '../engine/http/client';
import {
	decodeUnverified,
	isAlgorithm,
	isFingerprint,
	isFingerprintOf,
	mixesKeyTypes,
	publicKeyFromFingerprint,
	TokenError,
	verifyJwt,
} from '../engine/token/jwt';
import type { Claims, PublicJwk } from '../engine/token/jwt';
import { isBlank } from '../engine/values/texts';
import { statesRevokedKey } from './absence';
import { findMismatch } from './expectation';
import type { Mismatch, TokenExpectation } from './expectation';
import { isRevoked, lookUpKey, unusableStatus } from './keyRecord';
import { ownFingerprint } from './signing';

/** Why a token failed verification. The node outputs it as `reason`. */
export type UnverifiedReason =
	| TokenError['reason']
	| Mismatch
	| 'unreadable'
	| 'noToken'
	| 'noSigner'
	| 'anotherSubject'
	| 'anotherSigner'
	| 'reflected'
	| 'unknownKey'
	| 'revokedKey'
	| 'keyStatus'
	| 'badRecord'
	| 'noPublicKey';

/**
 * Failed verification of a token. The failure is final: verifying again gives the same result. Contains none of the claims.
 */
export class UnverifiedError extends ServiceFailure {
	constructor(
		readonly reason: UnverifiedReason,
		message: string,
		advice = "Don't act on it. Its claims are not returned.",
	) {
		super(message, { advice });
		this.name = 'UnverifiedError';
	}
}

/** Claims of a verified token and the record of the key that signed it. */
export interface VerifiedToken {
	claims: Claims;
	key: IDataObject;
	signer: string;
	/** Whether a subject was expected, and matched. */
	subjectChecked: boolean;
	/** Whether a signer was expected, and matched. */
	signerChecked: boolean;
}

/**
 * Verifies a token: its signature with the registered key that it names, by an algorithm that this key allows, its times, and
 * the expectation. No key that signs requests is accepted. The algorithm in the credential does not matter: it is for signing only. Throws UnverifiedError if the token
 * fails, and ServiceFailure if the key record cannot be fetched now, which is worth a retry.
 */
export async function verifyToken(
	token: string,
	expectation: TokenExpectation,
	client: Client,
): Promise<VerifiedToken> {
	const { subject, signerClaim = 'sub', signer: expectedSigner, validAt } = expectation;
	try {
		const { header, claims: unverifiedClaims } = decodeUnverified(token);
		if (subject && unverifiedClaims.sub !== subject) {
			throw new UnverifiedError(
				'anotherSubject',
				'The token is not from the person who was asked: it names another subject',
			);
		}
		const candidates =
			signerClaim === 'iss' ? [unverifiedClaims.iss, unverifiedClaims.sub] : [unverifiedClaims.sub];
		const signer = candidates.find(isFingerprint);
		if (!signer) {
			throw new UnverifiedError('noSigner', "The token doesn't name the key that signed it");
		}
		if (expectedSigner && signer !== expectedSigner) {
			throw new UnverifiedError(
				'anotherSigner',
				'The token was signed by a different key than expected',
			);
		}
		const key = await fetchSigningRecord(signer, client);
		const publicKey = await selectPublicKey(signer, key, header.alg);
		await rejectRequestSigner(publicKey, expectation, client);
		const { claims } = await verifyJwt(token, publicKey, { now: validAt });
		const mismatch = findMismatch(claims, expectation);
		if (mismatch) throw new UnverifiedError(...mismatch);
		return {
			claims,
			key,
			signer,
			subjectChecked: Boolean(subject),
			signerChecked: Boolean(expectedSigner),
		};
	} catch (error) {
		throw toUnverifiedError(error);
	}
}

/** Throws UnverifiedError for a key that signs requests. Compares keys, since an Ed25519 key has two names. */
async function rejectRequestSigner(
	publicKey: PublicJwk,
	{ requestSigners = [] }: TokenExpectation,
	{ connection }: Client,
): Promise<void> {
	for (const signer of [await ownFingerprint(connection), ...requestSigners]) {
		if (signer === undefined || !(await isFingerprintOf(signer, publicKey))) continue;
		throw new UnverifiedError(
			'reflected',
			'The token was signed by the key that signed the request, so it is not an answer',
		);
	}
}

async function fetchSigningRecord(signer: string, client: Client): Promise<IDataObject> {
	const lookup = await lookUpKey(client, signer);
	if ('otherRecord' in lookup) {
		throw new UnverifiedError(
			'badRecord',
			isBlank(lookup.otherRecord.sub)
				? "The identity issuer's answer is not the record of the key that signed the token: it doesn't name that key"
				: 'The identity issuer returned the record of another key than the one that signed the token',
		);
	}
	const revoked = 'absent' in lookup ? statesRevokedKey(lookup.absent) : isRevoked(lookup.record);
	if (revoked) throw new UnverifiedError('revokedKey', 'The key that signed the token was revoked');
	if ('absent' in lookup) {
		throw new UnverifiedError('unknownKey', 'The key that signed the token is not registered');
	}
	const status = unusableStatus(lookup.record, client.connection.credential);
	if (status === undefined) return lookup.record;
	throw new UnverifiedError(
		'keyStatus',
		`The key that signed the token has ${status}, which doesn't count as registered`,
		"Don't act on it. If the issuer gives keys in use this status, add it to 'Accepted Key Statuses' in the credential.",
	);
}

/** Returns the only key that may verify a token: the record's `jwk` or, without one, the key that the fingerprint encodes. */
async function selectPublicKey(
	fingerprint: string,
	{ jwk }: IDataObject,
	algorithm: string,
): Promise<PublicJwk> {
	if (jwk !== undefined && jwk !== null) return await readRecordedKey(fingerprint, jwk);
	// Fingerprints encode Ed25519 keys only: without a `jwk`, this token can be neither verified nor called wrong.
	if (algorithm !== 'EdDSA' && isAlgorithm(algorithm)) {
		throw new UnverifiedError(
			'noPublicKey',
			`The token can't be verified: the key record has no public key, which ${algorithm} needs`,
			'Ask the operator of the issuer to add the key to its record as "jwk", use EdDSA, or turn the check off.',
		);
	}
	return publicKeyFromFingerprint(fingerprint);
}

async function readRecordedKey(fingerprint: string, jwk: unknown): Promise<PublicJwk> {
	// A cast only: `mixesKeyTypes`, `isFingerprintOf` and `verifyJwt` check the members.
	const key = (typeof jwk === 'object' ? jwk : {}) as PublicJwk;
	if (key.kty === 'oct') {
		throw new UnverifiedError(
			'badRecord',
			'The key record has a shared secret ("oct") instead of a public key: it proves nothing',
		);
	}
	if (mixesKeyTypes(key)) {
		throw new UnverifiedError(
			'badRecord',
			'The public key in the key record mixes members of different types of keys',
		);
	}
	if (await isFingerprintOf(fingerprint, key)) return key;
	throw new UnverifiedError(
		'badRecord',
		"The public key in the key record doesn't match the fingerprint",
	);
}

function toUnverifiedError(error: unknown): unknown {
	if (error instanceof TokenError) {
		return new UnverifiedError(error.reason, `The token couldn't be verified. ${error.message}`);
	}
	return error;
}
