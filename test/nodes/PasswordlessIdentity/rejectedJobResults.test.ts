import type { KeyObject } from 'node:crypto';
import { sign } from 'node:crypto';

import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { importKeyOf, signToken } from '../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { ecKey, openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

useAcceleratedTime();

// An issuer that is taken over answers as the attacker likes; the node must not be taken in.
const user = deriveDemoKey('the person who was asked');
const mallory = deriveDemoKey('another registered person');
const EVIL = 'mallory@evil.example';
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
	rig.credential({ baseUrl: issuer.url });
	keyCache.drop(issuer.url);
	records = Object.fromEntries(
		[user, mallory].map(({ fingerprint: sub }) => [sub, { sub, status: 'registered' }]),
	);
});

/** Has the issuer answer with this token, and gives what the node makes of it. */
async function got(result: unknown, parameters: object = {}) {
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
	const { outputItems, error } = await rig.op('scopeJob', 'get', {
		job: 'Zk3fT9aQw1LmX7cVb2Ns',
		expectedSubject: user.fingerprint,
		...parameters,
	});
	return {
		outputItems,
		message: error?.message ?? '',
		shown: JSON.stringify([outputItems, error?.message]),
	};
}

/** Expects the node to reject the result with this reason, and to show none of the token's claims. */
async function rejects(result: unknown, why: RegExp, parameters?: object) {
	const { outputItems, message, shown } = await got(result, parameters);
	expect(outputItems).toEqual([]);
	expect(message).toMatch(why);
	expect(shown).not.toContain(EVIL);
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const withSignature = (header: object, claims: object, signature: (text: string) => Buffer) => {
	const text = `${encode(header)}.${encode(claims)}`;
	return `${text}.${signature(text).toString('base64url')}`;
};
const claims = { sub: user.fingerprint, email: EVIL };

it('a job result with another algorithm than that of the key on record is rejected, even if the credential uses it', async () => {
	const key = await ecKey();
	rig.credential({ baseUrl: issuer.url, algorithm: 'ES256' });
	records[user.fingerprint] = { sub: user.fingerprint, jwk: user.publicJwk };
	await rejects(es256(claims, key.signWith), /must be signed with EdDSA, not ES256/);
});

describe('ES256', () => {
	it('verifies with the key in the record, if the fingerprint is its thumbprint', async () => {
		const key = await ecKey();
		const other = await ecKey();
		const signed = es256({ sub: key.fingerprint, email: EVIL }, key.signWith);
		const expected = { expectedSubject: key.fingerprint };
		records[key.fingerprint] = { sub: key.fingerprint, jwk: key.jwk };
		expect((await got(signed, expected)).outputItems).toMatchObject([{ verified: true }]);
		keyCache.drop(issuer.url);
		records[key.fingerprint] = { sub: key.fingerprint, jwk: other.jwk };
		const forged = es256({ sub: key.fingerprint, email: EVIL }, other.signWith);
		await rejects(forged, /doesn't match the fingerprint/, expected);
		keyCache.drop(issuer.url);
		records[key.fingerprint] = { sub: key.fingerprint };
		await rejects(signed, /has no public key/, expected);
	});
});

describe('key records', () => {
	it.each<[string, unknown, RegExp]>([
		['whose sub is not a key', { sub: 'not a key' }, /record of another key/],
		['whose sub is an object', { sub: { $ne: null } }, /record of another key/],
		["of somebody else's key", { sub: mallory.fingerprint }, /record of another key/],
		['that are revoked', { sub: user.fingerprint, status: 'revoked' }, /was revoked/],
		['that are a list', [{}, {}], /not a key record/],
		['that are a list of numbers', [1, 2], /neither a record nor a list/],
		['that are a word', 'yes', /neither a record nor a list/],
	])('%s are rejected', async (_, record, why) => {
		records[user.fingerprint] = record as object;
		await rejects(signToken(claims, importKeyOf(user)), why);
	});

	it('that are missing are rejected', async () => {
		delete records[user.fingerprint];
		await rejects(signToken(claims, importKeyOf(user)), /not registered/);
	});
});

it('the error for an encrypted token says so, with advice', async () => {
	const header = encode({ alg: 'ECDH-ES', enc: 'A256GCM' });
	await rejects(`${header}..aXY.dGV4dA.dGFn`, /is encrypted.*signed token that is not encrypted/);
	const { message } = await rig.fail('scopeJob', 'updateStatus', {
		job: 'Zk3fT9aQw1LmX7cVb2Ns',
		token: `${header}..aXY.dGV4dA.dGFn`,
	});
	expect(message).toMatch(/can't be sent\. The token is encrypted/);
});

describe('the size limit', () => {
	it('rejects a token with a claim of 1 MB, without requesting its key', async () => {
		issuer.requests.length = 0;
		const huge = signToken({ ...claims, note: 'x'.repeat(1024 * 1024) }, importKeyOf(user));
		await rejects(huge, /too large/);
		expect(issuer.requests.filter(({ url }) => url.startsWith('/key/'))).toEqual([]);
	});

	it('rejects a claim of 1 MB before it is signed', async () => {
		issuer.respondWith((_, response) => sendJson(response, 201, { job: 'j' }));
		const { message } = await rig.fail('scopeJob', 'issue', {
			subject: user.fingerprint,
			additionalClaims: { furtherClaims: JSON.stringify({ note: 'x'.repeat(1024 * 1024) }) },
		});
		expect(message).toMatch(/too large/);
		expect(issuer.requests).toHaveLength(0);
	});
});

describe('unsigned results', () => {
	it.each<[string, object]>([
		['claims', { ...claims, verified: true, subjectChecked: true, claims }],
		['a word', { status: 'completed', verified: true, key: {} }],
		['what is no token', { status: 'completed', token: 'a.b', verified: true, key: {} }],
	])(
		'consisting of %s are never output as verified, even if verification is off',
		async (_, body) => {
			const { outputItems } = await got(body, { options: { verify: false } });
			expect(outputItems).toHaveLength(1);
			expect(outputItems[0]).toMatchObject({
				outcome: 'completed',
				verified: false,
				subjectChecked: false,
			});
			expect(outputItems[0]).not.toHaveProperty('claims');
			expect(outputItems[0]).not.toHaveProperty('key');
		},
	);

	it('are not output for a job that is not finished', async () => {
		const { outputItems } = await got({ status: 'waiting', claims, verified: true, token: 'x' });
		expect(outputItems).toEqual([
			{ id: 'Zk3fT9aQw1LmX7cVb2Ns', outcome: 'outstanding', status: 'waiting' },
		]);
	});
});

function es256(payload: object, key: KeyObject): string {
	return withSignature({ alg: 'ES256' }, payload, (text) =>
		sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }),
	);
}
