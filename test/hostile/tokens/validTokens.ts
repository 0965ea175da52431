import { claims, validToken, signedBy, personWithRecord } from './tokenActors';
import type { Case } from './tokenActors';

const now = Math.floor(Date.now() / 1000);
const newcomer = personWithRecord('somebody else who was asked', (sub) => ({
	sub,
	status: 'registered',
}));
const token = validToken();

/** A registered person, in each of the forms that a record may have. */
const inForms = (forms: Record<string, Parameters<typeof personWithRecord>[1]>): Case[] =>
	Object.entries(forms).map(([name, record]) => {
		const key = personWithRecord(name, record);
		const body = signedBy(key, { sub: key.fingerprint, email: 'somebody@example.com' });
		return { name, body, subject: key };
	});

/** Valid tokens. They must pass, or the rejections prove nothing. */
export const validTokens: Case[] = [
	{ name: 'a token', body: token },
	{ name: 'a token with blanks around it', body: `\n ${token} \n` },
	{ name: 'a token as plain text', body: token, type: 'text/plain' },
	...Object.entries({
		'a token as a JSON text': token,
		'a token as token': { status: 'completed', token },
		'a token under another name': { result: token },
		'a token one level down': { data: { token } },
		'a token in a list': [{ token }],
	}).map(([name, body]) => ({ name, body: JSON.stringify(body), type: 'application/json' })),
	{
		name: 'a token that is valid in a moment',
		body: validToken({ ...claims, exp: now + 3600, nbf: now + 30 }),
	},
	{
		name: 'a token of somebody else who was asked',
		body: signedBy(newcomer, { sub: newcomer.fingerprint, email: 'newcomer@example.com' }),
		subject: newcomer,
	},
	...inForms({
		'a record without a status': (sub) => ({ sub }),
		'a record with a status that is null': (sub) => ({ sub, status: null, revoked: null }),
		'a record that is confirmed': (sub) => ({ sub, status: 'confirmed', revoked: false }),
		'a record that is Active': (sub) => ({ sub, status: ' Active ' }),
		'a record with its key alone': (sub) => ({ jwk: { kty: 'OKP', crv: 'Ed25519', x: sub } }),
	}),
];
