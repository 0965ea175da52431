/** Encodes each character by a function of its code point. */
const eachCharacter = (encode: (codePoint: number) => string) => (text: string) =>
	Array.from(text, (character) => encode(character.codePointAt(0)!)).join('');

const eachByte = (encode: (hex: string) => string) => (text: string) =>
	Array.from(Buffer.from(text), (byte) => encode(byte.toString(16).padStart(2, '0'))).join('');

const replaceAll = (replacements: Record<string, string>) => (text: string) =>
	Array.from(text, (character) => replacements[character] ?? character).join('');

/** Encodes a text after some bytes, so that the text begins at another position of a base64 quantum. */
const base64After = (prefix: string, encoding: 'base64' | 'base64url') => (text: string) =>
	Buffer.from(prefix + text).toString(encoding);

const escapeHtml = replaceAll({
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
});

/** Encodings in which a service may repeat what it received. */
export const secretEncodings: Record<string, (text: string) => string> = {
	'percent-encoding': encodeURIComponent,
	'percent-encoding in lower case': (text) =>
		encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
	'percent-encoding of every byte': eachByte((hex) => `%${hex.toUpperCase()}`),
	'form encoding': (text) => new URLSearchParams([['', text]]).toString().slice(1),
	JSON: (text) => JSON.stringify(text).slice(1, -1),
	'JSON with escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'JSON in ASCII': (text) =>
		Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
			.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
			.join(''),
	HTML: escapeHtml,
	'HTML with names': replaceAll({
		'&': '&amp;',
		'<': '&LT;',
		'>': '&GT;',
		'"': '&QUOT;',
		"'": '&apos;',
		'+': '&plus;',
		'/': '&sol;',
		'\\': '&bsol;',
		'=': '&equals;',
		'%': '&percnt;',
		'@': '&commat;',
		'#': '&num;',
		_: '&lowbar;',
		'\n': '&NewLine;',
	}),
	'HTML in decimal': eachCharacter((codePoint) => `&#${codePoint};`),
	'HTML in hexadecimal': eachCharacter((codePoint) => `&#x${codePoint.toString(16)};`),
	'HTML in padded hexadecimal': eachCharacter(
		(codePoint) => `&#X${codePoint.toString(16).toUpperCase().padStart(6, '0')};`,
	),
	base64: base64After('', 'base64'),
	'base64 after one byte': base64After('x', 'base64'),
	'base64 after two bytes': base64After('xy', 'base64'),
	'base64 without padding': (text) => base64After('', 'base64')(text).replace(/=+$/, ''),
	'base64 in lines': (text) => base64After('user:', 'base64')(text).replace(/.{76}/g, '$&\r\n'),
	'base64 in a path': (text) => `/keys/v1/${base64After('', 'base64')(text)}/check`,
	base64url: base64After('', 'base64url'),
	'base64url after one byte': base64After('x', 'base64url'),
	'base64url after two bytes': base64After('xy', 'base64url'),
};

/** Returns the forms of a secret in these encodings, whatever was encoded together with it. */
export function encodedForms(secret: string): string[] {
	const forms = Object.entries(secretEncodings).flatMap(([name, encode]) =>
		name.startsWith('base64') ? [] : [encode(secret)],
	);
	for (const prefix of ['', 'x', 'xy']) {
		for (const encoding of ['base64', 'base64url'] as const) {
			// The first and the last quantum depend on the bytes around the secret.
			forms.push(base64After(prefix, encoding)(secret).slice(4, -4));
		}
	}
	return forms;
}
