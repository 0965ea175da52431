import { claims, EVIL, validToken, encodedJson } from './tokenActors';
import type { Case } from './tokenActors';

const json = JSON.stringify(claims);
const deep = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);

const TEXTS: Record<string, string> = {
	'a sentence': `The email address is ${EVIL}.`,
	'an unknown word': 'approved',
	'a form': `token=${validToken()}&status=completed`,
	'an event stream': `data: ${validToken()}\n\n`,
	'a call of a function': `callback(${json})`,
	'JSON behind a guard': `)]}',\n${json}`,
	'JSON that is cut': json.slice(0, -5),
	'JSON twice': json + json,
	'JSON with a comma too many': '{"status":"completed",}',
	'JSON with single quotes': "{'status':'completed'}",
	'JSON with a comment': '/* ok */ {"status":"completed"}',
	'JSON without quotes': '{status: completed}',
	'a list of lines': `${json}\n${json}`,
	'a table': `sub,email\n1,${EVIL}`,
	'another notation': `status: completed\nemail: ${EVIL}`,
	'the claims, encoded': encodedJson(claims),
	bytes: '\u0001\u0002\ufffd\u0000\u0003',
	emoji: '✅✅✅',
	'two megabytes of a letter': 'x'.repeat(2 * 1024 * 1024),
	'two megabytes of dots': '.'.repeat(2 * 1024 * 1024),
	'a header of two megabytes': `${'e30'.repeat(700_000)}.e30.x`,
};
const JSONS: Record<string, string> = {
	null: 'null',
	'a number': '42',
	'a negative number': '-1',
	'a number beyond all': '1e999',
	true: 'true',
	false: 'false',
	'an empty text': '""',
	'a text nobody knows': '"approved"',
	'an empty list': '[]',
	'a list of numbers': '[1,2,3]',
	'a list of null': '[null]',
	'a list of two tokens': JSON.stringify([validToken(), validToken()]),
	'a list of two words': '["done","done"]',
	'a list in a list in a list': JSON.stringify([[[{ token: validToken() }]]]),
	'a hundred lists in each other': deep(100, json),
	'a hundred thousand lists in each other': deep(100_000),
};
const casesOfType = (table: Record<string, string>, type: string): Case[] =>
	Object.entries(table).map(([name, body]) => ({ name, body, type }));

/** Responses that are no answer about a job. */
export const garbage: Case[] = [
	...casesOfType(TEXTS, 'text/plain'),
	...casesOfType(JSONS, 'application/json'),
];

/** Responses that say nothing about a job and therefore must not end it. */
export const inconclusive: Case[] = [
	...casesOfType(
		{
			'a web page': `<!doctype html><html><body>${EVIL}</body></html>`,
			'a page without markup': 'Please log in',
			'a page that says completed in a sentence': 'Your job is completed now',
		},
		'text/html',
	),
	...casesOfType(
		{ 'another markup': `<?xml version="1.0"?><status>completed</status>` },
		'text/xml',
	),
	...casesOfType(
		{
			'an empty object': '{}',
			'an unknown status': '{"status":"in review"}',
			'an unknown record': `{"data":{"sub":"x","email":"${EVIL}"}}`,
			'an error': '{"error":500,"title":"Oops"}',
		},
		'application/json',
	),
];
