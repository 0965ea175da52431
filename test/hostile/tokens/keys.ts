import type { IDataObject } from 'n8n-workflow';

import { EVIL_EMAIL, mallory, signAs, createPersonWithRecord, stranger } from './tokenActors';
import type { Case } from './tokenActors';

/** Statuses of invalid keys, which the message names. */
const INVALID_STATUSES = ['disabled', 'deleted', 'expired', 'pending', 'suspended', 'locked'];

type RecordsByName = Record<string, Parameters<typeof createPersonWithRecord>[1]>;

const casesForKeys = (records: RecordsByName): Case[] =>
	Object.entries(records).map(([name, record]) => {
		const key = createPersonWithRecord(name, record);
		return { name, body: signAs(key, { sub: key.fingerprint, email: EVIL_EMAIL }), subject: key };
	});

/** Tokens with genuine signatures, but of invalid keys. */
export const keys: Case[] = [
	{
		name: 'a key that is not registered',
		body: signAs(stranger, { sub: stranger.fingerprint, email: EVIL_EMAIL }),
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
		'a record that is something else': () => ({ ok: true, version: '1.2.3' }),
		'a record without a subject': () => ({ status: 'registered' }),
		'a record with a key that is another': () => ({ jwk: mallory.publicJwk as IDataObject }),
		...Object.fromEntries(
			[
				...INVALID_STATUSES,
				'Disabled',
				' pending ',
				'registered?',
				'not registered',
				'x'.repeat(99),
			].map((status) => [`a record whose status is ${status}`, (sub: string) => ({ sub, status })]),
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

/** Tokens whose key cannot be read for now, so that the job is not decided yet. */
export const unsettledTokens: Case[] = casesForKeys({
	'a record that is a list': () => [1, 2],
	'a record that is an error': () => ({ error: 404, type: 'x/unknown-key' }),
	'a key that cannot be fetched': () => 500,
});
