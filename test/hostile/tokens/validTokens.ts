import { claims, signValidToken, signAs, createPersonWithRecord } from './tokenActors';
import type { Case } from './tokenActors';

const nowSeconds = Math.floor(Date.now() / 1000);
const otherPerson = createPersonWithRecord('somebody else who was asked', (sub) => ({
	sub,
	status: 'registered',
}));
const token = signValidToken();

/** Creates a case for each form that the record of a registered person may have. */
const createRecordCases = (
	forms: Record<string, Parameters<typeof createPersonWithRecord>[1]>,
): Case[] =>
	Object.entries(forms).map(([name, record]) => {
		const key = createPersonWithRecord(name, record);
		const body = signAs(key, { sub: key.fingerprint, email: 'somebody@example.com' });
		return { name, body, subject: key };
	});

/** Valid tokens. They must be accepted, otherwise the rejections prove nothing. */
export const validTokens: Case[] = [
	{ name: 'a token', body: token },
	{ name: 'a token with blanks around it', body: `\n ${token} \n` },
	{ name: 'a token as plain text', body: token, type: 'text/plain' },
	...Object.entries({
		'a token as a JSON text': token,
		'a token in the member token': { status: 'completed', token },
		'a token under another name': { result: token },
		'a token one level down': { data: { token } },
		'a token in a list': [{ token }],
	}).map(([name, body]) => ({ name, body: JSON.stringify(body), type: 'application/json' })),
	{
		name: 'a token that becomes valid in 30 seconds',
		body: signValidToken({ ...claims, exp: nowSeconds + 3600, nbf: nowSeconds + 30 }),
	},
	{
		name: 'a token of another person who was asked',
		body: signAs(otherPerson, { sub: otherPerson.fingerprint, email: 'newcomer@example.com' }),
		subject: otherPerson,
	},
	...createRecordCases({
		'a record without a status': (sub) => ({ sub }),
		'a record with a status that is null': (sub) => ({ sub, status: null, revoked: null }),
		'a record that is confirmed': (sub) => ({ sub, status: 'confirmed', revoked: false }),
		'a record that is Active': (sub) => ({ sub, status: ' Active ' }),
		'a record with its key alone': (sub) => ({ jwk: { kty: 'OKP', crv: 'Ed25519', x: sub } }),
	}),
];
