import { sign } from 'node:crypto';

import { importKeyOf } from '../../sandbox/passwordlessIdentity.fixture';
import {
	casesFromTokens,
	claims,
	encodeBase64url,
	mallory,
	encodeJson,
	signAs,
	stranger,
	user,
} from './tokenActors';
import type { Case } from './tokenActors';

/** Headers that refer to a key of the attacker, who signs. */
const KEY_REFERENCES: Record<string, object> = {
	'the key itself': { jwk: mallory.publicJwk },
	'the key with its private half': { jwk: mallory.privateJwk },
	'an address of keys': { jku: 'http://127.0.0.1:9/keys' },
	'an address of a certificate': { x5u: 'http://127.0.0.1:9/certificate' },
	'a certificate': { x5c: ['MIIBszCCAVmgAwIBAgIUZXZpbA=='] },
	'the print of a certificate': { x5t: encodeBase64url('certificate') },
	'the fingerprint of the signer': { kid: mallory.fingerprint },
	'the fingerprint of the person who was asked': { kid: user.fingerprint },
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
	'an encoding that is not a boolean': { crit: ['b64'], b64: 'no' },
};

/** Signs a token whose payload is not encoded before signing. */
const signUnencoded = (
	header: object,
	payloadText: string,
	signedText = JSON.stringify(claims),
) => {
	const text = Buffer.from(`${encodeJson({ alg: 'EdDSA', ...header })}.${signedText}`);
	return `${encodeJson({ alg: 'EdDSA', ...header })}.${payloadText}.${sign(null, text, importKeyOf(user).privateKey).toString('base64url')}`;
};
/** Signs a header that contains a name twice, as the attacker. */
const signRepeatedHeader = (header: string) => {
	const text = `${encodeBase64url(header)}.${encodeJson(claims)}`;
	return `${text}.${sign(null, Buffer.from(text), importKeyOf(mallory).privateKey).toString('base64url')}`;
};

/** Tokens whose header attempts an attack. */
export const headers: Case[] = casesFromTokens({
	...Object.fromEntries(
		Object.entries(KEY_REFERENCES).flatMap(([name, header]) => [
			[`refers to ${name}, signed by another person`, signAs(mallory, claims, header)],
			[`refers to ${name}, signed by a stranger`, signAs(stranger, claims, header)],
		]),
	),
	...Object.fromEntries(
		Object.entries(DEMANDS).map(([name, header]) => [
			`demands ${name}`,
			signAs(user, claims, header),
		]),
	),
	'an unencoded payload that is demanded': signUnencoded(
		{ crit: ['b64'], b64: false },
		encodeJson(claims),
	),
	'an unencoded payload that is only named': signUnencoded({ b64: false }, encodeJson(claims)),
	'an unencoded payload in the token': signUnencoded({ b64: false }, JSON.stringify(claims)),
	'an algorithm twice, the second is none': signRepeatedHeader('{"alg":"EdDSA","alg":"none"}'),
	'an algorithm twice, the second is correct': signRepeatedHeader('{"alg":"none","alg":"EdDSA"}'),
});
