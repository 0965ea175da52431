import {
	casesFromJson,
	claims,
	signValidToken,
	mallory,
	encodeJson,
	validTokenParts,
	signAs,
} from './tokenActors';
import type { Case } from './tokenActors';

const [header, payload, signature] = validTokenParts;
const forged = signAs(mallory);

/** Values in the place of a token. */
const NOT_TOKENS: Record<string, unknown> = {
	'two parts': `${header}.${payload}`,
	'five parts': `${signValidToken()}.${payload}.${signature}`,
	'no algorithm': `${encodeJson({ typ: 'JWT' })}.${payload}.${signature}`,
	padding: `${header}=.${payload}==.${signature}==`,
	'a space inside': signValidToken().replace('.', ' .'),
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
	'a list of a token': [signValidToken()],
	claims: claims,
	'a token in base64': Buffer.from(signValidToken()).toString('base64'),
	'a forged token': forged,
	'no signature': `${encodeJson({ alg: 'none' })}.${payload}.`,
};
/** Statuses of a finished job. */
const FINISHED_STATUSES = ['completed', 'Done', 'ready', 'FINISHED'];

/** Forged tokens at different places in a body. */
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
	'beside a good one under another name': { token: forged, jwt: signValidToken() },
	'not at all, but claims and null': { token: null, ...claims },
};

/** JSON without a valid token. */
export const wrappers: Case[] = [
	...Object.entries(NOT_TOKENS).flatMap(([name, token], index) => {
		const status = FINISHED_STATUSES[index % FINISHED_STATUSES.length];
		return casesFromJson({
			[`${name} as token of a job that is ${status}`]: { status, token },
			[`${name} as token of a job without a status`]: { token },
		});
	}),
	...casesFromJson({
		'an empty token of a job that is completed': { status: 'completed', token: '' },
		'an empty jwt of a job that is done': { status: 'done', jwt: '' },
		'a number as jwt': { status: 'completed', jwt: 7 },
	}),
	...casesFromJson(
		Object.fromEntries(
			Object.entries(FORGED).map(([name, body]) => [`a forged token ${name}`, body]),
		),
	),
	{
		name: 'two tokens under one name, the last one forged',
		body: `{"token":"${signValidToken()}","token":"${forged}"}`,
		type: 'application/json',
	},
];
