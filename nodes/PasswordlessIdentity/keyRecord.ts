import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../engine/errors';
import type { Client } from '../engine/http/client';
import { isHtml } from '../engine/http/failures';
import type { Answer, Request } from '../engine/http/types';
import { loadId } from '../engine/perProcess';
import { isRecord } from '../engine/values/convert';
import { keyCache } from './keyCache';
import type { KeyAnswer } from './keyCache';

/** Whether the service says that a key or job is not there, as opposed to a page that knows nothing of either. */
export const isAbsent = (answer: Answer): boolean =>
	(answer.status === 404 || answer.status === 410) && answer.kind !== 'text' && !isHtml(answer);

/** The request for a key record. */
const keyRequest = (fingerprint: string): Request => ({
	method: 'GET',
	path: '/key/{PK}',
	params: { PK: fingerprint },
	labels: { PK: 'Fingerprint' },
	repeatable: true,
	accept: isAbsent,
});

/**
 * Looks a key up, in the cache first unless a fresh record is wanted; together with all who look it up at the same time and in
 * the same options. Throws ServiceFailure when it cannot be fetched.
 */
export async function lookUpKey(
	client: Client,
	fingerprint: string,
	fresh = false,
): Promise<KeyAnswer> {
	const fetch = async (): Promise<KeyAnswer> => {
		const answer = await client.send(keyRequest(fingerprint));
		return isAbsent(answer) ? { absent: answer } : { record: recordIn(answer) };
	};
	const { signal, tries, longestWaitMs, timeLimitMs } = client.options;
	// Two versions of the pack in one process share records, but no failures: each knows only its own kind of them.
	const patience = `${loadId} ${tries} ${longestWaitMs} ${timeLimitMs}`;
	return await keyCache.through(client.connection.baseUrl, fingerprint, fetch, {
		fresh,
		signal,
		patience,
	});
}

function recordIn({ body, status }: Answer): IDataObject {
	const record: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	if (isRecord(record)) return record;
	throw new ServiceFailure('The identity issuer answered with something that is not a key record', {
		status,
		advice: "Check 'Base URL' in the credential: it may point to something else.",
	});
}
