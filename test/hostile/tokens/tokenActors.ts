import type { IDataObject } from 'n8n-workflow';

import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import type { DemoKey } from '../../../sandbox/demoIdentities';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';

/** An issuer's response about one job, and the person who was asked. */
export interface Case {
	name: string;
	body: string;
	/** Content type; that of a token by default. */
	type?: string;
	/** The person who was asked; the user by default. */
	subject?: Pick<DemoKey, 'fingerprint'>;
}

/** The person who is asked, and whom the attacker plays. */
export const user = deriveDemoKey('the person who was asked');
/** A registered person who is not asked. */
export const mallory = deriveDemoKey('another registered person');
/** A person whose key is not registered. */
export const stranger = deriveDemoKey('a person without a key');

/** Text that no output and no error may contain. */
export const EVIL = 'mallory@evil.example';
/** Claims that the attacker makes about the user. */
export const claims = { sub: user.fingerprint, email: EVIL };

/** The issuer's records of the registered people. A status alone is a response without a record. */
export const records = new Map<string, IDataObject | unknown[] | number>(
	[user, mallory].map(({ fingerprint: sub }) => [sub, { sub, status: 'registered' }]),
);

/** Creates a person with a record of their own, for one case. */
export function personWithRecord(
	name: string,
	record: (sub: string) => IDataObject | unknown[] | number,
) {
	const key = deriveDemoKey(name);
	records.set(key.fingerprint, record(key.fingerprint));
	return key;
}

/** Signs as that person. */
export const signedBy = (key: DemoKey, payload: object = claims, header: object = {}): string =>
	signToken(payload, importKeyOf(key), header);

/** The user's own token, as good as can be. */
export const validToken = (payload: object = claims) => signedBy(user, payload);

export const encoded = (value: string | Buffer): string => Buffer.from(value).toString('base64url');
export const encodedJson = (value: unknown): string => encoded(JSON.stringify(value));

/** The three parts of the user's own token. */
export const parts = validToken().split('.') as [
	header: string,
	payload: string,
	signature: string,
];

/** Cases from a table of names and tokens. */
export const asTokens = (table: Record<string, string>): Case[] =>
	Object.entries(table).map(([name, body]) => ({ name, body }));

/** Cases from a table of names and JSON bodies. */
export const asJson = (table: Record<string, unknown>): Case[] =>
	Object.entries(table).map(([name, body]) => ({
		name,
		body: JSON.stringify(body),
		type: 'application/json',
	}));
