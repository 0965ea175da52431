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

const signed = signToken({ sub: 'somebody' }, newHolder());
const responseOf = (body: unknown, status = 200): ServiceResponse => ({
	status,
	headers: {},
	...(body === undefined
		? { kind: 'empty' }
		: typeof body === 'string'
			? { kind: 'text', body }
			: { kind: 'json', body }),
});
const state = (body: unknown, status?: number) => readJob(responseOf(body, status)).state;

describe('the state table', () => {
	it.each<[string, unknown, number, string]>([
		['204', undefined, 204, 'outstanding'],
		['waiting', { status: 'waiting' }, 200, 'outstanding'],
		['pending', { status: 'pending' }, 200, 'outstanding'],
		['outstanding', { status: 'outstanding' }, 200, 'outstanding'],
		['confirmed', { status: 'confirmed' }, 200, 'outstanding'],
		['a token as text', signed, 200, 'completed'],
		['a token with white space', ` ${signed}\n`, 200, 'completed'],
		['a token in JSON', { status: 'completed', token: signed }, 200, 'completed'],
		['a token under another name', { result: signed }, 200, 'completed'],
		['a token one level down', { data: { token: signed } }, 200, 'completed'],
		['a list of one', [{ token: signed }], 200, 'completed'],
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
	])('%s', (_, body, status, expected) => expect(state(body, status)).toBe(expected));
});

describe('a response that claims an end without a token', () => {
	const [header, payload, signature] = signed.split('.') as [string, string, string];
	const bare = Buffer.from('{"typ":"JWT"}').toString('base64url');

	it.each<[string, unknown, string]>([
		['a token without an algorithm', `${bare}.${payload}.${signature}`, 'the same'],
		['five parts', `${signed}.${payload}.${signature}`, 'the same'],
		['padding', `${header}=.${payload}.${signature}`, 'the same'],
		['two parts as token', { token: `${header}.${payload}` }, `${header}.${payload}`],
		['a number as token', { status: 'completed', token: 7 }, '7'],
		['an empty token', { status: 'completed', token: '' }, ''],
		['a list as token', { jwt: [signed] }, JSON.stringify([signed])],
	])('%s is read as a token, which verification rejects', (_, body, given) => {
		const read = given === 'the same' ? body : given;
		expect(readJob(responseOf(body))).toEqual({ state: 'completed', token: read });
	});

	it.each([null, 42, true, [], [1, 2], 'approved', '', `${header}.${payload}`])(
		'%j is unrecognized, whether as text or as JSON',
		(body) => {
			expect(readJob({ ...responseOf(body), kind: 'json' }).state).toBe('unverified');
			if (typeof body === 'string') expect(isJobResponse(responseOf(body))).toBe(false);
		},
	);

	it('has no result if the status word comes alone', () => {
		expect(lacksResult(readJob(responseOf('done')))).toBe(true);
		expect(lacksResult(readJob(responseOf({ status: 'completed', token: null, note: 1 })))).toBe(
			true,
		);
		for (const more of [{ token: 0 }, { sub: 'x' }, { claims: { sub: 'x' } }]) {
			expect(lacksResult(readJob(responseOf({ status: 'completed', ...more })))).toBe(false);
		}
		expect(lacksResult(readJob(responseOf({ status: 'waiting' })))).toBe(false);
	});
});

it('a text counts as unrecognized unless it is a web page', () => {
	expect(isUnrecognizedResponse(responseOf('a.b'))).toBe(true);
	expect(isUnrecognizedResponse(responseOf('<html>'))).toBe(false);
	expect(
		isUnrecognizedResponse({ ...responseOf('Log in'), headers: { 'content-type': 'text/html' } }),
	).toBe(false);
	expect(isUnrecognizedResponse(responseOf('a.b', 500))).toBe(false);
	expect(isUnrecognizedResponse(responseOf({}))).toBe(false);
});

it('a status word takes precedence over a token beside it', () => {
	expect(readJob(responseOf({ status: 'cancelled', token: signed }))).toEqual({
		state: 'cancelled',
		rest: { status: 'cancelled' },
	});
	expect(state({ status: 'waiting', token: signed })).toBe('outstanding');
});

it('tokens inside claims stay claims', () => {
	const claims = { sub: 'somebody', email: 'a@example.com', email_proof: signed };
	expect(readJob(responseOf(claims))).toEqual({ state: 'completed', claims });
});

it('fields of the service do not replace fields of the verification', () => {
	const body = { status: 'waiting', verified: true, claims: { sub: 'x' }, key: {}, eta: 5 };
	expect(readJob(responseOf(body)).rest).toEqual({ status: 'waiting', eta: 5 });
});

it('only tokens, status words and empty bodies are recognized as text', () => {
	expect(isJobResponse(responseOf(signed))).toBe(true);
	expect(isJobResponse(responseOf('waiting'))).toBe(true);
	expect(isJobResponse(responseOf('{"status": "comple'))).toBe(false);
	expect(isJobResponse(responseOf('<html>', 404))).toBe(false);
	expect(isJobResponse(responseOf({ error: 404 }, 404))).toBe(true);
	expect(isJobResponse(responseOf(undefined, 410))).toBe(true);
	expect(isJobResponse(responseOf(signed, 500))).toBe(false);
});

describe('any response of the service', () => {
	const bodies = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.string(), fc.constant(undefined));
	const statuses = fc.integer({ min: 100, max: 599 });

	it('is read as one of the states, and as gone only after a 404 or 410', () => {
		fc.assert(
			fc.property(bodies, statuses, (body, status) => {
				const read = readJob(responseOf(body, status));
				expect(JOB_STATES).toContain(read.state);
				expect(read.state === 'gone').toBe(status === 404 || status === 410);
				if (status >= 300 && read.state !== 'gone') expect(read.state).toBe('outstanding');
			}),
			{ numRuns: scaleRunCount(700) },
		);
	});

	it('is never read as an end without a status word, a token or a subject', () => {
		const noWord = fc.dictionary(
			fc.constantFrom('note', 'eta', 'id', 'state', 'status'),
			fc.constantFrom<unknown>('', 'in review', 5, null, true, 'a.b.c', {}, []),
		);
		fc.assert(fc.property(noWord, (body) => expect(state(body)).toBe('outstanding')));
	});

	it('is read the same in any case and with any punctuation', () => {
		const message = fc.constantFrom(
			...(['waiting', 'cancelled', 'expired', 'timedout', 'timeout', 'confirmed'] as const),
		);
		const noise = fc.array(fc.constantFrom(' ', '-', '_', '.', '!', '7'), { maxLength: 3 });
		fc.assert(
			fc.property(message, fc.boolean(), noise, fc.nat(12), (word, upper, marks, at) => {
				const cased = upper ? word.toUpperCase() : word;
				const status = cased.slice(0, at) + marks.join('') + cased.slice(at);
				expect(state({ status })).toBe(state({ status: word }));
			}),
		);
	});

	it('returns the exact token, wherever in an object it is', () => {
		const fillers = fc.dictionary(
			fc.constantFrom('a', 'note', 'eta'),
			fc.oneof(fc.string(), fc.nat()),
		);
		fc.assert(
			fc.property(fillers, fc.constantFrom('token', 'jwt', 'result', 'zz'), (filler, name) => {
				expect(findToken({ ...filler, [name]: signed })).toBe(signed);
			}),
		);
	});
});
