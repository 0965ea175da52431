import { sign } from 'node:crypto';

import { importKeyOf } from '../../sandbox/passwordlessIdentity.fixture';
import {
	casesFromTokens,
	claims,
	EVIL_EMAIL,
	signValidToken,
	mallory,
	encodeJson,
	validTokenParts,
	signAs,
	stranger,
	user,
} from './tokenActors';
import type { Case } from './tokenActors';

const [header, payload, signature] = validTokenParts;
const signatureBytes = Buffer.from(signature, 'base64url');
const tokenWithSignature = (signatureBytes: Buffer) =>
	`${header}.${payload}.${signatureBytes.toString('base64url')}`;
/** Puts the user's signature of another text into the token. */
const signOtherText = (text: string | Buffer) =>
	tokenWithSignature(sign(null, Buffer.from(text), importKeyOf(user).privateKey));
const flipBit = (index: number) => {
	const changed = Buffer.from(signatureBytes);
	changed[index]! ^= 1;
	return tokenWithSignature(changed);
};
const signatureOf = (token: string) => token.split('.')[2]!;

/** The order of the curve. Adding the order to a signature yields a second form, which must be rejected. */
const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;
const addOrder = () => {
	const scalar =
		BigInt(`0x${Buffer.from(signatureBytes.subarray(32)).reverse().toString('hex')}`) + ORDER;
	const text = scalar.toString(16).padStart(64, '0');
	return Buffer.concat([signatureBytes.subarray(0, 32), Buffer.from(text, 'hex').reverse()]);
};

/** Tokens with no signature, another person's signature, or a signature of other contents. */
export const signatures: Case[] = casesFromTokens({
	'signed by another registered person': signAs(mallory),
	'signed by a stranger': signAs(stranger),
	'signed by another, who is named as issuer': signAs(mallory, {
		...claims,
		iss: mallory.fingerprint,
	}),
	'the signature of another token of the same person': `${header}.${payload}.${signatureOf(signValidToken({ sub: user.fingerprint }))}`,
	'the signature of the same claims under another header': `${header}.${payload}.${signatureOf(signAs(user, claims, { typ: 'JWT' }))}`,
	'a payload that was changed': `${header}.${encodeJson({ ...claims, email: `x${EVIL_EMAIL}` })}.${signature}`,
	'a header that was changed': `${encodeJson({ alg: 'EdDSA', typ: 'JWT' })}.${payload}.${signature}`,
	'the payload as signature': `${header}.${payload}.${payload}`,
	'the fingerprint as signature': `${header}.${payload}.${user.fingerprint}`,
	'a signature of zeros': tokenWithSignature(Buffer.alloc(64)),
	'a signature of ones': tokenWithSignature(Buffer.alloc(64, 0xff)),
	'a signature of 63 bytes': tokenWithSignature(signatureBytes.subarray(0, 63)),
	'a signature of 65 bytes': tokenWithSignature(Buffer.concat([Buffer.alloc(1), signatureBytes])),
	'half a signature': tokenWithSignature(signatureBytes.subarray(0, 32)),
	'two signatures': tokenWithSignature(Buffer.concat([signatureBytes, signatureBytes])),
	'a signature with swapped halves': tokenWithSignature(
		Buffer.concat([signatureBytes.subarray(32), signatureBytes.subarray(0, 32)]),
	),
	'a signature with bytes in reverse order': tokenWithSignature(
		Buffer.from(signatureBytes).reverse(),
	),
	'a signature plus the order of the curve': tokenWithSignature(addOrder()),
	...Object.fromEntries(
		[0, 31, 32, 63].map((index) => [
			`a signature with a changed bit in byte ${index}`,
			flipBit(index),
		]),
	),
	'a signature of the header alone': signOtherText(header),
	'a signature of the payload alone': signOtherText(payload),
	'a signature of header and payload without a dot': signOtherText(header + payload),
	'a signature of header and payload before encoding': signOtherText(
		`{"alg":"EdDSA"}.${JSON.stringify(claims)}`,
	),
	'a signature of an empty text': signOtherText(''),
	'a signature of the whole token': signOtherText(validTokenParts.join('.')),
});
