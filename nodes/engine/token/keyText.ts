import type { JWK } from 'jose';

import {
	algorithmsFor,
	attempt,
	findWeakness,
	fitsAlgorithm,
	headerNames,
	KEY_SPECS,
	KeyError,
	toPrivateJwk,
} from './keyKinds';
import type { Algorithm } from './keyKinds';
import { damagedKeyError, describeKeyType, readPem, unusableKeyError } from './pkcs8';

// Parses the text of a private key, as users paste it, to a JWK.

function assertFits(jwk: JWK, algorithm: Algorithm): void {
	if (fitsAlgorithm(jwk, algorithm)) return;
	if (algorithmsFor({ ...jwk, alg: undefined }).length === 0) throw unusableKeyError(jwk);
	throw new KeyError(
		'type',
		`${algorithm} needs ${describeKeyType(KEY_SPECS[algorithm])}, but this is ${describeKeyType(jwk)}. Choose the algorithm that fits the key, or paste another key.`,
	);
}

async function parsePem(text: string, algorithm: Algorithm): Promise<JWK> {
	const { type, der, publicBits } = readPem(text);
	assertFits(type, algorithm);
	const jwk = await attempt(async () => {
		const key = await crypto.subtle.importKey('pkcs8', der, KEY_SPECS[algorithm].subtle, true, [
			'sign',
		]);
		return await crypto.subtle.exportKey('jwk', key);
	});
	const key = jwk && toPrivateJwk(jwk);
	if (!key || (publicBits && !isPublicHalf(publicBits, key))) throw damagedKeyError();
	return key;
}

/** Whether the public key in a PKCS#8 file matches its private key. Not checked for RSA: no tool writes its public key. */
function isPublicHalf(bits: Buffer, { kty, x, y }: Partial<JWK>): boolean {
	const [first, second] = [x, y].map((value) => Buffer.from(value ?? '', 'base64url'));
	if (kty === 'OKP') return bits.equals(first!);
	return kty !== 'EC' || bits.equals(Buffer.concat([Buffer.from([4]), first!, second!]));
}

/** Matches the text and not parsed JSON, because line breaks in the PEM may have become real ones, which JSON forbids. */
const SERVICE_ACCOUNT = /"type"\s*:\s*"service_account"|"private_key"\s*:/;

async function parseJwk(text: string, algorithm: Algorithm): Promise<JWK> {
	if (SERVICE_ACCOUNT.test(text)) {
		throw new KeyError(
			'container',
			'This is a service account file (JSON), not a single key. Paste only the value of its "private_key", from -----BEGIN to the last hyphen, and choose the algorithm that fits it, usually RS256.',
		);
	}
	const jwk = await attempt((): JWK => JSON.parse(text));
	if (!jwk) throw damagedKeyError();
	if (typeof jwk.kty !== 'string') {
		throw new KeyError('format', 'This JSON is not a single key: it has no "kty". Paste one JWK.');
	}
	assertFits(jwk, algorithm);
	if (jwk.alg !== undefined && !headerNames(algorithm).includes(jwk.alg)) {
		throw new KeyError('type', `This JWK is made for another algorithm than ${algorithm}.`);
	}
	if (typeof jwk.d !== 'string') {
		throw new KeyError(
			'public',
			'This is a public key: the JWK has no "d". Signing needs the private key that belongs to it.',
		);
	}
	const key = toPrivateJwk(jwk);
	if (!key) throw damagedKeyError();
	return key;
}

/**
 * Parses a private key from PKCS#8 PEM, with or without line breaks, or from a JWK in JSON.
 * Guarantees a private JWK that fits the algorithm and is not weak; throws KeyError otherwise.
 */
export async function parsePrivateKey(text: string, algorithm: Algorithm): Promise<JWK> {
	const source = text
		.replace(/\\r|\\n/g, '\n')
		.trim()
		.replace(/^(["'])([^]*)\1$/, '$2')
		.trim();
	if (source === '') throw new KeyError('empty', 'The private key is empty.');
	const isJson = source.startsWith('{');
	if (!isJson && !source.includes('-----BEGIN ')) {
		throw new KeyError(
			'format',
			'The private key is neither PEM (-----BEGIN PRIVATE KEY-----) nor a JWK ({"kty": …}).',
		);
	}
	const jwk = isJson ? await parseJwk(source, algorithm) : await parsePem(source, algorithm);
	const weak = findWeakness(jwk);
	if (weak !== undefined) throw new KeyError('weak', `This private key is ${weak}.`);
	return jwk;
}
