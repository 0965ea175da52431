import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../engine/errors';
import { isHtml } from '../engine/failures';
import type { Answer, Connection, Manner, Request } from '../engine/request';
import { keyCache } from './keyCache';

/** Whether the service says that a key or job is not there, as opposed to a page that knows nothing of either. */
export const isAbsent = (answer: Answer): boolean =>
	(answer.status === 404 || answer.status === 410) && answer.kind !== 'text' && !isHtml(answer);

/** A registered key, or the service's answer that there is none. */
export type KeyAnswer = { record: IDataObject } | { absent: Answer };

/** The request for a key record. */
const keyRequest = (fingerprint: string): Request => ({
	method: 'GET',
	path: '/key/{PK}',
	params: { PK: fingerprint },
	labels: { PK: 'Fingerprint' },
	repeatable: true,
	accept: isAbsent,
});

/** Looks a key up, in the cache first unless a fresh record is wanted. Throws ServiceFailure when it cannot be fetched. */
export async function lookUpKey(
	connection: Connection,
	fingerprint: string,
	manner: Manner,
	fresh = false,
): Promise<KeyAnswer> {
	let absent: Answer | undefined;
	const fetch = async () => {
		const answer = await connection.send(keyRequest(fingerprint), manner);
		if (isAbsent(answer)) absent = answer;
		return absent ? undefined : recordIn(answer);
	};
	const record = await keyCache.through(connection.baseUrl, fingerprint, fetch, fresh);
	return record ? { record } : { absent: absent! };
}

function recordIn({ body, status }: Answer): IDataObject {
	const record: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	if (typeof record === 'object' && record !== null && !Array.isArray(record)) {
		return record as IDataObject;
	}
	throw new ServiceFailure('The identity issuer answered with something that is not a key record', {
		status,
		advice: 'Check the base address in the credential: something else may be there.',
	});
}
