import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';

import { PasswordlessIdentityClient } from '../../lab/drive/passwordlessIdentityClient';
import type { KeyHolder } from '../../lab/drive/passwordlessIdentityClient';
import { passwordlessIdentity } from '../../sandbox/passwordlessIdentity';
import { useSandbox } from '../support/sandbox';

export * from '../../lab/drive/passwordlessIdentityClient';

/** Creates a new key that is not registered. */
export function newHolder(): KeyHolder {
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	return { fingerprint: publicKey.export({ format: 'jwk' }).x as string, privateKey };
}

/** Reads the claims of a token without verifying it. */
export function claimsOf(jwt: string): Record<string, unknown> {
	return JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString()) as never;
}

/** Whether the key with this fingerprint signed a token, according to Node's own crypto. */
export function verifies(jwt: string, fingerprint: string): boolean {
	const [header, payload, signature] = jwt.split('.') as [string, string, string];
	const key = createPublicKey({
		key: { kty: 'OKP', crv: 'Ed25519', x: fingerprint },
		format: 'jwk',
	});
	const text = Buffer.from(`${header}.${payload}`);
	return verify(null, text, key, Buffer.from(signature, 'base64url'));
}

/** Provides a client of a sandbox with the identity service alone, reset before each test of a file. */
export const usePasswordlessIdentity = (): PasswordlessIdentityClient =>
	new PasswordlessIdentityClient(useSandbox({ services: [passwordlessIdentity] }));

/** Returns the error body that the service sends with this status and this label. */
export function problem(status: number, label: string) {
	return {
		error: status,
		type: expect.stringMatching(new RegExp(`/${label}$`)) as string,
		title: expect.stringMatching(/\S/) as string,
		detail: expect.stringMatching(/\S/) as string,
	};
}
