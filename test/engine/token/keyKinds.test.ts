// Protects tokens from unsuitable keys: a key has its own members and asymmetric algorithms only, and a weak one is found.
import {
	ALGORITHMS,
	algorithmsFor,
	attempt,
	headerNames,
	isAlgorithm,
	mixesKeyTypes,
	toPrivateJwk,
	toPublicJwk,
	requireAlgorithm,
	findWeakness,
} from '../../../nodes/engine/token/keyKinds';

const ED = { kty: 'OKP', crv: 'Ed25519' };
const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64url');

test('the supported algorithms are asymmetric: EdDSA, ECDSA and RSA, and none with a shared secret', () => {
	expect([...ALGORITHMS].sort()).toEqual(
		'ES256 ES384 ES512 EdDSA PS256 PS384 PS512 RS256 RS384 RS512'.split(' '),
	);
	expect(ALGORITHMS[0]).toBe('EdDSA');
	expect(['HS256', 'none', 'toString', ''].some(isAlgorithm)).toBe(false);
	expect(requireAlgorithm('PS384')).toBe('PS384');
	expect(() => requireAlgorithm('HS256')).toThrow(/Use one of EdDSA, ES256, .*RS512\.$/);
	expect(() => requireAlgorithm('HS256')).toThrow(expect.objectContaining({ reason: 'algorithm' }));
});

test.each<[object, string[]]>([
	[ED, ['EdDSA']],
	[{ ...ED, alg: 'EdDSA' }, ['EdDSA']],
	[{ ...ED, alg: 'Ed25519' }, ['EdDSA']],
	[{ ...ED, alg: 'ES256' }, []],
	[{ ...ED, alg: null }, ['EdDSA']],
	[{ kty: 'OKP', crv: 'X25519' }, []],
	[{ kty: 'EC', crv: 'Ed25519' }, []],
	[{ kty: 'EC', crv: 'P-256' }, ['ES256']],
	[{ kty: 'EC', crv: 'P-384' }, ['ES384']],
	[{ kty: 'EC', crv: 'P-521' }, ['ES512']],
	[{ kty: 'EC', crv: 'P-256', alg: 'ES384' }, []],
	[{ kty: 'EC', crv: 'secp256k1' }, []],
	[{ kty: 'RSA' }, ['RS256', 'PS256']],
	[{ kty: 'RSA', alg: 'PS512' }, ['PS512']],
	[{ kty: 'RSA', alg: 'RS384' }, ['RS384']],
	[{ kty: 'RSA', alg: 'HS256' }, []],
	[{ kty: 'RSA', crv: 'Ed25519' }, []],
	[{ kty: 'oct' }, []],
	[{}, []],
])('the key %j accepts signatures with %j', (key, algorithms) => {
	expect(algorithmsFor(key)).toEqual(algorithms);
});

test('only EdDSA has two names in headers', () => {
	expect(headerNames('EdDSA')).toEqual(['EdDSA', 'Ed25519']);
	expect(headerNames('RS256')).toEqual(['RS256']);
});

describe('reading a JWK by its key type', () => {
	const otherMembers = { alg: 'g', use: 'h', kid: 'i' };

	test.each([
		[{ kty: 'OKP', crv: 'a', x: 'b' }, { d: 's' }],
		[{ kty: 'EC', crv: 'a', x: 'b', y: 'c' }, { d: 's' }],
		[
			{ kty: 'RSA', n: 'a', e: 'b' },
			{ d: 's', p: 's', q: 's', dp: 's', dq: 's', qi: 's' },
		],
	])('only the members of its key type are read: %j', (publicMembers, privateMembers) => {
		expect(toPublicJwk({ ...publicMembers, ...privateMembers, ...otherMembers })).toEqual(
			publicMembers,
		);
		expect(toPrivateJwk({ ...publicMembers, ...privateMembers, ...otherMembers })).toEqual({
			...publicMembers,
			...privateMembers,
		});
		expect(toPublicJwk({ ...publicMembers, [Object.keys(publicMembers)[1]!]: 7 })).not.toEqual(
			publicMembers,
		);
	});

	const allMembers = ['crv', 'x', 'y', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

	test.each([
		['OKP', 'crv x d'],
		['EC', 'crv x y d'],
		['RSA', 'n e d p q dp dq qi oth'],
		['oct', 'k'],
	])('a key of type %s has only the members %s', (kty, memberNames) => {
		for (const name of allMembers) {
			const isOwn = memberNames.split(' ').includes(name);
			for (const value of ['AA', '', 7, {}, false]) {
				expect(mixesKeyTypes({ kty, [name]: value })).toBe(!isOwn);
				expect(toPublicJwk({ kty, [name]: value }) === undefined).toBe(!isOwn);
				expect(toPrivateJwk({ kty, [name]: value }) === undefined).toBe(!isOwn);
			}
			expect(mixesKeyTypes({ kty, [name]: null })).toBe(false);
		}
	});

	test('an unknown key type is rejected', () => {
		for (const kty of [undefined, null, 'rsa', 'toString', 7, ['RSA']]) {
			expect(toPublicJwk({ kty })).toBeUndefined();
			expect(mixesKeyTypes({ kty, n: 'AA' })).toBe(true);
		}
	});
});

describe('findWeakness', () => {
	const E = base64(1, 0, 1);
	const modulus = (first: number, length = 256) =>
		base64(first, ...Array<number>(length - 1).fill(255));

	test.each([
		['nothing', '', 0],
		['zeros', base64(0, 0), 0],
		['one', base64(1), 1],
		['a byte', base64(128), 8],
		['a bit too few', modulus(127), 2047],
		['a bit too few behind a zero', base64(0, 127, ...Array<number>(255).fill(255)), 2047],
	])('reports an RSA modulus of %s as too short', (_, n, bits) => {
		expect(findWeakness({ kty: 'RSA', n, e: E })).toBe(
			`too short: it has ${bits} bits, and 2048 or more are needed`,
		);
	});

	test.each([modulus(128), modulus(255), modulus(1, 257)])(
		'accepts an RSA modulus of 2048 bits or more, unless its exponent is unsafe',
		(n) => {
			expect(findWeakness({ kty: 'RSA', n, e: E })).toBeUndefined();
			expect(findWeakness({ kty: 'RSA', n, e: base64(3) })).toBeUndefined();
			for (const e of ['', base64(0), base64(1), base64(0, 1), base64(2), base64(1, 0, 0)]) {
				expect(findWeakness({ kty: 'RSA', n, e })).toMatch(/^unsafe: its exponent/);
			}
		},
	);

	test('reports an Ed25519 key of small order, with either sign', () => {
		const x = (last: number) => base64(1, ...Array<number>(30).fill(0), last);
		for (const last of [0, 128])
			expect(findWeakness({ ...ED, x: x(last) })).toMatch(/anyone can sign/);
		expect(findWeakness({ ...ED, x: x(64) })).toBeUndefined();
	});

	test('reports no weakness of an EC key or of a key with missing members', () => {
		expect(findWeakness({ kty: 'EC', crv: 'P-256', x: 'A'.repeat(43) })).toBeUndefined();
		expect(findWeakness(ED)).toBeUndefined();
		expect(findWeakness({ kty: 'RSA', e: E })).toBeUndefined();
		expect(findWeakness({ kty: 'RSA', n: base64(1) })).toBeUndefined();
		expect(findWeakness({ kty: 'EC', n: base64(1), e: E })).toBeUndefined();
	});
});

test('attempt returns undefined if the function throws or rejects', async () => {
	expect(await attempt(() => 7)).toBe(7);
	const failing = () => {
		throw new Error('secret');
	};
	expect(await attempt(failing)).toBeUndefined();
	expect(await attempt(async () => await Promise.reject(new Error('secret')))).toBeUndefined();
});
