import { sign } from 'node:crypto';

import { importKeyOf } from '../../sandbox/passwordlessIdentity.fixture';
import { asTokens, claims, encoded, encodedJson, parts, user } from './tokenActors';
import type { Case } from './tokenActors';

const [header, payload, signature] = parts;
const whole = parts.join('.');
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The same bytes in a spelling that is not allowed: bits that count for nothing are set in the last letter. */
const sloppy = (text: string): string => {
	const last = text.at(-1)!;
	return text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(last) + 1]!;
};
/** A payload that does not fill its last letter, signed by the user as it stands. */
const signedText = (head: string, body: string): string => {
	const text = `${head}.${body}`;
	return `${text}.${sign(null, Buffer.from(text), importKeyOf(user).privateKey).toString('base64url')}`;
};
const padded = { ...claims, pad: '' };
while (JSON.stringify(padded).length % 3 === 0) padded.pad += 'x';
const insertAtNine = (text: string, inserted: string) =>
	text.slice(0, 9) + inserted + text.slice(9);

const BLANKS: Record<string, string> = {
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
export const encodings: Case[] = asTokens({
	'padding after the header': `${header}=.${payload}.${signature}`,
	'padding after the payload': `${header}.${payload}=.${signature}`,
	'padding after the signature': `${whole}==`,
	'padding that was signed': signedText(header, `${encodedJson(padded)}=`),
	'a sloppy signature': `${header}.${payload}.${sloppy(signature)}`,
	'a sloppy payload that was signed': signedText(header, sloppy(encodedJson(padded))),
	'the signature in hexadecimal': `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('hex')}`,
	'encoded once more': encoded(whole),
	'each part encoded once more': parts.map((text) => encoded(text)).join('.'),
	'percent-encoded dots': parts.join('%2E'),
	'a payload in UTF-16': signedText(
		header,
		encoded(Buffer.from(JSON.stringify(claims), 'utf16le')),
	),
	'a payload with a mark in front': signedText(header, encoded(`\ufeff${JSON.stringify(claims)}`)),
	'a payload that is not UTF-8': signedText(
		header,
		encoded(Buffer.concat([Buffer.from('{"sub":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])),
	),
	'JSON that is not encoded': `{"alg":"EdDSA"}.${JSON.stringify(claims)}.${signature}`,
	...Object.fromEntries(
		Object.entries(BLANKS).flatMap(([name, inserted]) => [
			[`${name} in the header`, `${insertAtNine(header, inserted)}.${payload}.${signature}`],
			[`${name} in the payload`, `${header}.${insertAtNine(payload, inserted)}.${signature}`],
			[`${name} in the signature`, `${header}.${payload}.${insertAtNine(signature, inserted)}`],
		]),
	),
});
