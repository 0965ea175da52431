import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyPairKeyObjectResult } from 'node:crypto';

import slowKeys from './slowKeys.json';

// Generating an RSA key takes half a second of CPU time, so tests share the stored keys, which node:crypto generated once.
// These keys protect nothing.

/** Returns one of the stored RSA and DSA keys. */
export function storedKeyPair(name: keyof typeof slowKeys): KeyPairKeyObjectResult {
	const key = Buffer.from(slowKeys[name], 'base64');
	const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
	return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Owners who have a key for every algorithm. */
export type KeyOwner = 'Ada' | 'Mallory' | 'application';

const curves: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
const keyPairs = new Map<string, KeyPairKeyObjectResult>();

/** Returns the key pair of an owner for an algorithm. One RSA pair per owner serves all RSA algorithms. */
export function keyPairFor(algorithm: string, owner: KeyOwner = 'Ada'): KeyPairKeyObjectResult {
	const kind = algorithm === 'EdDSA' ? 'ed25519' : (curves[algorithm] ?? 'rsa');
	const name = `${kind} of ${owner}`;
	const keyPair = keyPairs.get(name) ?? newPair(kind, owner);
	keyPairs.set(name, keyPair);
	return keyPair;
}

function newPair(kind: string, owner: KeyOwner): KeyPairKeyObjectResult {
	if (kind === 'ed25519') return generateKeyPairSync(kind);
	if (kind === 'rsa') return storedKeyPair(owner);
	return generateKeyPairSync('ec', { namedCurve: kind });
}
