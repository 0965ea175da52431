import { generateKeyPairSync } from 'node:crypto';
import type { KeyPairKeyObjectResult } from 'node:crypto';

const curves: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
const made = new Map<string, KeyPairKeyObjectResult>();

/**
 * Somebody's key pair for an algorithm, made by node:crypto. Each is made once per worker, and one of RSA, which takes long,
 * serves all of its algorithms.
 */
export function pair(algorithm: string, of = 'somebody'): KeyPairKeyObjectResult {
	const kind = algorithm === 'EdDSA' ? 'ed25519' : (curves[algorithm] ?? 'rsa');
	const name = `${kind} of ${of}`;
	if (!made.has(name)) made.set(name, newPair(kind));
	return made.get(name)!;
}

function newPair(kind: string): KeyPairKeyObjectResult {
	if (kind === 'ed25519') return generateKeyPairSync(kind);
	if (kind === 'rsa') return generateKeyPairSync(kind, { modulusLength: 2048 });
	return generateKeyPairSync('ec', { namedCurve: kind });
}
