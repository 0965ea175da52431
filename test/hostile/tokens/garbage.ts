import { claims, EVIL_EMAIL, signValidToken, encodeJson } from './tokenActors';
import type { Case } from './tokenActors';

const claimsJson = JSON.stringify(claims);
const nestInLists = (levels: number, inside = '') =>
	'['.repeat(levels) + inside + ']'.repeat(levels);

const TEXTS: Record<string, string> = {
	'a sentence': `The email address is ${EVIL_EMAIL}.`,
	'an unknown word': 'approved',
	'a form': `token=${signValidToken()}&status=completed`,
	'an event stream': `data: ${signValidToken()}\n\n`,
	'a call of a function': `callback(${claimsJson})`,
	'JSON behind a guard': `)]}',\n${claimsJson}`,
	'JSON that is cut': claimsJson.slice(0, -5),
	'JSON twice': claimsJson + claimsJson,
	'JSON with a comma too many': '{"status":"completed",}',
	'JSON with single quotes': "{'status':'completed'}",
	'JSON with a comment': '/* ok */ {"status":"completed"}',
	'JSON without quotes': '{status: completed}',
	'two lines of JSON': `${claimsJson}\n${claimsJson}`,
	CSV: `sub,email\n1,${EVIL_EMAIL}`,
	YAML: `status: completed\nemail: ${EVIL_EMAIL}`,
	'the claims, encoded': encodeJson(claims),
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
	'a number beyond the range': '1e999',
	true: 'true',
	false: 'false',
	'an empty text': '""',
	'an unknown text': '"approved"',
	'an empty list': '[]',
	'a list of numbers': '[1,2,3]',
	'a list of null': '[null]',
	'a list of two tokens': JSON.stringify([signValidToken(), signValidToken()]),
	'a list of two words': '["done","done"]',
	'a list in a list in a list': JSON.stringify([[[{ token: signValidToken() }]]]),
	'a hundred lists in each other': nestInLists(100, claimsJson),
	'a hundred thousand lists in each other': nestInLists(100_000),
};
const casesOfType = (table: Record<string, string>, type: string): Case[] =>
	Object.entries(table).map(([name, body]) => ({ name, body, type }));

/** Responses that do not describe a job. */
export const garbage: Case[] = [
	...casesOfType(TEXTS, 'text/plain'),
	...casesOfType(JSONS, 'application/json'),
];

/** Responses that say nothing about a job and therefore must not end it. */
export const inconclusive: Case[] = [
	...casesOfType(
		{
			'a web page': `<!doctype html><html><body>${EVIL_EMAIL}</body></html>`,
			'a page without markup': 'Please log in',
			'a page that says completed in a sentence': 'Your job is completed now',
		},
		'text/html',
	),
	...casesOfType({ XML: `<?xml version="1.0"?><status>completed</status>` }, 'text/xml'),
	...casesOfType(
		{
			'an empty object': '{}',
			'an unknown status': '{"status":"in review"}',
			'an unknown record': `{"data":{"sub":"x","email":"${EVIL_EMAIL}"}}`,
			'an error': '{"error":500,"title":"Oops"}',
		},
		'application/json',
	),
];
