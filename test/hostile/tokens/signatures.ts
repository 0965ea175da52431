import { sign } from 'node:crypto';

import { importKeyOf } from '../../sandbox/passwordlessIdentity.fixture';
import {
	asTokens,
	claims,
	EVIL,
	validToken,
	mallory,
	encodedJson,
	parts,
	signedBy,
	stranger,
	user,
} from './tokenActors';
import type { Case } from './tokenActors';

const [header, payload, signature] = parts;
const bytes = Buffer.from(signature, 'base64url');
const tokenWithSignature = (signatureBytes: Buffer) =>
	`${header}.${payload}.${signatureBytes.toString('base64url')}`;
const over = (text: string | Buffer) =>
	tokenWithSignature(sign(null, Buffer.from(text), importKeyOf(user).privateKey));
const flipBit = (index: number) => {
	const changed = Buffer.from(bytes);
	changed[index]! ^= 1;
	return tokenWithSignature(changed);
};
const signatureOf = (token: string) => token.split('.')[2]!;

/** The order of the curve: a signature has a second spelling that is larger by it, and must not have. */
const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;
const malleable = () => {
	const scalar = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + ORDER;
	const text = scalar.toString(16).padStart(64, '0');
	return Buffer.concat([bytes.subarray(0, 32), Buffer.from(text, 'hex').reverse()]);
};

/** Tokens without a signature, with another person's, or with one for other contents. */
export const signatures: Case[] = asTokens({
	'signed by another registered person': signedBy(mallory),
	'signed by a stranger': signedBy(stranger),
	'signed by another, who is named as issuer': signedBy(mallory, {
		...claims,
		iss: mallory.fingerprint,
	}),
	'the signature of another token of the same person': `${header}.${payload}.${signatureOf(validToken({ sub: user.fingerprint }))}`,
	'the signature of the same claims under another header': `${header}.${payload}.${signatureOf(signedBy(user, claims, { typ: 'JWT' }))}`,
	'a payload that was changed': `${header}.${encodedJson({ ...claims, email: `x${EVIL}` })}.${signature}`,
	'a header that was changed': `${encodedJson({ alg: 'EdDSA', typ: 'JWT' })}.${payload}.${signature}`,
	'the payload as signature': `${header}.${payload}.${payload}`,
	'the fingerprint as signature': `${header}.${payload}.${user.fingerprint}`,
	'a signature of zeros': tokenWithSignature(Buffer.alloc(64)),
	'a signature of ones': tokenWithSignature(Buffer.alloc(64, 0xff)),
	'a signature of 63 bytes': tokenWithSignature(bytes.subarray(0, 63)),
	'a signature of 65 bytes': tokenWithSignature(Buffer.concat([Buffer.alloc(1), bytes])),
	'half a signature': tokenWithSignature(bytes.subarray(0, 32)),
	'two signatures': tokenWithSignature(Buffer.concat([bytes, bytes])),
	'its halves swapped': tokenWithSignature(
		Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)]),
	),
	'its bytes in reverse order': tokenWithSignature(Buffer.from(bytes).reverse()),
	'its second spelling': tokenWithSignature(malleable()),
	...Object.fromEntries(
		[0, 31, 32, 63].map((index) => [`a bit changed in byte ${index}`, flipBit(index)]),
	),
	'made over the header alone': over(header),
	'made over the payload alone': over(payload),
	'made over both without a dot': over(header + payload),
	'made over what is not encoded': over(`{"alg":"EdDSA"}.${JSON.stringify(claims)}`),
	'made over nothing': over(''),
	'made over the whole token': over(parts.join('.')),
});
