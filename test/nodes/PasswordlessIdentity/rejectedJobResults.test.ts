// Protects users from an attacker who controls the issuer: a forged, oversized or unsigned result is never verified.
import type { KeyObject } from 'node:crypto';
import { sign } from 'node:crypto';

import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { createEcKey, openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

useAcceleratedTime();

const user = deriveDemoKey('the person who was asked');
const mallory = deriveDemoKey('another registered person');
const MALLORY_EMAIL = 'mallory@evil.example';
let rig: IdentityRig;
let issuer: ToyServer;
let records: Record<string, object>;
beforeAll(async () => {
	rig = await openIdentityRig();
	issuer = await startToyServer();
});
afterAll(async () => {
	await issuer.close();
	await rig.close();
});
beforeEach(() => {
	rig.changeCredential({ baseUrl: issuer.url });
	keyCache.drop(issuer.url);
	records = Object.fromEntries(
		[user, mallory].map(({ fingerprint: sub }) => [sub, { sub, status: 'registered' }]),
	);
});

/** Makes the issuer respond with this result. Returns the output items and the error message of Get. */
async function getJobResult(result: unknown, parameters: object = {}) {
	issuer.respondWith((request, response) => {
		const [, kind, id] = request.url.split('/');
		if (kind === 'scope') {
			if (typeof result !== 'string') return sendJson(response, 200, result);
			response.writeHead(200, { 'content-type': 'application/jwt' });
			return response.end(result);
		}
		const record = records[decodeURIComponent(id ?? '')];
		return record
			? sendJson(response, 200, record)
			: sendJson(response, 404, { error: 404, type: 'x/unknown-key' });
	});
	const { outputItems, error } = await rig.operate('scopeJob', 'get', {
		job: 'Zk3fT9aQw1LmX7cVb2Ns',
		expectedSubject: user.fingerprint,
		...parameters,
	});
	return {
		outputItems,
		message: error?.message ?? '',
		allText: JSON.stringify([outputItems, error?.message]),
	};
}

/** Expects the node to reject the result with this reason, and to show none of the token's claims. */
async function expectRejected(result: unknown, expectedMessage: RegExp, parameters?: object) {
	const { outputItems, message, allText } = await getJobResult(result, parameters);
	expect(outputItems).toEqual([]);
	expect(message).toMatch(expectedMessage);
	expect(allText).not.toContain(MALLORY_EMAIL);
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const assembleToken = (header: object, claims: object, signature: (text: string) => Buffer) => {
	const text = `${encode(header)}.${encode(claims)}`;
	return `${text}.${signature(text).toString('base64url')}`;
};
const forgedClaims = { sub: user.fingerprint, email: MALLORY_EMAIL };

it('a job result that is signed with another algorithm than that of the key on record is rejected, even if the credential has that algorithm', async () => {
	const key = await createEcKey();
	rig.changeCredential({ baseUrl: issuer.url, algorithm: 'ES256' });
	records[user.fingerprint] = { sub: user.fingerprint, jwk: user.publicJwk };
	await expectRejected(
		signWithEs256(forgedClaims, key.signWith),
		/must be signed with EdDSA, not ES256/,
	);
});

describe('a job result that is signed with ES256', () => {
	it('is verified with the key on record only if the fingerprint is its thumbprint', async () => {
		const key = await createEcKey();
		const otherKey = await createEcKey();
		const signed = signWithEs256({ sub: key.fingerprint, email: MALLORY_EMAIL }, key.signWith);
		const parameters = { expectedSubject: key.fingerprint };
		records[key.fingerprint] = { sub: key.fingerprint, jwk: key.jwk };
		expect((await getJobResult(signed, parameters)).outputItems).toMatchObject([
			{ verified: true },
		]);
		keyCache.drop(issuer.url);
		records[key.fingerprint] = { sub: key.fingerprint, jwk: otherKey.jwk };
		const forged = signWithEs256({ sub: key.fingerprint, email: MALLORY_EMAIL }, otherKey.signWith);
		await expectRejected(forged, /doesn't match the fingerprint/, parameters);
		keyCache.drop(issuer.url);
		records[key.fingerprint] = { sub: key.fingerprint };
		await expectRejected(signed, /has no public key/, parameters);
	});
});

describe('a key record', () => {
	it.each<[string, unknown, RegExp]>([
		['whose sub is not a key', { sub: 'not a key' }, /record of another key/],
		['whose sub is an object', { sub: { $ne: null } }, /record of another key/],
		["of another person's key", { sub: mallory.fingerprint }, /record of another key/],
		['that is revoked', { sub: user.fingerprint, status: 'revoked' }, /was revoked/],
		['that is a list', [{}, {}], /not a key record/],
		['that is a list of numbers', [1, 2], /neither a record nor a list/],
		['that is a word', 'yes', /neither a record nor a list/],
	])('%s is rejected', async (_, record, expectedMessage) => {
		records[user.fingerprint] = record as object;
		await expectRejected(signToken(forgedClaims, importKeyOf(user)), expectedMessage);
	});

	it('that is missing is rejected', async () => {
		delete records[user.fingerprint];
		await expectRejected(signToken(forgedClaims, importKeyOf(user)), /not registered/);
	});
});

it('an encrypted token is rejected with advice', async () => {
	const header = encode({ alg: 'ECDH-ES', enc: 'A256GCM' });
	await expectRejected(
		`${header}..aXY.dGV4dA.dGFn`,
		/is encrypted.*signed token that is not encrypted/,
	);
	const { message } = await rig.getError('scopeJob', 'updateStatus', {
		job: 'Zk3fT9aQw1LmX7cVb2Ns',
		token: `${header}..aXY.dGV4dA.dGFn`,
	});
	expect(message).toMatch(/can't be sent\. The token is encrypted/);
});

describe('the size limit of tokens', () => {
	it('a token with a claim of 1 MB is rejected without requesting its key', async () => {
		issuer.requests.length = 0;
		const huge = signToken({ ...forgedClaims, note: 'x'.repeat(1024 * 1024) }, importKeyOf(user));
		await expectRejected(huge, /too large/);
		expect(issuer.requests.filter(({ url }) => url.startsWith('/key/'))).toEqual([]);
	});

	it('a claim of 1 MB is rejected before it is signed', async () => {
		issuer.respondWith((_, response) => sendJson(response, 201, { job: 'j' }));
		const { message } = await rig.getError('scopeJob', 'issue', {
			subject: user.fingerprint,
			additionalClaims: { furtherClaims: JSON.stringify({ note: 'x'.repeat(1024 * 1024) }) },
		});
		expect(message).toMatch(/too large/);
		expect(issuer.requests).toHaveLength(0);
	});
});

describe('unsigned results', () => {
	it.each<[string, object]>([
		['claims', { ...forgedClaims, verified: true, subjectChecked: true, claims: forgedClaims }],
		['a status word', { status: 'completed', verified: true, key: {} }],
		['an invalid token', { status: 'completed', token: 'a.b', verified: true, key: {} }],
	])('an unsigned result of %s is output as unverified if verification is off', async (_, body) => {
		const { outputItems } = await getJobResult(body, { options: { verify: false } });
		expect(outputItems).toHaveLength(1);
		expect(outputItems[0]).toMatchObject({
			outcome: 'completed',
			verified: false,
			subjectChecked: false,
		});
		expect(outputItems[0]).not.toHaveProperty('claims');
		expect(outputItems[0]).not.toHaveProperty('key');
	});

	it('token and verification fields of a job that is not finished are not output', async () => {
		const result = {
			status: 'waiting',
			note: 'n',
			token: 'x',
			verified: true,
			subject: user.fingerprint,
			subjectChecked: true,
			claims: forgedClaims,
			unverifiedClaims: forgedClaims,
		};
		const job = { id: 'Zk3fT9aQw1LmX7cVb2Ns', outcome: 'outstanding' };
		expect((await getJobResult(result)).outputItems).toEqual([
			{ ...job, status: 'waiting', note: 'n' },
		]);
		expect((await getJobResult(result, { simplify: true })).outputItems).toEqual([job]);
	});
});

function signWithEs256(payload: object, key: KeyObject): string {
	return assembleToken({ alg: 'ES256' }, payload, (text) =>
		sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }),
	);
}
