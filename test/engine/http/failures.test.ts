// Protects what an error says to users: which field is not valid, and whether the request was certainly not sent.
import { toSentence } from '../../../nodes/engine/errors';
import { toFailure, transportFailure, withRetryNotes } from '../../../nodes/engine/http/failures';
import { toyService } from '../../support/toy';

const sendOptions = { maxAttempts: 1, maxRetryDelayMs: 0, timeoutMs: 60_000 };
const failureFor = (error: object) => transportFailure(error, toyService({}), sendOptions);

describe('a message of a request validator', () => {
	const messageFor = (message: string) =>
		toFailure(
			{ status: 400, headers: {}, kind: 'json', body: { message } },
			{ ...toyService({}), explain: () => ({ message }) },
		).message;

	it.each([
		['path/twofactor_id must match pattern "^[0-9]+$"', '"twofactor_id" is not valid'],
		['path/eventId must be integer', '"eventId" is not valid'],
		['body/user/email must match format "email"', '"user.email" is not valid'],
		['body/0/Email must NOT have fewer than 1 characters', '"Email" is not valid'],
		['body must be object', 'the request is not valid'],
		[
			'query/locale must match pattern "^[A-Za-z]{2,3}$", body/action must be string',
			'"locale" is not valid, "action" is not valid',
		],
		['Bad: body/a must be string; and more', 'Bad: "a" is not valid; and more'],
		['The Email field must be an address', 'The Email field must be an address'],
		["body must have required property 'email'", '"email" is missing'],
		["body/user must have required property 'email'", '"email" is missing'],
		['Authorization header must be provided', 'Authorization header must be provided'],
		[
			'Message body must be at most 160 characters long.',
			'Message body must be at most 160 characters long.',
		],
	])('%s is shown as %s', (message, shown) => {
		expect(messageFor(message)).toBe(`Toy service: ${shown}`);
	});
});

describe('the retry note of a failure', () => {
	it('counts tries, not sent requests, if no request was sent', () => {
		const failure = failureFor({ code: 'ECONNREFUSED' });
		const { advice } = withRetryNotes(
			failure,
			4,
			{ shouldRetry: false },
			{ method: 'GET', path: '/' },
		);
		expect(advice).toContain('Nothing was sent. It was tried 4 times.');
		expect(advice).not.toMatch(/was sent \d/);
	});
});

describe('a failed request', () => {
	it.each([
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'EPROTO',
	])('the request was not sent after the TLS error %s', (code) => {
		for (const error of [{ code }, { message: 'x', cause: { code } }]) {
			expect(failureFor(error)).toMatchObject({ code: 'UNREACHABLE', uncertain: false });
			expect(failureFor(error).advice).toMatch(/certificate/);
		}
	});

	it('the request was not sent if the connection broke before the TLS handshake ended', () => {
		const message =
			'Client network socket disconnected before secure TLS connection was established';
		expect(failureFor({ code: 'ECONNRESET', message })).toMatchObject({ code: 'UNREACHABLE' });
	});

	it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])(
		'the request was not sent after the connection error %s',
		(code) => {
			expect(failureFor({ code })).toMatchObject({ code: 'UNREACHABLE', uncertain: false });
		},
	);

	it.each(['ERR_INVALID_HTTP_TOKEN', 'ERR_INVALID_CHAR'])(
		'the request was not sent after the invalid header error %s',
		(code) => {
			const failure = failureFor({ code });
			expect(failure).toMatchObject({ code: 'UNSENDABLE', uncertain: false });
			expect(failure.advice).toMatch(/Check 'Header Name'.*in the credential.*Nothing was sent\./);
		},
	);

	it.each(['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'HPE_HEADER_OVERFLOW', 'Z_DATA_ERROR'])(
		'the request was sent if the response is malformed (%s)',
		(code) => {
			expect(failureFor({ code })).toMatchObject({ code: 'MALFORMED', uncertain: true });
		},
	);

	it.each(['EHOSTUNREACH', 'ENETUNREACH'])(
		'the request was not sent after %s, unless the connection was open',
		(code) => {
			const failure = (syscall: string) => failureFor({ cause: { code, syscall } });
			expect(failure('connect')).toMatchObject({ code: 'UNREACHABLE', uncertain: false });
			expect(failure('read')).toMatchObject({ code: 'BROKEN', uncertain: true });
			expect(failure('write')).toMatchObject({ code: 'BROKEN', uncertain: true });
		},
	);

	it.each(['ECONNRESET', 'EPIPE', 'SOMETHING', ''])(
		'the request may have been sent after %j',
		(code) => {
			expect(failureFor({ code })).toMatchObject({ code: 'BROKEN', uncertain: true });
		},
	);
});

it.each([
	['Not valid', 'Not valid.'],
	['Not valid.', 'Not valid.'],
	['Not valid.. ', 'Not valid.'],
	['Is it?', 'Is it?'],
])('toSentence ends %j with one punctuation mark', (text, ended) => {
	expect(toSentence(text)).toBe(ended);
});
