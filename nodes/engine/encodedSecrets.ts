/** Bounds the work for a text such as `%252525…`, of which each round decodes a little. */
const MAX_DECODING_ROUNDS = 8;

/** Base64 inside base64 is decoded, too, such as the header of Basic authentication in an encoded request. */
const MAX_BASE64_DEPTH = 2;

/** Patterns of one escaped character: percent-encoded UTF-8, escapes of string literals, character references of HTML. */
const ESCAPES = [
	/%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/,
	/\\u[\da-f]{4}|\\x[\da-f]{2}|\\["'\\/bfnrt]/,
	/&#x[\da-f]{1,12};|&#\d{1,12};|&[a-z]{2,8};/,
];
const ANY_ESCAPE = new RegExp(ESCAPES.map(({ source }) => source).join('|'), 'gi');

/** Base64 or base64url, in one line or several. Text before it, such as a path, may be part of the match. */
const BASE64 = /[\w+/-]+(?:\r?\n[\w+/-]+)*/g;

const CONTROL_CHARACTERS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Names that HTML has for ASCII characters, in lower case, each followed by its character. */
const CHARACTER_NAMES =
	'excl! quot" num# dollar$ percnt% amp& apos\' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave` lcub{ lbrace{ vert| verbar| rcub} rbrace}';
const NAMED_CHARACTERS = new Map(
	['tab\t', 'newline\n', 'nbsp ', ...CHARACTER_NAMES.split(' ')].map((entry) => [
		entry.slice(0, -1),
		entry.slice(-1),
	]),
);

/** Parts of a text, small to large. The smallest kind of part that holds a whole encoded secret is masked. */
const PARTS = [/[^\s"'<>()[\]{}:,;/?&=]+=*/g, /[^\s"',]+/g, /\S+/g];

/**
 * Masks the parts of a text that hold an encoded secret: percent-encoded, escaped as in JSON or HTML, in base64 or base64url
 * at any offset, or in one of these inside another. Masks the whole text if the secret is spread over several parts.
 */
export function maskEncodedSecrets(
	text: string,
	secrets: readonly string[],
	mask: string,
	minLength: number,
): string {
	// A secret may itself look escaped, so its decodings are searched for. Its last character may look like the beginning of an
	// escape together with the text after it, such as a backslash before a quotation mark.
	const decodedSecrets = secrets
		.flatMap((secret) => [...decodings(secret)])
		.map((secret) => secret.replace(/[\\%&]+$/, ''));
	const longEnough = decodedSecrets.filter(({ length }) => length >= minLength);
	const needles = [...new Set(longEnough.map(withoutPluses))];
	const holdsSecret = (part: string) => isIn(part, needles, MAX_BASE64_DEPTH);
	if (needles.length === 0 || !holdsSecret(text)) return text;
	let masked = text;
	for (const part of PARTS) {
		masked = masked.replace(part, (match) => (holdsSecret(match) ? mask : match));
		if (!holdsSecret(masked)) return masked;
	}
	return mask;
}

/** Whether one of the needles is in a text or in a decoding of it. */
function isIn(text: string, needles: readonly string[], base64Depth: number): boolean {
	const minBase64Length = Math.ceil((Math.min(...needles.map(({ length }) => length)) * 4) / 3);
	for (const decoded of decodings(text)) {
		const plain = withoutPluses(decoded);
		if (needles.some((needle) => plain.includes(needle))) return true;
		if (base64Depth === 0) continue;
		for (const [match] of decoded.matchAll(BASE64)) {
			if (match.length < minBase64Length) continue;
			const base64 = match.replace(/\s/g, '');
			// The base64 begins at one of four offsets of a quantum, because the match may have other text before it.
			for (const offset of [0, 1, 2, 3]) {
				const bytes = Buffer.from(base64.slice(offset), 'base64');
				if (isIn(bytes.toString(), needles, base64Depth - 1)) return true;
			}
		}
	}
	return false;
}

/** A form encodes a blank as a plus sign, so the two are compared as equal. */
const withoutPluses = (text: string) => text.replaceAll('+', ' ');

/** Yields a text, then the text with its escaped characters decoded once, twice and so on. */
function* decodings(text: string): Generator<string> {
	let decoded = text;
	for (let round = 0; round <= MAX_DECODING_ROUNDS; round++) {
		yield decoded;
		const next = decoded.replace(ANY_ESCAPE, decodeEscape);
		if (next === decoded) return;
		decoded = next;
	}
}

function decodeEscape(escape: string): string {
	if (escape.startsWith('%')) return Buffer.from(escape.replaceAll('%', ''), 'hex').toString();
	const [, second = ''] = escape;
	if (escape.startsWith('\\')) {
		return escape.length > 2
			? String.fromCharCode(parseInt(escape.slice(2), 16))
			: (CONTROL_CHARACTERS[second] ?? second);
	}
	if (second !== '#') return NAMED_CHARACTERS.get(escape.slice(1, -1).toLowerCase()) ?? escape;
	const codePoint = Number(escape.slice(2, -1).replace(/^x/i, '0x'));
	return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : escape;
}
