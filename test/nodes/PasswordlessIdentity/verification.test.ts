import { ServiceFailure } from '../../../nodes/engine/errors';
import type { TokenExpectation } from '../../../nodes/PasswordlessIdentity/expectation';
import { verifyJobResult } from '../../../nodes/PasswordlessIdentity/jobResult';
import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { UnverifiedError, verifyToken } from '../../../nodes/PasswordlessIdentity/verification';
import { newHolder, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { stubClient } from '../../support/stubClient';
import type { StubResponse } from '../../support/stubClient';

const holder = newHolder();
const { fingerprint } = holder;

/** Verification needs nothing but a client that requests keys. */
const createClient = (keyResponse: StubResponse | Error) =>
	stubClient(
		'https://issuer.example',
		keyResponse instanceof Error ? keyResponse : { body: { sub: fingerprint }, ...keyResponse },
	);
beforeEach(() => keyCache.drop('https://issuer.example'));

const check = async (
	keyRecord: StubResponse | Error = {},
	claims: object = {},
	expectation: TokenExpectation = {},
) =>
	await verifyToken(
		signToken({ sub: fingerprint, ...claims }, holder),
		expectation,
		createClient(keyRecord),
	);
const getRejectionReason = async (work: Promise<unknown>) => {
	const error: unknown = await work.catch((caught: unknown) => caught);
	expect(error).toBeInstanceOf(UnverifiedError);
	return (error as UnverifiedError).reason;
};

it('verification returns the claims, the key record and what was checked', async () => {
	expect(await check({}, { email: 'a@example.com' })).toEqual({
		claims: { sub: fingerprint, email: 'a@example.com' },
		key: { sub: fingerprint },
		signer: fingerprint,
		subjectChecked: false,
		signerChecked: false,
	});
	expect(await check({}, {}, { subject: fingerprint })).toMatchObject({ subjectChecked: true });
});

it.each<[string, StubResponse, string]>([
	['is unknown', { status: 404, body: {} }, 'unknownKey'],
	['was revoked', { status: 410, body: {} }, 'revokedKey'],
	['was revoked, says its record', { body: { sub: fingerprint, status: 'Revoked' } }, 'revokedKey'],
	["has another's record", { body: { sub: newHolder().fingerprint } }, 'badRecord'],
	['has a record whose sub is no key', { body: { sub: 'not a key' } }, 'badRecord'],
])('verification fails permanently if the key %s', async (_, keyRecord, reason) => {
	expect(await getRejectionReason(check(keyRecord))).toBe(reason);
});

it('verification fails temporarily if the key cannot be fetched', async () => {
	const down = check(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
	await expect(down).rejects.toBeInstanceOf(ServiceFailure);
	await expect(down).rejects.not.toBeInstanceOf(UnverifiedError);
	const odd = check({ body: [{}, {}] });
	await expect(odd).rejects.toThrow(/not a key record/);
	await expect(odd).rejects.not.toBeInstanceOf(UnverifiedError);
});

it('verification rejects another subject than the expected one, without requesting its key', async () => {
	const down = new Error('must not be asked');
	const expected = { subject: newHolder().fingerprint };
	expect(await getRejectionReason(check(down, {}, expected))).toBe('anotherSubject');
});

it.each([undefined, 7, '', 'short'])(
	'verification rejects a token whose subject is %j',
	async (sub) => {
		expect(await getRejectionReason(check({}, { sub }))).toBe('noSigner');
	},
);

it('verification allows a minute of clock skew and no more', async () => {
	const now = Math.floor(Date.now() / 1000);
	await expect(check({}, { exp: now - 50, nbf: now + 50 })).resolves.toBeDefined();
	expect(await getRejectionReason(check({}, { exp: now - 70 }))).toBe('expired');
	expect(await getRejectionReason(check({}, { nbf: now + 70 }))).toBe('notYetValid');
});

it('verification uses the time of `validAt`, not the current time', async () => {
	const now = Date.now();
	const reading = {
		state: 'completed' as const,
		token: signToken({ sub: fingerprint, exp: Math.floor(now / 1000) - 120 }, holder),
	};
	const expectation = { job: 'j', subject: fingerprint, verify: true };
	await expect(verifyJobResult(reading, expectation, createClient({}))).rejects.toThrow(/expired/);
	const early = { ...expectation, validAt: now - 180_000 };
	expect(await verifyJobResult(reading, early, createClient({}))).toMatchObject({ verified: true });
});
