import type { IDataObject } from 'n8n-workflow';

import { asOutput } from '../../engine/run/execute';
import type { Call, Field, Output } from '../../engine/operation';
import { fingerprint, readFingerprint } from '../fields';
import { keyCache } from '../keyCache';

/** The key in the path speaks for itself, so it is also the subject of the token. */
export const ownFingerprint: Field = {
	...fingerprint,
	description:
		'The fingerprint of the key: 43 characters. The change must be signed by that very key, so it is the one in the credential, or the one that signed your token.',
};

/** Says in the token what the path says. */
export const sameSubject: Field = {
	displayName: 'Subject',
	name: 'subject',
	type: 'hidden',
	default: '',
	description: 'The key itself',
	target: {
		in: 'claim',
		as: 'sub',
		evenBlank: true,
		value: (_, call) => readFingerprint('Fingerprint', call.field('fingerprint')),
	},
};

/** Sends a change of a key and forgets what was known of the key, also when the answer is lost. */
export async function changeKey(call: Call): Promise<Output> {
	const request = await call.request();
	const { PK } = request.params as { PK: string };
	try {
		const body = asOutput(await call.send(request)) as IDataObject;
		return { fingerprint: PK, ...body };
	} finally {
		keyCache.drop(call.client.connection.baseUrl, PK);
	}
}
