import type { IDataObject } from 'n8n-workflow';

import { field } from '../../engine/field';
import type { ItemCall } from '../../engine/operation';
import { toRecord } from '../../engine/run/output';
import { fingerprint, readFingerprint } from '../fields';
import { keyCache } from '../keyCache';

/** Fingerprint in the path. A key may only change its own record, so it is also the subject of the token. */
export const ownFingerprint: typeof fingerprint = {
	...fingerprint,
	description: 'Must be the key in the credential, or the one that signed your token',
};

/** Claim `sub`, copied from the fingerprint in the path. */
export const sameSubject = field({
	displayName: 'Subject',
	name: 'subject',
	type: 'hidden',
	default: '',
	description: 'The key itself',
	readWhenBlank: true,
	read: (_, reading) => readFingerprint('Fingerprint', reading.rawValue(ownFingerprint)),
	target: { in: 'claim', as: 'sub' },
});

/** Sends a change of a key. Drops its record from the cache even if the request fails: the service may have carried it out. */
export async function changeKey(
	{ fingerprint: key }: { fingerprint: string },
	call: ItemCall,
): Promise<IDataObject> {
	const request = await call.buildRequest();
	try {
		return { fingerprint: key, ...toRecord(await call.send(request)) };
	} finally {
		keyCache.drop(call.client.connection.baseUrl, key);
	}
}
