import { failureOf } from '../../engine/http/failures';
import type { Operation } from '../../engine/operation';
import { fingerprint } from '../fields';
import { lookUpKey } from '../keyRecord';

/** Reads the record of a key, from the cache if it was read within the last five minutes. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a key',
	description:
		'Look up a registered key by its fingerprint. A key that is unknown or revoked is an error; to ask whether it exists, use Check.',
	request: { method: 'GET', path: '/key/{PK}' },
	fields: [fingerprint],
	options: [
		{
			displayName: 'Skip the Cache',
			name: 'skipCache',
			type: 'boolean',
			default: false,
			description:
				'Whether to ask the issuer even if the key was looked up within the last five minutes',
		},
	],
	repeatable: true,
	run: async (call) => {
		const { params } = await call.request();
		const fresh = call.option('skipCache') === true;
		const found = await lookUpKey(call.client, `${params?.PK}`, fresh);
		if ('absent' in found) throw failureOf(found.absent, call.service);
		return { ...found.record };
	},
};
