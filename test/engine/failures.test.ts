import { sentence } from '../../nodes/engine/errors';
import { broken } from '../../nodes/engine/http/failures';
import { toyService } from '../support/toy';

const manner = { tries: 1, longestWaitMs: 0, timeLimitMs: 60_000 };
const failureBy = (error: object) => broken(error, toyService({}), manner);

describe('a request without an answer', () => {
	it.each([
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'EPROTO',
	])('was not sent after %s', (code) => {
		for (const error of [{ code }, { message: 'x', cause: { code } }]) {
			expect(failureBy(error)).toMatchObject({ code: 'UNREACHABLE', uncertain: false });
			expect(failureBy(error).advice).toMatch(/certificate/);
		}
	});

	it('was not sent when the connection broke before it was secure', () => {
		const message =
			'Client network socket disconnected before secure TLS connection was established';
		expect(failureBy({ code: 'ECONNRESET', message })).toMatchObject({ code: 'UNREACHABLE' });
	});

	it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])('was not sent after %s', (code) => {
		expect(failureBy({ code })).toMatchObject({ code: 'UNREACHABLE', uncertain: false });
	});

	it.each(['ERR_INVALID_HTTP_TOKEN', 'ERR_INVALID_CHAR'])('was not sent after %s', (code) => {
		const failure = failureBy({ code });
		expect(failure).toMatchObject({ code: 'UNSENDABLE', uncertain: false });
		expect(failure.advice).toMatch(/Check the header name.*in the credential.*Nothing was sent\./);
	});

	it.each(['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'HPE_HEADER_OVERFLOW', 'Z_DATA_ERROR'])(
		'was sent where its answer is damaged (%s)',
		(code) => {
			expect(failureBy({ code })).toMatchObject({ code: 'UNREADABLE', uncertain: true });
		},
	);

	it.each(['EHOSTUNREACH', 'ENETUNREACH'])(
		'was not sent after %s, unless the connection was there already',
		(code) => {
			const failure = (syscall: string) => failureBy({ cause: { code, syscall } });
			expect(failure('connect')).toMatchObject({ code: 'UNREACHABLE', uncertain: false });
			expect(failure('read')).toMatchObject({ code: 'BROKEN', uncertain: true });
			expect(failure('write')).toMatchObject({ code: 'BROKEN', uncertain: true });
		},
	);

	it.each(['ECONNRESET', 'EPIPE', 'SOMETHING', ''])('may have been sent after %j', (code) => {
		expect(failureBy({ code })).toMatchObject({ code: 'BROKEN', uncertain: true });
	});
});

it.each([
	['Not valid', 'Not valid.'],
	['Not valid.', 'Not valid.'],
	['Not valid.. ', 'Not valid.'],
	['Is it?', 'Is it?'],
])('%j ends with one mark', (text, ended) => {
	expect(sentence(text)).toBe(ended);
});
