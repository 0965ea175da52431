import type { IDataObject } from 'n8n-workflow';

import { EVIL, mallory, signedBy, personWithRecord, stranger } from './tokenActors';
import type { Case } from './tokenActors';

/** Statuses of keys that do not count, which the message names. */
const STATUSES = ['disabled', 'deleted', 'expired', 'pending', 'suspended', 'locked'];

type Records = Record<string, Parameters<typeof personWithRecord>[1]>;

const casesForKeys = (records: Records): Case[] =>
	Object.entries(records).map(([name, record]) => {
		const key = personWithRecord(name, record);
		return { name, body: signedBy(key, { sub: key.fingerprint, email: EVIL }), subject: key };
	});

/** Tokens that people really signed, with keys that do not count. */
export const keys: Case[] = [
	{
		name: 'a key that is not registered',
		body: signedBy(stranger, { sub: stranger.fingerprint, email: EVIL }),
		subject: stranger,
	},
	...casesForKeys({
		'a key that the issuer does not know': () => 404,
		'a key that was revoked': () => 410,
		'a record that says revoked': (sub) => ({ sub, status: 'revoked' }),
		'a record that says REVOKED': (sub) => ({ sub, status: 'REVOKED' }),
		'a record that says Revoked by owner': (sub) => ({ sub, status: 'Revoked by owner' }),
		"another person's record": () => ({ sub: mallory.fingerprint, status: 'registered' }),
		'a record whose subject is no key': () => ({ sub: 'not a key', status: 'registered' }),
		'a record whose subject is an object': (sub) => ({ sub: { $eq: sub } }),
		'a record whose subject is a list': (sub) => ({ sub: [sub] }),
		'a record whose subject is null': () => ({ sub: null }),
		'a record whose subject is empty': () => ({ sub: '' }),
		'a record that is empty': () => ({}),
		'a record that is an error': () => ({ error: 404, type: 'x/unknown-key' }),
		'a record that is something else': () => ({ ok: true, version: '1.2.3' }),
		'a record without a subject': () => ({ status: 'registered' }),
		'a record with a key that is another': () => ({ jwk: mallory.publicJwk as IDataObject }),
		...Object.fromEntries(
			[...STATUSES, 'Disabled', ' pending ', 'registered?', 'not registered', 'x'.repeat(99)].map(
				(status) => [`a record whose status is ${status}`, (sub: string) => ({ sub, status })],
			),
		),
		'a record whose status is a list': (sub) => ({ sub, status: ['registered'] }),
		'a record whose status is an object': (sub) => ({ sub, status: { registered: true } }),
		'a record whose status is a number': (sub) => ({ sub, status: 0 }),
		'a record that carries revoked': (sub) => ({ sub, status: 'registered', revoked: true }),
		'a record that carries revoked as text': (sub) => ({ sub, revoked: 'true' }),
		'a record that carries when it was revoked': (sub) => ({ sub, revoked: '2026-11-01' }),
		'a record whose subject is cut': (sub) => ({ sub: sub.slice(0, -1) }),
	}),
];

/** Keys that cannot be had for now: nothing is decided yet. */
export const unsettledTokens: Case[] = casesForKeys({
	'a record that is a list': () => [1, 2],
	'a key that cannot be fetched': () => 500,
});
