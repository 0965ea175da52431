import { isHtml } from '../../engine/http/failures';
import { isNotFound } from '../../engine/http/statuses';
import { operation } from '../../engine/operation';
import { statesRevokedKey } from '../absence';
import { fingerprint } from '../fields';
import { isRevoked, lookUpKey, notTheRecordError } from '../keyRecord';

/**
 * Checks whether a key is registered. A response to HEAD has no body, and any server answers 404 to a wrong path. So only 200
 * counts at once; the issuer's statement in the response to a GET decides everything else.
 */
export const check = operation({
	name: 'Check',
	action: 'Check whether a key exists',
	description: 'Check whether a key is registered or revoked',
	request: 'HEAD /key/{PK}',
	fields: { fingerprint },
	idempotent: true,
	accept: (response) => isNotFound(response) && !isHtml(response),
	output: async ({ status }, { fingerprint: key }, call) => {
		if (status === 200) return { fingerprint: key, exists: true, revoked: false };
		const lookup = await lookUpKey(call.client, key, true);
		if ('otherRecord' in lookup) throw notTheRecordError();
		const isAbsent = 'absent' in lookup;
		const revoked = isAbsent ? statesRevokedKey(lookup.absent) : isRevoked(lookup.record);
		return { fingerprint: key, exists: !isAbsent && !revoked, revoked };
	},
	outputSchema: { fingerprint: 'string', exists: 'boolean', revoked: 'boolean' },
});
