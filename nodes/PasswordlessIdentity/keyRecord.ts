import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../engine/errors';
import type { Client } from '../engine/http/client';
import { toPathSegment } from '../engine/http/path';
import type { ServiceResponse, Request } from '../engine/http/types';
import { loadId } from '../engine/n8n/perProcess';
import { isFingerprintOf } from '../engine/token/jwt';
import { isRecord } from '../engine/values/isRecord';
import { isBlank } from '../engine/values/texts';
import { statesKeyAbsence } from './absence';
import { keyCache } from './keyCache';
import type { KeyLookupResult } from './keyCache';

const keyRequest = (fingerprint: string): Request => ({
	method: 'GET',
	path: '/key/{PK}',
	params: { PK: toPathSegment('Fingerprint', fingerprint) },
	idempotent: true,
	accept: statesKeyAbsence,
	identify: ({ sub }) => sub,
});

/**
 * Returns the record of a key, from the cache unless `skipCache`. Concurrent lookups with the same send options share one
 * request. Throws ServiceFailure if the record cannot be fetched.
 */
export async function lookUpKey(
	client: Client,
	fingerprint: string,
	skipCache = false,
): Promise<KeyLookupResult> {
	const fetch = async (): Promise<KeyLookupResult> => {
		const response = await client.send(keyRequest(fingerprint));
		if (statesKeyAbsence(response)) return { absent: response };
		const record = readKeyRecord(response);
		return (await isRecordOf(fingerprint, record)) ? { record } : { otherRecord: record };
	};
	const { signal, maxAttempts, maxRetryDelayMs, timeoutMs } = client.options;
	// Two versions of the pack in one process share records, but no failures: `instanceof` fails across versions.
	const sharingKey = `${loadId} ${maxAttempts} ${maxRetryDelayMs} ${timeoutMs}`;
	const { baseUrl, accountKey } = client.connection;
	return await keyCache.getOrFetch(baseUrl, fingerprint, fetch, {
		accountKey: accountKey,
		skipCache,
		signal,
		sharingKey,
	});
}

/** Whether a record belongs to a key: its `sub` is the fingerprint, or it has no `sub` and its `jwk` matches the fingerprint. */
async function isRecordOf(fingerprint: string, { sub, jwk }: IDataObject): Promise<boolean> {
	if (sub !== undefined && sub !== null) return sub === fingerprint;
	return isRecord(jwk) && (await isFingerprintOf(fingerprint, jwk));
}

/** Statuses of keys that may sign. A key record without a status may sign, too. */
const USABLE_STATUSES = ['registered', 'confirmed', 'active'];

export const isRevoked = ({ status, revoked }: IDataObject): boolean =>
	(typeof status === 'string' && /revok/i.test(status)) ||
	!(isBlank(revoked) || revoked === false || revoked === 0 || revoked === 'false');

/** Returns the status that forbids a key to sign, phrased for messages; undefined if the key may sign. */
export function unusableStatus(
	{ status }: IDataObject,
	{ acceptedKeyStatuses }: ICredentialDataDecryptedObject,
): string | undefined {
	if (isBlank(status)) return undefined;
	const word = typeof status === 'string' ? status.trim() : '';
	// Missing in credentials that were saved before the field existed.
	const extraStatuses =
		typeof acceptedKeyStatuses === 'string' ? acceptedKeyStatuses.split(/[,;\n]/) : [];
	const acceptedWords = [...USABLE_STATUSES, ...extraStatuses]
		.map((entry) => entry.trim().toLowerCase())
		.filter(Boolean);
	if (acceptedWords.includes(word.toLowerCase())) return undefined;
	// Quotes the issuer's text only if it is short and plain.
	return /^[\p{L}\p{N} ._-]{1,40}$/u.test(word) ? `the status "${word}"` : 'an unknown status';
}

/** Error for a response that is the record of another key than the requested one, or of none. */
export const notTheRecordError = () =>
	new ServiceFailure(
		'The identity issuer answered with something that is not the record of this key',
		{ advice: "Check 'Base URL' in the credential: it may point to something else." },
	);

function readKeyRecord({ body, status }: ServiceResponse): IDataObject {
	const record: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	if (isRecord(record)) return record;
	throw new ServiceFailure('The identity issuer answered with something that is not a key record', {
		status,
		advice: "Check 'Base URL' in the credential: it may point to something else.",
	});
}
