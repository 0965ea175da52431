import { calculateJwkThumbprint } from 'jose';

import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { verifyToken } from '../../../nodes/PasswordlessIdentity/verification';
import { jwk, signRawToken } from '../../engine/token/tokens';
import { keyPairFor } from '../../support/keyPairs';
import type { KeyOwner } from '../../support/keyPairs';
import { stubClient } from '../../support/stubClient';

// An issuer that wants to pass off another person's signature as Ada's can return any record for her fingerprint: here, every
// record that takes each member from Ada's key record, from Mallory's, or leaves it out.

const BASE = 'https://issuer.example';
const SIGNS: Record<string, string[]> = {
	EdDSA: ['EdDSA'],
	ES256: ['ES256'],
	ES384: ['ES384'],
	RS256: ['RS256', 'PS256', 'RS512'],
};
const KINDS = Object.keys(SIGNS);
const MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'alg'];

type Members = Record<string, unknown>;

/** A person's key, the names that it is known by, and its record. */
async function createPerson(kind: string, name: KeyOwner) {
	const { privateKey } = keyPairFor(kind, name);
	const key = jwk(privateKey);
	const thumbprint = await calculateJwkThumbprint(key);
	const names = kind === 'EdDSA' ? [key.x!, thumbprint] : [thumbprint];
	const tokens = (sub: string) => SIGNS[kind]!.map((alg) => signRawToken(privateKey, alg, { sub }));
	return { names, tokens, members: { ...key, alg: kind } as Members };
}

/** Every object whose members come from either of two others, or are missing. */
function* mixMembers(first: Members, second: Members, names: string[]): Generator<Members> {
	const [name, ...rest] = names;
	if (name === undefined) return yield {};
	for (const mixed of mixMembers(first, second, rest)) {
		for (const value of new Set([undefined, first[name], second[name]])) {
			yield value === undefined ? mixed : { ...mixed, [name]: value };
		}
	}
}

async function isVerified(token: string, record: object): Promise<boolean> {
	keyCache.drop(BASE);
	return await verifyToken(token, {}, stubClient(BASE, { body: record })).then(
		() => true,
		() => false,
	);
}

const pairsOfKinds = KINDS.flatMap((ada) => KINDS.map((mallory) => [ada, mallory] as const));

it.each(pairsOfKinds)(
	'no mixture of a record for %s and one for %s verifies the signature of the other',
	async (kind, otherKind) => {
		const ada = await createPerson(kind, 'Ada');
		const mallory = await createPerson(otherKind, 'Mallory');
		const acceptedRecords: object[] = [];
		let ownVerifiedCount = 0;
		for (const sub of ada.names) {
			const forgeries = mallory.tokens(sub);
			const [signed] = ada.tokens(sub);
			for (const key of mixMembers(ada.members, mallory.members, MEMBERS)) {
				const record = { sub, status: 'registered', jwk: key };
				if (ownVerifiedCount < 2 && (await isVerified(signed!, record))) ownVerifiedCount++;
				for (const forged of forgeries) {
					if (await isVerified(forged, record)) acceptedRecords.push({ sub, key });
				}
			}
		}
		expect(acceptedRecords).toEqual([]);
		// Not because nothing verifies: with and without `alg`, Ada's own record does.
		expect(ownVerifiedCount).toBe(2);
	},
	60_000,
);

it('a record with members of another key type is rejected, even if the signature is valid', async () => {
	const ed = await createPerson('EdDSA', 'Ada');
	const [sub] = ed.names;
	const [signed] = ed.tokens(sub!);
	const { alg, ...key } = ed.members;
	const record = (extraMembers: Members) => ({ sub, jwk: { ...key, alg, ...extraMembers } });
	expect(await isVerified(signed!, record({}))).toBe(true);
	expect(await isVerified(signed!, record({ n: null, use: 'sig', kid: 'k', x5t: 'x' }))).toBe(true);
	for (const extraMembers of [
		{ n: 'AQAB' },
		{ e: 'AQAB' },
		{ y: 'AA' },
		{ k: 'AA' },
		{ y: 7 },
		{ n: {} },
	]) {
		expect(await isVerified(signed!, record(extraMembers))).toBe(false);
	}
});
