import fc from 'fast-check';

import type { ServiceResponse } from '../../../nodes/engine/http/types';
import {
	findToken,
	isJobResponse,
	isUnrecognizedResponse,
	JOB_STATES,
	lacksResult,
	readJob,
} from '../../../nodes/PasswordlessIdentity/jobState';
import { newHolder, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { scaleRunCount } from '../../support/scaleRunCount';

const signedToken = signToken({ sub: 'somebody' }, newHolder());
const makeResponse = (body: unknown, status = 200): ServiceResponse => ({
	status,
	headers: {},
	...(body === undefined
		? { kind: 'empty' }
		: typeof body === 'string'
			? { kind: 'text', body }
			: { kind: 'json', body }),
});
const readState = (body: unknown, status?: number) => readJob(makeResponse(body, status)).state;

describe('the state table', () => {
	it.each<[string, unknown, number, string]>([
		['204', undefined, 204, 'outstanding'],
		['waiting', { status: 'waiting' }, 200, 'outstanding'],
		['pending', { status: 'pending' }, 200, 'outstanding'],
		['outstanding', { status: 'outstanding' }, 200, 'outstanding'],
		['confirmed', { status: 'confirmed' }, 200, 'outstanding'],
		['a token as text', signedToken, 200, 'completed'],
		['a token with white space', ` ${signedToken}\n`, 200, 'completed'],
		['a token in JSON', { status: 'completed', token: signedToken }, 200, 'completed'],
		['a token under another name', { result: signedToken }, 200, 'completed'],
		['a token one level down', { data: { token: signedToken } }, 200, 'completed'],
		['a list of one', [{ token: signedToken }], 200, 'completed'],
		['claims', { sub: 'somebody', email: 'a@example.com' }, 200, 'completed'],
		['cancelled', { status: 'cancelled' }, 200, 'cancelled'],
		['canceled', { status: 'Canceled' }, 200, 'cancelled'],
		['deleted', { status: 'deleted' }, 200, 'cancelled'],
		['expired', { status: 'expired' }, 200, 'timedOut'],
		['timeout', { status: 'timeout' }, 200, 'timedOut'],
		['timed out', { status: 'timed out' }, 200, 'timedOut'],
		['timed_out', { status: 'TIMED_OUT!' }, 200, 'timedOut'],
		['time-out', { status: 'time-out' }, 200, 'timedOut'],
		['a bare word', 'expired', 200, 'timedOut'],
		['404', { error: 404, type: 'x/unknown-job' }, 404, 'gone'],
		['410', { error: 410, type: 'x/expired-job' }, 410, 'gone'],
		['404 without a body', undefined, 404, 'gone'],
	])('%s', (_, body, status, expected) => expect(readState(body, status)).toBe(expected));
});

describe('a response that reports an end without a token', () => {
	const [header, payload, signature] = signedToken.split('.') as [string, string, string];
	const bare = Buffer.from('{"typ":"JWT"}').toString('base64url');

	it.each<[string, unknown, string]>([
		['a token without an algorithm', `${bare}.${payload}.${signature}`, 'the same'],
		['five parts', `${signedToken}.${payload}.${signature}`, 'the same'],
		['padding', `${header}=.${payload}.${signature}`, 'the same'],
		['two parts as token', { token: `${header}.${payload}` }, `${header}.${payload}`],
		['a number as token', { status: 'completed', token: 7 }, '7'],
		['an empty token', { status: 'completed', token: '' }, ''],
		['a list as token', { jwt: [signedToken] }, JSON.stringify([signedToken])],
	])('the response %s is read as a token, which verification rejects', (_, body, given) => {
		const read = given === 'the same' ? body : given;
		expect(readJob(makeResponse(body))).toEqual({ state: 'completed', token: read });
	});

	it.each([null, 42, true, [], [1, 2], 'approved', '', `${header}.${payload}`])(
		'the response %j is unrecognized, whether as text or as JSON',
		(body) => {
			expect(readJob({ ...makeResponse(body), kind: 'json' }).state).toBe('unverified');
			if (typeof body === 'string') expect(isJobResponse(makeResponse(body))).toBe(false);
		},
	);

	it('a status word alone has no result', () => {
		expect(lacksResult(readJob(makeResponse('done')))).toBe(true);
		expect(lacksResult(readJob(makeResponse({ status: 'completed', token: null, note: 1 })))).toBe(
			true,
		);
		for (const resultFields of [{ token: 0 }, { sub: 'x' }, { claims: { sub: 'x' } }]) {
			expect(lacksResult(readJob(makeResponse({ status: 'completed', ...resultFields })))).toBe(
				false,
			);
		}
		expect(lacksResult(readJob(makeResponse({ status: 'waiting' })))).toBe(false);
	});
});

it('a text counts as unrecognized unless it is a web page', () => {
	expect(isUnrecognizedResponse(makeResponse('a.b'))).toBe(true);
	expect(isUnrecognizedResponse(makeResponse('<html>'))).toBe(false);
	expect(
		isUnrecognizedResponse({ ...makeResponse('Log in'), headers: { 'content-type': 'text/html' } }),
	).toBe(false);
	expect(isUnrecognizedResponse(makeResponse('a.b', 500))).toBe(false);
	expect(isUnrecognizedResponse(makeResponse({}))).toBe(false);
});

it('a status word takes precedence over a token beside it', () => {
	expect(readJob(makeResponse({ status: 'cancelled', token: signedToken }))).toEqual({
		state: 'cancelled',
		rest: { status: 'cancelled' },
	});
	expect(readState({ status: 'waiting', token: signedToken })).toBe('outstanding');
});

it('tokens inside claims stay claims', () => {
	const claims = { sub: 'somebody', email: 'a@example.com', email_proof: signedToken };
	expect(readJob(makeResponse(claims))).toEqual({ state: 'completed', claims });
});

it('fields of the service do not replace fields of the verification', () => {
	const body = { status: 'waiting', verified: true, claims: { sub: 'x' }, key: {}, eta: 5 };
	expect(readJob(makeResponse(body)).rest).toEqual({ status: 'waiting', eta: 5 });
});

it('only tokens, status words and empty bodies are recognized as text', () => {
	expect(isJobResponse(makeResponse(signedToken))).toBe(true);
	expect(isJobResponse(makeResponse('waiting'))).toBe(true);
	expect(isJobResponse(makeResponse('{"status": "comple'))).toBe(false);
	expect(isJobResponse(makeResponse('<html>', 404))).toBe(false);
	expect(isJobResponse(makeResponse({ error: 404 }, 404))).toBe(true);
	expect(isJobResponse(makeResponse(undefined, 410))).toBe(true);
	expect(isJobResponse(makeResponse(signedToken, 500))).toBe(false);
});

describe('any response of the service', () => {
	const bodies = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.string(), fc.constant(undefined));
	const statuses = fc.integer({ min: 100, max: 599 });

	it('a response is read as one of the states, and as gone only after a 404 or 410', () => {
		fc.assert(
			fc.property(bodies, statuses, (body, status) => {
				const read = readJob(makeResponse(body, status));
				expect(JOB_STATES).toContain(read.state);
				expect(read.state === 'gone').toBe(status === 404 || status === 410);
				if (status >= 300 && read.state !== 'gone') expect(read.state).toBe('outstanding');
			}),
			{ numRuns: scaleRunCount(700) },
		);
	});

	it('a response is never read as an end without a status word, a token or a subject', () => {
		const noWord = fc.dictionary(
			fc.constantFrom('note', 'eta', 'id', 'state', 'status'),
			fc.constantFrom<unknown>('', 'in review', 5, null, true, 'a.b.c', {}, []),
		);
		fc.assert(fc.property(noWord, (body) => expect(readState(body)).toBe('outstanding')));
	});

	it('a response is read the same in any case and with any punctuation', () => {
		const message = fc.constantFrom(
			...(['waiting', 'cancelled', 'expired', 'timedout', 'timeout', 'confirmed'] as const),
		);
		const noise = fc.array(fc.constantFrom(' ', '-', '_', '.', '!', '7'), { maxLength: 3 });
		fc.assert(
			fc.property(message, fc.boolean(), noise, fc.nat(12), (word, upper, marks, offset) => {
				const cased = upper ? word.toUpperCase() : word;
				const status = cased.slice(0, offset) + marks.join('') + cased.slice(offset);
				expect(readState({ status })).toBe(readState({ status: word }));
			}),
		);
	});

	it('the exact token is returned, wherever in an object it is', () => {
		const fillers = fc.dictionary(
			fc.constantFrom('a', 'note', 'eta'),
			fc.oneof(fc.string(), fc.nat()),
		);
		fc.assert(
			fc.property(fillers, fc.constantFrom('token', 'jwt', 'result', 'zz'), (filler, name) => {
				expect(findToken({ ...filler, [name]: signedToken })).toBe(signedToken);
			}),
		);
	});
});
