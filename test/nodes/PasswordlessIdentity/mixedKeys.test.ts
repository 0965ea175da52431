// Protects people from a malicious issuer: no mixture of two key records verifies the signature of another person.
import { calculateJwkThumbprint } from 'jose';

import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { verifyToken } from '../../../nodes/PasswordlessIdentity/verification';
import { jwk, signRawToken } from '../../engine/token/tokens';
import { keyPairFor } from '../../support/keyPairs';
import type { KeyOwner } from '../../support/keyPairs';
import { stubClient } from '../../support/stubClient';

// A malicious issuer that presents Mallory's signature as Ada's can return any record for Ada's fingerprint. The test tries every
// record that takes each member from Ada's key, from Mallory's key, or omits it.

const BASE_URL = 'https://issuer.example';
/** Algorithms with which a key of each kind can sign. */
const SIGNATURE_ALGORITHMS: Record<string, string[]> = {
	EdDSA: ['EdDSA'],
	ES256: ['ES256'],
	ES384: ['ES384'],
	RS256: ['RS256', 'PS256', 'RS512'],
};
const KINDS = Object.keys(SIGNATURE_ALGORITHMS);
const MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'alg'];

type Members = Record<string, unknown>;

/** Creates a person with a key, its possible fingerprints, and the members of its record. */
async function createPerson(kind: string, owner: KeyOwner) {
	const { privateKey } = keyPairFor(kind, owner);
	const key = jwk(privateKey);
	const thumbprint = await calculateJwkThumbprint(key);
	const fingerprints = kind === 'EdDSA' ? [key.x!, thumbprint] : [thumbprint];
	const signTokens = (sub: string) =>
		SIGNATURE_ALGORITHMS[kind]!.map((alg) => signRawToken(privateKey, alg, { sub }));
	return { fingerprints, signTokens, members: { ...key, alg: kind } as Members };
}

/** Yields every object whose members come from either of two others, or are missing. */
function* mixMembers(first: Members, second: Members, names: string[]): Generator<Members> {
	const [name, ...otherNames] = names;
	if (name === undefined) return yield {};
	for (const mixed of mixMembers(first, second, otherNames)) {
		for (const value of new Set([undefined, first[name], second[name]])) {
			yield value === undefined ? mixed : { ...mixed, [name]: value };
		}
	}
}

async function isVerified(token: string, record: object): Promise<boolean> {
	keyCache.drop(BASE_URL);
	return await verifyToken(token, {}, stubClient(BASE_URL, { body: record })).then(
		() => true,
		() => false,
	);
}

const pairsOfKinds = KINDS.flatMap((ada) => KINDS.map((mallory) => [ada, mallory] as const));

it.each(pairsOfKinds)(
	'no mixture of the record of a key for %s and of a second key for %s verifies a signature of the second key',
	async (kind, otherKind) => {
		const ada = await createPerson(kind, 'Ada');
		const mallory = await createPerson(otherKind, 'Mallory');
		const acceptedRecords: object[] = [];
		let ownVerifiedCount = 0;
		for (const sub of ada.fingerprints) {
			const forgeries = mallory.signTokens(sub);
			const [signed] = ada.signTokens(sub);
			for (const key of mixMembers(ada.members, mallory.members, MEMBERS)) {
				const record = { sub, status: 'registered', jwk: key };
				if (ownVerifiedCount < 2 && (await isVerified(signed!, record))) ownVerifiedCount++;
				for (const forged of forgeries) {
					if (await isVerified(forged, record)) acceptedRecords.push({ sub, key });
				}
			}
		}
		expect(acceptedRecords).toEqual([]);
		// Ada's own signature is verified by her own record, with and without `alg`, so verification works at all.
		expect(ownVerifiedCount).toBe(2);
	},
	60_000,
);

it('a record with members of another key type is rejected, even if the signature is valid', async () => {
	const ed = await createPerson('EdDSA', 'Ada');
	const [sub] = ed.fingerprints;
	const [signed] = ed.signTokens(sub!);
	const { alg, ...key } = ed.members;
	const makeRecord = (extraMembers: Members) => ({ sub, jwk: { ...key, alg, ...extraMembers } });
	expect(await isVerified(signed!, makeRecord({}))).toBe(true);
	expect(await isVerified(signed!, makeRecord({ n: null, use: 'sig', kid: 'k', x5t: 'x' }))).toBe(
		true,
	);
	for (const extraMembers of [
		{ n: 'AQAB' },
		{ e: 'AQAB' },
		{ y: 'AA' },
		{ k: 'AA' },
		{ y: 7 },
		{ n: {} },
	]) {
		expect(await isVerified(signed!, makeRecord(extraMembers))).toBe(false);
	}
});
