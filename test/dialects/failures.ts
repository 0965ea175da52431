import { jsonAnswer } from './dialect';
import type { Answer, Dialect } from './dialect';

const WORDS = 'The quota of blue tickets is used up';

const page = (status: number, text: string): Answer => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: Buffer.from(`<!DOCTYPE html><html><body><h1>${text}</h1></body></html>`),
});

/** Creates a dialect in which every request fails. */
const failing = (name: string, group: string, answer: () => Answer): Dialect => ({
	name,
	group,
	instead: () => answer(),
});

/** Creates a dialect in which the first request alone fails. */
const failingOnce = (name: string, group: string, answer: () => Answer): Dialect => ({
	name,
	group,
	instead: ({ number }) => (number === 1 ? answer() : undefined),
});

const FORMATS: Array<[name: string, body: unknown]> = [
	['RFC 9457', { type: 'about:blank', title: 'Refused', status: 400, detail: WORDS }],
	['nested', { error: { code: 42, message: WORDS } }],
	['list', { errors: [{ message: WORDS }] }],
	['list of texts', { errors: [WORDS] }],
	['bare list', [{ errorCode: 'E42', message: WORDS }]],
	['fields', { errors: { email: [WORDS] } }],
	['Message', { Message: WORDS }],
	['reason', { reason: WORDS }],
	['text', WORDS],
];

const formats: Dialect[] = FORMATS.flatMap(([name, body]) => [
	failing(`400 as ${name}`, 'error formats', () => jsonAnswer(400, body)),
	failing(`200 with an error as ${name}`, 'error with 200', () => jsonAnswer(200, body)),
]);

const NOT_FOUND: Array<[name: string, answer: () => Answer]> = [
	['{"message": "Not Found"}', () => jsonAnswer(404, { message: 'Not Found' })],
	['{"error": "Not Found"}', () => jsonAnswer(404, { error: 'Not Found', path: '/', status: 404 })],
	['no body', () => jsonAnswer(404, undefined)],
	['a page', () => page(404, 'Not Found')],
	[
		'a text',
		() => ({
			...jsonAnswer(404, ''),
			headers: { 'content-type': 'text/plain' },
			body: Buffer.from('404 page not found'),
		}),
	],
	['{"detail": "Not Found"}', () => jsonAnswer(404, { detail: 'Not Found' })],
];

const wrongPaths: Dialect[] = [
	...NOT_FOUND.map(([name, answer]) => failing(`wrong base path: ${name}`, 'base path', answer)),
	failing('wrong base path: a page with 200', 'base path', () => page(200, 'Welcome')),
	failing('wrong base path: {} with 200', 'base path', () => jsonAnswer(200, {})),
	failing('wrong base path: moved', 'base path', () =>
		jsonAnswer(301, undefined, { location: '/v2/' }),
	),
];

const HEAD_ANSWERS = [200, 202, 204, 404, 405, 501];
const heads: Dialect[] = HEAD_ANSWERS.map((status) => ({
	name: `HEAD answered with ${status}`,
	group: 'not found',
	instead: ({ method }) => (method === 'HEAD' ? jsonAnswer(status, undefined) : undefined),
}));

const refusedKeys: Dialect[] = [
	failing('key refused: 403', 'refused key', () => jsonAnswer(403, { message: 'Forbidden' })),
	failing('key refused: 401 as a page', 'refused key', () => page(401, 'Log in')),
	failing('key refused: 200 and a page', 'refused key', () => page(200, 'Log in')),
	failing('key refused: 302 to a login', 'refused key', () =>
		jsonAnswer(302, undefined, { location: '/login' }),
	),
	failing('key refused: 400', 'refused key', () => jsonAnswer(400, { message: 'Invalid API key' })),
	failing('key refused: 200 and a message', 'refused key', () =>
		jsonAnswer(200, { message: 'Invalid API key' }),
	),
];

const soon = () => new Date(Date.now() + 1000).toUTCString();
const LIMITS: Array<[name: string, status: number, headers: () => Record<string, string>]> = [
	['429, Retry-After as a date', 429, () => ({ 'retry-after': soon() })],
	['429, RateLimit-Reset', 429, () => ({ 'ratelimit-remaining': '0', 'ratelimit-reset': '1' })],
	[
		'429, X-RateLimit-Reset',
		429,
		() => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }),
	],
	['403, Retry-After', 403, () => ({ 'retry-after': '1' })],
	['403, X-RateLimit-Remaining', 403, () => ({ 'x-ratelimit-remaining': '0', 'retry-after': '1' })],
	['503, Retry-After', 503, () => ({ 'retry-after': '1' })],
];
const limits: Dialect[] = LIMITS.map(([name, status, headers]) =>
	failingOnce(`limited once: ${name}`, 'rate limits', () =>
		jsonAnswer(status, { message: 'Rate limit exceeded' }, headers()),
	),
);

export const failureDialects = [...formats, ...wrongPaths, ...heads, ...refusedKeys, ...limits];
