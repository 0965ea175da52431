// Protects the state of a job: every response is read as one known state, and a job is gone only if the issuer says so.
import fc from 'fast-check';

import type { ServiceResponse } from '../../../nodes/engine/http/types';
import {
	findToken,
	isJobResponse,
	leavesStateOpen,
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

it('an unknown status of a job is outstanding, and named', () => {
	expect(readJob(makeResponse({ status: 'in_review' }))).toMatchObject({
		state: 'outstanding',
		trouble:
			'The identity issuer reports the unknown status "in_review", which counts as outstanding',
	});
	for (const body of [{ status: 'waiting' }, { status: '' }, {}, undefined])
		expect(readJob(makeResponse(body))).not.toHaveProperty('trouble');
});

describe('the state of a job', () => {
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
		['404 without a body', undefined, 404, 'unstated'],
		['404 about a key', { error: 404, type: 'x/unknown-key' }, 404, 'unstated'],
		['410 of another server', { message: 'Gone' }, 410, 'unstated'],
	])('is read from the response: %s', (_, body, status, expectedState) =>
		expect(readState(body, status)).toBe(expectedState),
	);
});

describe('a response without a valid token', () => {
	const [header, payload, signature] = signedToken.split('.') as [string, string, string];
	const headerWithoutAlgorithm = Buffer.from('{"typ":"JWT"}').toString('base64url');

	it.each<[string, unknown, string]>([
		[
			'a token without an algorithm',
			`${headerWithoutAlgorithm}.${payload}.${signature}`,
			'the body',
		],
		['five parts', `${signedToken}.${payload}.${signature}`, 'the body'],
		['padding', `${header}=.${payload}.${signature}`, 'the body'],
		['two parts as token', { token: `${header}.${payload}` }, `${header}.${payload}`],
		['a number as token', { status: 'completed', token: 7 }, '7'],
		['an empty token', { status: 'completed', token: '' }, ''],
		['a list as token', { jwt: [signedToken] }, JSON.stringify([signedToken])],
	])(
		'a response with %s is read as completed, with a token that verification rejects',
		(_, body, token) => {
			const expectedToken = token === 'the body' ? body : token;
			expect(readJob(makeResponse(body))).toEqual({ state: 'completed', token: expectedToken });
		},
	);

	it.each([null, 42, true, [], [1, 2], 'approved', '', `${header}.${payload}`])(
		'the response %j is unrecognized as JSON, and no job response as text',
		(body) => {
			expect(readJob({ ...makeResponse(body), kind: 'json' }).state).toBe('unrecognized');
			if (typeof body === 'string') expect(isJobResponse(makeResponse(body))).toBe(false);
		},
	);

	it('a response with a status word alone lacks a result', () => {
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

it('a text with status 200, or a 404 of another server, leaves the state open unless it is a web page', () => {
	expect(leavesStateOpen(makeResponse('a.b'))).toBe(true);
	expect(leavesStateOpen(makeResponse('<html>'))).toBe(false);
	expect(
		leavesStateOpen({ ...makeResponse('Log in'), headers: { 'content-type': 'text/html' } }),
	).toBe(false);
	expect(leavesStateOpen(makeResponse('a.b', 500))).toBe(false);
	expect(leavesStateOpen(makeResponse({}))).toBe(false);
	expect(leavesStateOpen(makeResponse({ message: 'Not found' }, 404))).toBe(true);
	expect(leavesStateOpen(makeResponse('<html>', 404))).toBe(false);
});

it('a status word takes precedence over a token beside it', () => {
	expect(readJob(makeResponse({ status: 'cancelled', token: signedToken }))).toEqual({
		state: 'cancelled',
		rest: { status: 'cancelled' },
	});
	expect(readState({ status: 'waiting', token: signedToken })).toBe('outstanding');
});

it('a token in a field of unsigned claims is not read as the result', () => {
	const claims = { sub: 'somebody', email: 'a@example.com', email_proof: signedToken };
	expect(readJob(makeResponse(claims))).toEqual({ state: 'completed', claims });
});

it('fields of the service with the names of verification fields are dropped', () => {
	const body = { status: 'waiting', verified: true, claims: { sub: 'x' }, key: {}, eta: 5 };
	expect(readJob(makeResponse(body)).rest).toEqual({ status: 'waiting', eta: 5 });
});

it('a text is a job response only if it is a token or a status word with status 200', () => {
	expect(isJobResponse(makeResponse(signedToken))).toBe(true);
	expect(isJobResponse(makeResponse('waiting'))).toBe(true);
	expect(isJobResponse(makeResponse('{"status": "comple'))).toBe(false);
	expect(isJobResponse(makeResponse('<html>', 404))).toBe(false);
	expect(isJobResponse(makeResponse({ error: 404, type: 'x/unknown-job' }, 404))).toBe(true);
	expect(isJobResponse(makeResponse({ error: 404 }, 404))).toBe(false);
	expect(isJobResponse(makeResponse(undefined, 410))).toBe(false);
	expect(isJobResponse(makeResponse(signedToken, 500))).toBe(false);
});

describe('any response of the service', () => {
	const bodies = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.string(), fc.constant(undefined));
	const statuses = fc.integer({ min: 100, max: 599 });

	it('is read as one of the states, and as gone or unstated only with status 404 or 410', () => {
		fc.assert(
			fc.property(bodies, statuses, (body, status) => {
				const { state } = readJob(makeResponse(body, status));
				expect(JOB_STATES).toContain(state);
				const isNotFound = status === 404 || status === 410;
				expect(['gone', 'unstated'].includes(state)).toBe(isNotFound);
				if (status >= 300 && !isNotFound) expect(state).toBe('outstanding');
			}),
			{ numRuns: scaleRunCount(700) },
		);
	});

	it('is read as outstanding without a status word, a token or a subject', () => {
		const bodyWithoutResult = fc.dictionary(
			fc.constantFrom('note', 'eta', 'id', 'state', 'status'),
			fc.constantFrom<unknown>('', 'in review', 5, null, true, 'a.b.c', {}, []),
		);
		fc.assert(
			fc.property(bodyWithoutResult, (body) => expect(readState(body)).toBe('outstanding')),
		);
	});

	it('is read by its status word in any case and with any punctuation', () => {
		const statusWord = fc.constantFrom(
			...(['waiting', 'cancelled', 'expired', 'timedout', 'timeout', 'confirmed'] as const),
		);
		const noise = fc.array(fc.constantFrom(' ', '-', '_', '.', '!', '7'), { maxLength: 3 });
		fc.assert(
			fc.property(
				statusWord,
				fc.boolean(),
				noise,
				fc.nat(12),
				(word, isUpperCase, marks, offset) => {
					const cased = isUpperCase ? word.toUpperCase() : word;
					const status = cased.slice(0, offset) + marks.join('') + cased.slice(offset);
					expect(readState({ status })).toBe(readState({ status: word }));
				},
			),
		);
	});

	it('contains its token in any field, and the token is returned unchanged', () => {
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
