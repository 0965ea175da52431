import { sign } from 'node:crypto';

import { importKeyOf } from '../../sandbox/passwordlessIdentity.fixture';
import {
	casesFromTokens,
	claims,
	encodeBase64url,
	encodeJson,
	validTokenParts,
	user,
} from './tokenActors';
import type { Case } from './tokenActors';

const [header, payload, signature] = validTokenParts;
const wholeToken = validTokenParts.join('.');
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns another encoding of the same bytes, which is not allowed: sets unused bits in the last letter. */
const setUnusedBits = (text: string): string => {
	const last = text.at(-1)!;
	return text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(last) + 1]!;
};
/** Signs an encoded header and payload as the user, without any change. */
const signText = (head: string, body: string): string => {
	const text = `${head}.${body}`;
	return `${text}.${sign(null, Buffer.from(text), importKeyOf(user).privateKey).toString('base64url')}`;
};
/** Claims whose encoding does not fill its last letter. */
const paddedClaims = { ...claims, pad: '' };
while (JSON.stringify(paddedClaims).length % 3 === 0) paddedClaims.pad += 'x';
const insertAtNine = (text: string, inserted: string) =>
	text.slice(0, 9) + inserted + text.slice(9);

const INSERTIONS: Record<string, string> = {
	'a space': ' ',
	'a line break': '\n',
	'a tab': '\t',
	'a zero-width space': '\u200b',
	'a NUL': '\0',
	'an umlaut': 'ä',
	'a percent sign': '%',
	'an equals sign': '=',
	'a plus': '+',
};

/** Tokens with wrong encodings. */
export const encodings: Case[] = casesFromTokens({
	'padding after the header': `${header}=.${payload}.${signature}`,
	'padding after the payload': `${header}.${payload}=.${signature}`,
	'padding after the signature': `${wholeToken}==`,
	'signed padding': signText(header, `${encodeJson(paddedClaims)}=`),
	'a signature with unused bits set': `${header}.${payload}.${setUnusedBits(signature)}`,
	'a signed payload with unused bits set': signText(
		header,
		setUnusedBits(encodeJson(paddedClaims)),
	),
	'the signature in hexadecimal': `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('hex')}`,
	'encoded once more': encodeBase64url(wholeToken),
	'each part encoded once more': validTokenParts.map((text) => encodeBase64url(text)).join('.'),
	'percent-encoded dots': validTokenParts.join('%2E'),
	'a payload in UTF-16': signText(
		header,
		encodeBase64url(Buffer.from(JSON.stringify(claims), 'utf16le')),
	),
	'a payload with a byte order mark in front': signText(
		header,
		encodeBase64url(`\ufeff${JSON.stringify(claims)}`),
	),
	'a payload that is not UTF-8': signText(
		header,
		encodeBase64url(
			Buffer.concat([Buffer.from('{"sub":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
		),
	),
	'JSON that is not encoded': `{"alg":"EdDSA"}.${JSON.stringify(claims)}.${signature}`,
	...Object.fromEntries(
		Object.entries(INSERTIONS).flatMap(([name, inserted]) => [
			[`${name} in the header`, `${insertAtNine(header, inserted)}.${payload}.${signature}`],
			[`${name} in the payload`, `${header}.${insertAtNine(payload, inserted)}.${signature}`],
			[`${name} in the signature`, `${header}.${payload}.${insertAtNine(signature, inserted)}`],
		]),
	),
});
