// Protects the verification of tokens: each reason to distrust one is a rejection, and a failed request for the key is none.
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

/** Creates a client that responds to the request for a key with this record. */
const createClient = (keyResponse: StubResponse | Error) =>
	stubClient(
		'https://issuer.example',
		keyResponse instanceof Error ? keyResponse : { body: { sub: fingerprint }, ...keyResponse },
	);
beforeEach(() => keyCache.drop('https://issuer.example'));

const verifySigned = async (
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
	expect(await verifySigned({}, { email: 'a@example.com' })).toEqual({
		claims: { sub: fingerprint, email: 'a@example.com' },
		key: { sub: fingerprint },
		signer: fingerprint,
		subjectChecked: false,
		signerChecked: false,
	});
	expect(await verifySigned({}, {}, { subject: fingerprint })).toMatchObject({
		subjectChecked: true,
	});
});

it.each<[string, StubResponse, string]>([
	['is unknown', { status: 404, body: { type: 'x/unknown-key' } }, 'unknownKey'],
	['was revoked', { status: 410, body: { type: 'x/revoked-key' } }, 'revokedKey'],
	['is revoked in its record', { body: { sub: fingerprint, status: 'Revoked' } }, 'revokedKey'],
	['has the record of another key', { body: { sub: newHolder().fingerprint } }, 'badRecord'],
	['has a record whose sub is no key', { body: { sub: 'not a key' } }, 'badRecord'],
])('verification rejects the token if the key %s', async (_, keyRecord, reason) => {
	expect(await getRejectionReason(verifySigned(keyRecord))).toBe(reason);
});

it('verification fails without a rejection of the token if the key cannot be fetched', async () => {
	const unreachable = verifySigned(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
	await expect(unreachable).rejects.toBeInstanceOf(ServiceFailure);
	await expect(unreachable).rejects.not.toBeInstanceOf(UnverifiedError);
	const unrecognized = verifySigned({ body: [{}, {}] });
	await expect(unrecognized).rejects.toThrow(/not a key record/);
	await expect(unrecognized).rejects.not.toBeInstanceOf(UnverifiedError);
});

it('verification rejects another subject than the expected one, without requesting its key', async () => {
	const notRequested = new Error('must not be requested');
	const expectation = { subject: newHolder().fingerprint };
	expect(await getRejectionReason(verifySigned(notRequested, {}, expectation))).toBe(
		'anotherSubject',
	);
});

it.each([undefined, 7, '', 'short'])(
	'verification rejects a token whose subject is %j',
	async (sub) => {
		expect(await getRejectionReason(verifySigned({}, { sub }))).toBe('noSigner');
	},
);

it('verification accepts a clock skew of up to a minute', async () => {
	const nowSeconds = Math.floor(Date.now() / 1000);
	await expect(
		verifySigned({}, { exp: nowSeconds - 50, nbf: nowSeconds + 50 }),
	).resolves.toBeDefined();
	expect(await getRejectionReason(verifySigned({}, { exp: nowSeconds - 70 }))).toBe('expired');
	expect(await getRejectionReason(verifySigned({}, { nbf: nowSeconds + 70 }))).toBe('notYetValid');
});

it('verification uses the time of `validAt`, not the current time', async () => {
	const nowMs = Date.now();
	const jobResult = {
		state: 'completed' as const,
		token: signToken({ sub: fingerprint, exp: Math.floor(nowMs / 1000) - 120 }, holder),
	};
	const expectation = { job: 'j', subject: fingerprint, verify: true };
	await expect(verifyJobResult(jobResult, expectation, createClient({}))).rejects.toThrow(
		/expired/,
	);
	const earlier = { ...expectation, validAt: nowMs - 180_000 };
	expect(await verifyJobResult(jobResult, earlier, createClient({}))).toMatchObject({
		verified: true,
	});
});
