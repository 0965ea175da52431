import { KeyError } from './keyKinds';

// Parses PEM and PKCS#8 to tell the user why a private key is rejected, because WebCrypto gives no reason.

/** Creates the error for a key in the right format whose contents cannot be read. */
export const damagedKeyError = (): KeyError =>
	new KeyError(
		'damaged',
		'The private key is damaged or incomplete. Copy it again, from its first to its last character.',
	);

/** A key type in the terms of JWK. */
export interface KeyType {
	kty?: string;
	crv?: string;
}

/** A private key from PEM: its type, its PKCS#8 DER (version 1), and the public key if the file contains it. */
export interface Pkcs8 {
	type: KeyType;
	der: Uint8Array<ArrayBuffer>;
	publicBits?: Buffer;
}

/** Algorithm identifiers of PKCS#8 keys, as hexadecimal DER. The first prefix that matches applies, so order matters. */
const IDENTIFIERS: Array<[der: string, type: KeyType, name: string]> = [
	['06032b6570', { kty: 'OKP', crv: 'Ed25519' }, 'an Ed25519 key'],
	['06032b6571', { kty: 'OKP', crv: 'Ed448' }, 'an Ed448 key'],
	['06032b656e', { kty: 'OKP', crv: 'X25519' }, 'an X25519 key'],
	['06072a8648ce3d020106082a8648ce3d030107', { kty: 'EC', crv: 'P-256' }, 'an EC key on P-256'],
	['06072a8648ce3d020106052b81040022', { kty: 'EC', crv: 'P-384' }, 'an EC key on P-384'],
	['06072a8648ce3d020106052b81040023', { kty: 'EC', crv: 'P-521' }, 'an EC key on P-521'],
	['06072a8648ce3d020106', { kty: 'EC', crv: 'other' }, 'an EC key on another curve'],
	['06092a864886f70d010101', { kty: 'RSA' }, 'an RSA key'],
	['06092a864886f70d01010a', { kty: 'RSA-PSS' }, 'an RSA key for PSS alone'],
	['06072a8648ce380401', { kty: 'DSA' }, 'a DSA key'],
];

/** Prefix of an EC key with explicit curve parameters instead of a named curve. */
const EXPLICIT_CURVE = '06072a8648ce3d020130';

/** Returns the name of a key type for messages. */
export const describeKeyType = ({ kty, crv }: KeyType): string =>
	IDENTIFIERS.find(([, type]) => type.kty === kty && type.crv === crv)?.[2] ??
	(kty === 'EC' ? 'an EC key on another curve' : 'a key of another type');

const CONVERT = 'Convert it with: openssl pkcs8 -topk8 -nocrypt -in key.pem';

const MAKE_NEW = 'Make a new one, for example with: openssl genpkey -algorithm ed25519';

/** PEM labels of blocks that cannot sign tokens, and the message for each. */
const OTHER_BLOCKS: Array<[label: RegExp, message: string]> = [
	[/^PGP /, `This is a PGP key or message, which can't sign tokens. ${MAKE_NEW}`],
	[
		/^(PKCS ?#?7|CMS)\b/,
		'This is a PKCS#7 file: it holds certificates, not the private key. Paste the private key that belongs to them.',
	],
	[
		/^(NEW )?CERTIFICATE REQUEST$/,
		'This is a certificate signing request (CSR): it holds the public key only. Paste the private key that it was made with.',
	],
];

function assertPkcs8(text: string): void {
	const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 #]+)-----/g)].map(([, name]) => name ?? '');
	const label = labels.find((name) => name.endsWith('PRIVATE KEY')) ?? labels[0] ?? '';
	if (label.startsWith('OPENSSH')) {
		throw new KeyError(
			'container',
			`This is an OpenSSH key. Convert a copy of its file with: ssh-keygen -p -m PKCS8 -f copy (with an empty new passphrase), and paste the copy. If that still begins with OPENSSH, ssh-keygen is older than 9.6 and cannot convert Ed25519 keys. ${MAKE_NEW}`,
		);
	}
	const blockAdvice = OTHER_BLOCKS.find(([pattern]) => pattern.test(label))?.[1];
	if (blockAdvice !== undefined) throw new KeyError('container', blockAdvice);
	if (label.startsWith('DSA')) throw unusableKeyError({ kty: 'DSA' });
	if (label.startsWith('ENCRYPTED') || /Proc-Type: *4, *ENCRYPTED/.test(text)) {
		throw new KeyError('encrypted', `This private key is protected by a passphrase. ${CONVERT}`);
	}
	if (label.endsWith('PUBLIC KEY') || label.endsWith('CERTIFICATE')) {
		throw new KeyError(
			'public',
			'This is a public key. Signing needs the private key that belongs to it.',
		);
	}
	if (label !== 'PRIVATE KEY') {
		throw new KeyError(
			'container',
			`This key is not in PKCS#8 form (-----BEGIN PRIVATE KEY-----). ${CONVERT}`,
		);
	}
}

/** Creates the error for a key type that no supported algorithm uses. */
export const unusableKeyError = (type: KeyType): KeyError =>
	new KeyError(
		'type',
		`This is ${describeKeyType(type)}, which no algorithm here can use. ${MAKE_NEW}`,
	);

interface Element {
	tag: number;
	content: Buffer;
	/** Including tag and length. */
	whole: Buffer;
}

/** Parses DER to its sequence of elements. Throws KeyError if the elements do not fill the DER exactly. */
function parseDer(der: Buffer): Element[] {
	const elements: Element[] = [];
	for (let at = 0; at < der.length;) {
		const [tag = 0, first = 0] = der.subarray(at);
		const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
		const start = at + 2 + lengthBytes;
		if (at + 2 > der.length || lengthBytes > 4 || first === 0x80 || start > der.length)
			throw damagedKeyError();
		const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
		const end = start + length;
		if (end > der.length) throw damagedKeyError();
		elements.push({ tag, content: der.subarray(start, end), whole: der.subarray(at, end) });
		at = end;
	}
	return elements;
}

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const OCTETS = 0x04;

/** Encodes a DER sequence. The length field has at most four bytes, and no key needs more. */
function encodeSequence(...parts: Buffer[]): Uint8Array<ArrayBuffer> {
	const content = Buffer.concat(parts);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(content.length);
	const short = length.subarray(length.findIndex((byte) => byte !== 0));
	const head = content.length < 0x80 ? short : [0x80 | short.length, ...short];
	return Buffer.concat([Buffer.from([SEQUENCE, ...head]), content]);
}

/**
 * Reads the private key from PEM, with or without line breaks. Throws KeyError with the reason why the key cannot be used.
 */
export function readPem(text: string): Pkcs8 {
	assertPkcs8(text);
	// Password inputs replace line breaks with spaces or drop them, so white space is ignored.
	const body = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(text)?.[1] ?? '';
	const base64 = body.replace(/\s+/g, '');
	if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) throw damagedKeyError();
	const [outer] = parseDer(Buffer.from(base64, 'base64'));
	if (outer?.tag !== SEQUENCE) throw damagedKeyError();
	const [version, algorithm, key, ...rest] = parseDer(outer.content);
	if (version?.tag !== INTEGER || algorithm?.tag !== SEQUENCE || key?.tag !== OCTETS) {
		throw damagedKeyError();
	}
	const identifier = algorithm.content.toString('hex');
	if (identifier.startsWith(EXPLICIT_CURVE)) {
		throw new KeyError(
			'container',
			'This EC key spells out its curve instead of naming it. Convert it with: openssl pkey -in key.pem -ec_param_enc named_curve',
		);
	}
	const [, type = {}] = IDENTIFIERS.find(([der]) => identifier.startsWith(der)) ?? [];
	// Version 2 appends the public key, and WebCrypto cannot read version 2, so the key is encoded again as version 1.
	const der = encodeSequence(Buffer.from([INTEGER, 1, 0]), algorithm.whole, key.whole);
	return { type, der, publicBits: publicBitsIn(rest) };
}

/** Returns the public key that version 2 may contain. Writers tag it in two ways: primitive (0x81) or constructed (0xa1). */
function publicBitsIn(rest: Element[]): Buffer | undefined {
	const plain = rest.find(({ tag }) => tag === 0x81)?.content;
	const wrapped = rest.find(({ tag }) => tag === 0xa1)?.content;
	const bits = plain ?? (wrapped && parseDer(wrapped)[0]?.content);
	// The first byte of a BIT STRING is the number of unused bits in its last byte.
	return bits?.subarray(1);
}
