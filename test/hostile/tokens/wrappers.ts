import { asJson, claims, validToken, mallory, encodedJson, parts, signedBy } from './tokenActors';
import type { Case } from './tokenActors';

const [header, payload, signature] = parts;
const forged = signedBy(mallory);

/** Values in the place of a token. */
const NOT_TOKENS: Record<string, unknown> = {
	'two parts': `${header}.${payload}`,
	'five parts': `${validToken()}.${payload}.${signature}`,
	'no algorithm': `${encodedJson({ typ: 'JWT' })}.${payload}.${signature}`,
	padding: `${header}=.${payload}==.${signature}==`,
	'a space inside': validToken().replace('.', ' .'),
	'a word': 'yes',
	'the word null': 'null',
	'a blank': ' ',
	'a job': 'Zk3fT9aQw1LmX7cVb2Ns',
	'a number': 12345,
	zero: 0,
	true: true,
	false: false,
	'an empty object': {},
	'an empty list': [],
	'a list of a token': [validToken()],
	claims: claims,
	'a token in base64': Buffer.from(validToken()).toString('base64'),
	'a forged token': forged,
	'no signature': `${encodedJson({ alg: 'none' })}.${payload}.`,
};
const WORDS = ['completed', 'Done', 'ready', 'FINISHED'];

/** Forged tokens, wherever in a body they are found. */
const FORGED: Record<string, unknown> = {
	'as a JSON text': forged,
	'in a list': [forged],
	'under jwt': { jwt: forged },
	'under any name': { anything: forged },
	'one level down': { data: { token: forged } },
	'in a list, as token': [{ token: forged }],
	'beside claims': { ...claims, token: forged },
	'beside a claim of verification': { token: forged, verified: true, state: 'completed' },
	'with blanks around': { token: `  ${forged}\n` },
	'beside a good one under another name': { token: forged, jwt: validToken() },
	'not at all, but claims and null': { token: null, ...claims },
};

/** JSON that holds what is no good token. */
export const wrappers: Case[] = [
	...Object.entries(NOT_TOKENS).flatMap(([name, token], index) => {
		const status = WORDS[index % WORDS.length];
		return asJson({
			[`${name} as token of a job that is ${status}`]: { status, token },
			[`${name} as token of a job without a status`]: { token },
		});
	}),
	...asJson({
		'an empty token of a job that is completed': { status: 'completed', token: '' },
		'an empty jwt of a job that is done': { status: 'done', jwt: '' },
		'a number as jwt': { status: 'completed', jwt: 7 },
	}),
	...asJson(
		Object.fromEntries(
			Object.entries(FORGED).map(([name, body]) => [`a forged token ${name}`, body]),
		),
	),
	{
		name: 'two tokens under one name, the last one forged',
		body: `{"token":"${validToken()}","token":"${forged}"}`,
		type: 'application/json',
	},
];
