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

/** The person who is asked, and whom the attacker imitates. */
export const user = deriveDemoKey('the person who was asked');
/** A registered person who is not asked. */
export const mallory = deriveDemoKey('another registered person');
/** A person whose key is not registered. */
export const stranger = deriveDemoKey('a person without a key');

/** The attacker's email address, which no output and no error may contain. */
export const EVIL_EMAIL = 'mallory@evil.example';
/** Claims that the attacker makes about the user. */
export const claims = { sub: user.fingerprint, email: EVIL_EMAIL };

/** The issuer's records of registered people by fingerprint. A number is the HTTP status of a response without a record. */
export const records = new Map<string, IDataObject | unknown[] | number>(
	[user, mallory].map(({ fingerprint: sub }) => [sub, { sub, status: 'registered' }]),
);

/** Creates a person with a record of their own, for one case. */
export function createPersonWithRecord(
	name: string,
	record: (sub: string) => IDataObject | unknown[] | number,
) {
	const key = deriveDemoKey(name);
	records.set(key.fingerprint, record(key.fingerprint));
	return key;
}

/** Signs a token as this person. */
export const signAs = (key: DemoKey, payload: object = claims, header: object = {}): string =>
	signToken(payload, importKeyOf(key), header);

/** Signs a valid token as the user. */
export const signValidToken = (payload: object = claims) => signAs(user, payload);

export const encodeBase64url = (value: string | Buffer): string =>
	Buffer.from(value).toString('base64url');
export const encodeJson = (value: unknown): string => encodeBase64url(JSON.stringify(value));

/** The three parts of a valid token of the user. */
export const validTokenParts = signValidToken().split('.') as [
	header: string,
	payload: string,
	signature: string,
];

/** Creates cases from a table of names and tokens. */
export const casesFromTokens = (table: Record<string, string>): Case[] =>
	Object.entries(table).map(([name, body]) => ({ name, body }));

/** Creates cases from a table of names and JSON bodies. */
export const casesFromJson = (table: Record<string, unknown>): Case[] =>
	Object.entries(table).map(([name, body]) => ({
		name,
		body: JSON.stringify(body),
		type: 'application/json',
	}));
