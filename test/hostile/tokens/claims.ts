import { sign } from 'node:crypto';

import { importKeyOf } from '../../sandbox/passwordlessIdentity.fixture';
import {
	casesFromTokens,
	claims,
	encodeBase64url,
	EVIL_EMAIL,
	signValidToken,
	mallory,
	encodeJson,
	signAs,
	user,
} from './tokenActors';
import type { Case } from './tokenActors';

const nowSeconds = Math.floor(Date.now() / 1000);
const { fingerprint } = user;
/** Signs a payload that is already JSON. */
const signPayload = (payload: string, key = mallory) => {
	const text = `${encodeJson({ alg: 'EdDSA' })}.${encodeBase64url(payload)}`;
	return `${text}.${sign(null, Buffer.from(text), importKeyOf(key).privateKey).toString('base64url')}`;
};
/** Returns claims with two subjects. */
const claimTwoSubjects = (first: string, second: string) =>
	`{"sub":"${first}","sub":"${second}","email":"${EVIL_EMAIL}"}`;

const SUBJECTS: Record<string, unknown> = {
	none: undefined,
	null: null,
	empty: '',
	'a number': 43,
	true: true,
	'a list': [fingerprint],
	'an object': { toString: fingerprint },
	'with a space': `${fingerprint} `,
	'with a line break': `\n${fingerprint}`,
	'too long': `${fingerprint}A`,
	'too short': fingerprint.slice(1),
	'in upper case': fingerprint.toUpperCase(),
	'two in one': `${fingerprint},${mallory.fingerprint}`,
	'another person': mallory.fingerprint,
	'a path': `../key/${fingerprint}`,
	'an email address': EVIL_EMAIL,
};
const TIMES: Record<string, object> = {
	'expired a minute and a half ago': { exp: nowSeconds - 90 },
	'expired an hour ago': { exp: nowSeconds - 3600 },
	'expired at the beginning of time': { exp: 0 },
	'expired before the beginning of time': { exp: -1 },
	'not valid for another hour': { nbf: nowSeconds + 3600 },
	'not valid for another year': { nbf: nowSeconds + 365 * 86_400 },
	'not valid until milliseconds are seconds': { nbf: Date.now() },
	'expires at a word': { exp: 'never' },
	'expires at a number in quotes': { exp: `${nowSeconds + 900}` },
	'expires at null': { exp: null },
	'expires at a list': { exp: [nowSeconds + 900] },
	'expires at an object': { exp: {} },
	'expires at true': { exp: true },
	'valid from a word': { nbf: 'always' },
	'valid from null': { nbf: null },
	'made at a word': { iat: 'yesterday' },
	'made at a list': { iat: [nowSeconds] },
	'made an hour ahead': { iat: nowSeconds + 3600 },
	'made when milliseconds are seconds': { iat: Date.now() },
	'answers another job': { job: 'Zk3fT9aQw1LmX7cVb2Ns' },
	'answers a list of jobs': { job: ['job-0', 'job-1', 'job-2'] },
};

/** Tokens with claims about another person, another time or no person. */
export const falseClaims: Case[] = casesFromTokens({
	...Object.fromEntries(
		Object.entries(SUBJECTS).flatMap(([name, sub]) => [
			[`its subject is ${name}, signed by the user`, signValidToken({ ...claims, sub })],
			[`its subject is ${name}, signed by another`, signAs(mallory, { ...claims, sub })],
		]),
	),
	...Object.fromEntries(
		Object.entries(TIMES).map(([name, times]) => [name, signValidToken({ ...claims, ...times })]),
	),
	'names the user last of two, signed by another': signPayload(
		claimTwoSubjects(mallory.fingerprint, fingerprint),
	),
	'names the user first of two, signed by another': signPayload(
		claimTwoSubjects(fingerprint, mallory.fingerprint),
	),
	'names the user first of two, signed by the user': signPayload(
		claimTwoSubjects(fingerprint, mallory.fingerprint),
		user,
	),
	'names the user in another spelling of sub': signAs(mallory, {
		Sub: fingerprint,
		email: EVIL_EMAIL,
	}),
	'names the user as audience': signAs(mallory, {
		sub: mallory.fingerprint,
		aud: fingerprint,
		email: EVIL_EMAIL,
	}),
	'names the user through a prototype': signPayload(
		`{"__proto__":{"sub":"${fingerprint}"},"email":"${EVIL_EMAIL}"}`,
	),
	'has claims of 300 kB': signValidToken({ ...claims, note: 'x'.repeat(300 * 1024) }),
	'has 100,000 claims': signValidToken({
		...claims,
		...Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`c${n}`, n])),
	}),
	...Object.fromEntries(
		[201, 3000, 50_000].map((levels) => [
			`has claims ${levels} levels deep, signed by the user`,
			signPayload(
				`{"sub":"${fingerprint}","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
				user,
			),
		]),
	),
});
