import { operation } from '../../engine/operation';
import { fingerprint } from '../fields';
import { keyCache } from '../keyCache';
import { isAbsent } from '../keyRecord';

/** Checks whether a key is registered. A 404 or 410 is a result, not an error. */
export const check = operation({
	name: 'Check',
	action: 'Check whether a key exists',
	description: 'Check whether a key is registered or revoked',
	request: 'HEAD /key/{PK}',
	fields: { fingerprint },
	idempotent: true,
	accept: isAbsent,
	output: ({ status }, { fingerprint: requestedFingerprint }, call) => {
		const exists = status < 300;
		if (!exists) keyCache.drop(call.client.connection.baseUrl, requestedFingerprint);
		return { fingerprint: requestedFingerprint, exists, revoked: status === 410 };
	},
	outputSchema: { fingerprint: 'string', exists: 'boolean', revoked: 'boolean' },
});
