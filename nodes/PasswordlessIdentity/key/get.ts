import { ServiceFailure } from '../../engine/errors';
import { field } from '../../engine/field';
import { toFailure } from '../../engine/http/failures';
import { operation } from '../../engine/operation';
import { isOn } from '../../engine/values/convert';
import { fingerprint } from '../fields';
import { isRevoked, lookUpKey, notTheRecordError } from '../keyRecord';

/** Returns the record of a key, from the cache if it was fetched within the last five minutes. */
export const get = operation({
	name: 'Get',
	action: 'Get a key',
	description: 'Get a registered key by its fingerprint. Fails if unknown or revoked.',
	request: 'GET /key/{PK}',
	fields: { fingerprint },
	options: {
		skipCache: field({
			displayName: 'Skip the Cache',
			name: 'skipCache',
			type: 'boolean',
			default: false,
			description:
				'Whether to ask the issuer even if the key was looked up within the last five minutes',
			read: isOn,
		}),
	},
	idempotent: true,
	run: async ({ fingerprint: key, skipCache }, call) => {
		const lookup = await lookUpKey(call.client, key, skipCache);
		if ('absent' in lookup) throw toFailure(lookup.absent, call.service);
		if ('otherRecord' in lookup) throw notTheRecordError();
		if (isRevoked(lookup.record)) {
			throw new ServiceFailure('The key was revoked', {
				advice: "It can't be used anymore. Register a new one.",
			});
		}
		const { sub: fingerprint = key, ...record } = lookup.record;
		return { fingerprint, ...record };
	},
	outputSchema: { fingerprint: 'string', status: 'string', since: 'string', jwk: 'object' },
});
