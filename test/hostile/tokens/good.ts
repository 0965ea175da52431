import { claims, good, signedBy, somebody } from './cast';
import type { Case } from './cast';

const now = Math.floor(Date.now() / 1000);
const newcomer = somebody('somebody else who was asked', (sub) => ({ sub, status: 'registered' }));
const token = good();

/** What must pass, or the rest proves nothing. */
export const goods: Case[] = [
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
		body: good({ ...claims, exp: now + 3600, nbf: now + 30 }),
	},
	{
		name: 'a token of somebody else who was asked',
		body: signedBy(newcomer, { sub: newcomer.fingerprint, email: 'newcomer@example.com' }),
		asked: newcomer,
	},
];
