import { sign } from 'node:crypto';

import { importKeyOf } from '../../sandbox/passwordlessIdentity.fixture';
import {
	asTokens,
	claims,
	encoded,
	mallory,
	encodedJson,
	signedBy,
	stranger,
	user,
} from './tokenActors';
import type { Case } from './tokenActors';

/** Headers that point at a key of the attacker's, who signs. */
const POINTERS: Record<string, object> = {
	'the key itself': { jwk: mallory.publicJwk },
	'the key with its private half': { jwk: mallory.privateJwk },
	'an address of keys': { jku: 'http://127.0.0.1:9/keys' },
	'an address of a certificate': { x5u: 'http://127.0.0.1:9/certificate' },
	'a certificate': { x5c: ['MIIBszCCAVmgAwIBAgIUZXZpbA=='] },
	'the print of a certificate': { x5t: encoded('certificate') },
	'the fingerprint of the one who signed': { kid: mallory.fingerprint },
	'the fingerprint of the one who was asked': { kid: user.fingerprint },
	'a path': { kid: '../../../dev/null' },
	'a query': { kid: "x' UNION SELECT 'key" },
	'a number for a name': { kid: 0 },
	'an object for a name': { kid: { $ne: null } },
	'a list of names': { kid: [user.fingerprint, mallory.fingerprint] },
	'another kind of token': { typ: 'at+jwt' },
	'a token within': { cty: 'JWT' },
	compression: { zip: 'DEF' },
	'a nonce': { nonce: 'x', url: 'https://example.com' },
};

/** Demands in the header of a token that the user really signed. */
const DEMANDS: Record<string, object> = {
	'an unknown extension': { crit: ['evil'], evil: true },
	'an extension that is not there': { crit: ['exp'] },
	'no extension at all': { crit: [] },
	'something that is no list': { crit: 'b64' },
	'a list of numbers': { crit: [1] },
	'an empty name': { crit: [''] },
	'a standard name': { crit: ['alg'] },
	'an unencoded payload': { crit: ['b64'], b64: false },
	'an encoding that is neither': { crit: ['b64'], b64: 'no' },
};

/** A payload that is signed as it is and not as it is written. */
const unencodedToken = (
	header: object,
	payloadText: string,
	signedText = JSON.stringify(claims),
) => {
	const text = Buffer.from(`${encodedJson({ alg: 'EdDSA', ...header })}.${signedText}`);
	return `${encodedJson({ alg: 'EdDSA', ...header })}.${payloadText}.${sign(null, text, importKeyOf(user).privateKey).toString('base64url')}`;
};
const twice = (header: string) => {
	const text = `${encoded(header)}.${encodedJson(claims)}`;
	return `${text}.${sign(null, Buffer.from(text), importKeyOf(mallory).privateKey).toString('base64url')}`;
};

/** Tokens whose header attempts an attack. */
export const headers: Case[] = asTokens({
	...Object.fromEntries(
		Object.entries(POINTERS).flatMap(([name, header]) => [
			[`points at ${name}, signed by another`, signedBy(mallory, claims, header)],
			[`points at ${name}, signed by a stranger`, signedBy(stranger, claims, header)],
		]),
	),
	...Object.fromEntries(
		Object.entries(DEMANDS).map(([name, header]) => [
			`demands ${name}`,
			signedBy(user, claims, header),
		]),
	),
	'an unencoded payload that is demanded': unencodedToken(
		{ crit: ['b64'], b64: false },
		encodedJson(claims),
	),
	'an unencoded payload that is only named': unencodedToken({ b64: false }, encodedJson(claims)),
	'an unencoded payload as it is': unencodedToken({ b64: false }, JSON.stringify(claims)),
	'an algorithm twice, the last one none': twice('{"alg":"EdDSA","alg":"none"}'),
	'an algorithm twice, the last one right': twice('{"alg":"none","alg":"EdDSA"}'),
});
