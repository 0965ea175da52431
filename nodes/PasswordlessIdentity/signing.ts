import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import type { Connection } from '../engine/http/client';
import type { ItemCall } from '../engine/operation';
import { SharedReads } from '../engine/sharedReads';
import {
	decodeUnverified,
	KeyError,
	importPrivateKey,
	isFingerprint,
	signJwt,
	TokenError,
} from '../engine/token/jwt';
import type { SigningKey } from '../engine/token/jwt';

/** Placeholder in a claim for the fingerprint of the credential's key, which is not read yet. */
export const OWN_FINGERPRINT = Symbol('own fingerprint');

/** Placeholder in a claim for the issuer in the credential or, if that is empty, the fingerprint of its key. */
export const OWN_ISSUER = Symbol('own issuer');

const signingKeys = new SharedReads<SigningKey>();

/** Returns the credential's key, which is parsed once per execution. Throws BadInput if it is missing or invalid. */
async function loadSigningKey(connection: Connection): Promise<SigningKey> {
	const { privateKey, algorithm } = connection.credential;
	const read = async () => await readSigningKey(privateKey, `${algorithm || 'EdDSA'}`);
	return await signingKeys.get(connection, 'signing key', read);
}

/** Returns the fingerprint of the credential's key; undefined without a key that can sign. */
export const ownFingerprint = async (connection: Connection): Promise<string | undefined> =>
	await loadSigningKey(connection).then(
		({ fingerprint }) => fingerprint,
		() => undefined,
	);

/** Parses a credential's private key. Throws BadInput with a message for the user if that fails. */
export async function readSigningKey(text: unknown, algorithm: string): Promise<SigningKey> {
	if (typeof text !== 'string' || text.trim() === '') {
		throw new BadInput(
			'The credential has no private key to sign with',
			"Paste your application's private key into the credential, or choose 'Use an Existing Token'.",
		);
	}
	try {
		return await importPrivateKey(text, algorithm);
	} catch (error) {
		throw toKeyInputError(error);
	}
}

const toKeyInputError = (error: unknown) =>
	error instanceof KeyError
		? new BadInput(
				`The private key in the credential can't be used. ${error.message}`,
				"Check 'Private Signing Key' and 'Algorithm' in the credential.",
			)
		: error;

/** Values of the fields that `signedFields` builds. */
interface SignedValues {
	useToken: boolean;
	/** Token that was signed elsewhere. */
	token?: string;
	additionalClaims?: { furtherClaims?: IDataObject };
}

/** Returns the token to send: the user's existing one, or the claims signed with the credential's key. */
export async function obtainToken(
	claims: Record<string, unknown>,
	{ useToken, token: existing, additionalClaims }: SignedValues,
	call: ItemCall,
): Promise<string> {
	if (useToken && existing !== undefined) return existing;
	const key = await loadSigningKey(call.client.connection);
	const all: Record<string, unknown> = { ...additionalClaims?.furtherClaims };
	for (const [name, value] of Object.entries(claims)) all[name] = resolveClaim(value, key, call);
	// Only the fingerprint of an Ed25519 key contains the public key. Other keys that sign for themselves must include it.
	if (key.algorithm !== 'EdDSA' && all.sub === key.fingerprint) all.jwk ??= key.publicJwk;
	try {
		const token = await signJwt(all, key);
		call.addSecret(token);
		return token;
	} catch (error) {
		throw toClaimsInputError(error);
	}
}

const toClaimsInputError = (error: unknown) =>
	error instanceof TokenError
		? new BadInput(error.message, 'Check the claims in this node. Nothing was sent.')
		: error;

function resolveClaim(value: unknown, key: SigningKey, { client }: ItemCall): unknown {
	if (value === OWN_FINGERPRINT) return key.fingerprint;
	if (value !== OWN_ISSUER) return value;
	const { issuer } = client.connection.credential;
	return (typeof issuer === 'string' && issuer.trim()) || key.fingerprint;
}

/** Checks the format of a token that was signed elsewhere. The service verifies its signature. */
export function readExistingToken(raw: unknown): string {
	const token = typeof raw === 'string' ? raw.trim() : '';
	try {
		decodeUnverified(token);
		return token;
	} catch (error) {
		throw toTokenInputError(error);
	}
}

const toTokenInputError = (error: unknown) =>
	error instanceof TokenError
		? new BadInput(
				error.reason === 'notAToken'
					? "'Signed Token' is not a signed token (JWT)"
					: `'Signed Token' can't be sent. ${error.message}`,
				'A token has three parts separated by dots and starts with "eyJ". Nothing was sent.',
			)
		: error;

/**
 * Returns the fingerprints that name the signer of a token that this node sends, without verifying it: `iss` and `kid` or, if
 * neither is a fingerprint, `sub`.
 */
export function signersOf(token: string | undefined): string[] {
	if (token === undefined) return [];
	const { header, claims } = decodeUnverified(token);
	const signers = [claims.iss, header.kid].filter(isFingerprint);
	return signers.length > 0 ? signers : [claims.sub].filter(isFingerprint);
}

/** Returns a text claim of a token that this node sends, without verifying it. */
export function readClaim(token: string | undefined, name: string): string | undefined {
	const value = token === undefined ? undefined : decodeUnverified(token).claims[name];
	return typeof value === 'string' ? value : undefined;
}
