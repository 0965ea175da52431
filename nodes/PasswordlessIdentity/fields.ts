import { BadInput } from '../engine/errors';
import { collection, field, shownIf } from '../engine/field';
import type { Field, ReadField } from '../engine/field';
import { idReader } from '../engine/http/ids';
import type { IdFormat } from '../engine/http/ids';
import { isFingerprint } from '../engine/token/jwt';
import { isOn, jsonObjectReader } from '../engine/values/convert';
import { toIsoDate } from '../engine/values/dates';
import { isBlank, readTrimmedText } from '../engine/values/texts';
import { OWN_FINGERPRINT, OWN_ISSUER, readExistingToken } from './signing';

const JOB_ID: IdFormat = {
	pattern: /^[\w-]{20}$/,
	description: '20 characters (letters, digits, - and _)',
	advice: () => "Use the 'id' that Scope Job: Issue returned.",
};

/** Example of a fingerprint, shortened because a full one does not fit into n8n's panel. */
export const FINGERPRINT_EXAMPLE = 'e.g. 11qYAYKxCrfVS_7TyWQHOg7…';

/** Reads a text without surrounding white space; undefined if nothing remains. */
export const optionalText: ReadField<string | undefined> = (raw, context, label) =>
	readTrimmedText(raw, context, label) || undefined;

/** Reads a fingerprint. Returns undefined for a blank value; throws BadInput with the reason for an invalid one. */
export function readFingerprint(label: string, raw: unknown): string | undefined {
	const value = typeof raw === 'string' ? raw.trim() : raw;
	if (value === undefined || value === null || value === '') return undefined;
	if (isFingerprint(value)) return value;
	const length = `${typeof value === 'string' ? value : JSON.stringify(value)}`.length;
	const reason = length === 43 ? "this one isn't made of those" : `this one has ${length}`;
	throw new BadInput(
		`'${label}' is not a valid fingerprint`,
		`Fingerprints have 43 characters (letters, digits, - and _); ${reason}. Copy it again from where the key was registered. Nothing was sent.`,
	);
}

/** `readFingerprint` as the `read` function of a field. */
export const optionalFingerprint: ReadField<string | undefined> = (raw, _, label) =>
	readFingerprint(label, raw);

const fingerprintOrOwn: ReadField<string | symbol> = (raw, _, label) =>
	readFingerprint(label, raw) ?? OWN_FINGERPRINT;

export const fingerprint = field({
	displayName: 'Fingerprint',
	name: 'fingerprint',
	type: 'string',
	default: '',
	required: true,
	placeholder: FINGERPRINT_EXAMPLE,
	description: '43 characters, returned when the key was registered',
	builderHint: {
		propertyHint:
			'The fingerprint that Key: Register returned for the person (the field fingerprint of its output). Not a name and not the whole key.',
	},
	read: optionalFingerprint,
	target: { in: 'path', as: 'PK' },
});

export const job = field({
	displayName: 'Job ID',
	name: 'job',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Zk3fT9aQw1LmX7cVb2Ns',
	description: 'The job ID returned by Issue: 20 characters',
	builderHint: {
		propertyHint:
			'The job that Scope Job: Issue returned (the field job of its output). To wait for the result in one step, set wait to true in Issue instead.',
	},
	read: idReader(JOB_ID),
	target: { in: 'path' },
});

/** Selects whether the node signs the token or sends one that was signed elsewhere. */
const useToken = field({
	displayName: 'Token',
	name: 'useToken',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: "Sign With the Credential's Key", value: false },
		{ name: 'Use an Existing Token', value: true, description: 'Send a token signed elsewhere' },
	],
	default: false,
	readWhenBlank: true,
	read: isOn,
});

const existingToken = field({
	displayName: 'Signed Token',
	name: 'token',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	required: true,
	secret: true,
	placeholder: 'e.g. eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI…',
	description: 'The signed token (JWT): three parts separated by dots',
	displayOptions: { show: { useToken: [true] } },
	read: readExistingToken,
});

/**
 * The fields whose values the node signs, with optional values: n8n hides these fields if the user sends an existing token.
 */
type SignedFields<F extends Record<string, Field>> = {
	[K in keyof F]: F[K] extends Field<infer Name, infer Value>
		? Field<Name, Value | undefined>
		: never;
};

/**
 * Builds the fields of an operation whose body is a token: the choice of the token, the fields whose values the node signs, and
 * the existing token, which is sent unchanged.
 */
export function signedFields<F extends Record<string, Field>>(
	fields: F,
	useTokenByDefault = false,
): SignedFields<F> & { useToken: typeof useToken; token: typeof existingToken } {
	const signed = Object.fromEntries(
		Object.entries(fields).map(([name, field]) => [name, shownIf(field, { useToken: [false] })]),
	) as SignedFields<F>; // `shownIf` changes only when a field is shown, so names and value types are kept.
	return { useToken: { ...useToken, default: useTokenByDefault }, token: existingToken, ...signed };
}

/** Claim `sub`. Default: the fingerprint of the credential's key. */
export const ownSubject = field({
	displayName: 'Fingerprint',
	name: 'subject',
	type: 'string',
	default: '',
	placeholder: FINGERPRINT_EXAMPLE,
	description: 'The key that the token is about. Leave empty to use the key in the credential.',
	readWhenBlank: true,
	read: fingerprintOrOwn,
	target: { in: 'claim', as: 'sub' },
});

/** Claim `iss`. Hidden: its value comes from the credential. */
export const ownIssuer = field({
	displayName: 'Issuer',
	name: 'issuer',
	type: 'hidden',
	default: '',
	description: 'The issuer in the credential, or else the fingerprint of its key',
	readWhenBlank: true,
	read: () => OWN_ISSUER,
	target: { in: 'claim', as: 'iss' },
});

const OTHER_CLAIMS = 'Other Claims (JSON)';

const furtherClaims = field({
	displayName: OTHER_CLAIMS,
	name: 'furtherClaims',
	type: 'json',
	default: '{}',
	description:
		'For example {"department": "Sales"}. Fields in this node override claims with the same name.',
	read: (raw) => (isBlank(raw) ? undefined : jsonObjectReader(OTHER_CLAIMS)(raw)),
});

/** Optional claims: those that the operation's contract lists, and any others as JSON. */
export const additionalClaims = <F extends Field[]>(...claims: F) =>
	collection({
		displayName: 'Additional Claims',
		name: 'additionalClaims',
		placeholder: 'Add claim',
		description: 'More claims to include in the token',
		options: [...claims, furtherClaims],
	});

export const deviceToken = field({
	displayName: 'Device Token',
	name: 'devtoken',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	secret: true,
	description: "Push token reported by the phone's app",
	read: optionalText,
	target: { in: 'claim' },
});

export const email = field({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. ada@example.com',
	read: optionalText,
	target: { in: 'claim' },
});

export const phone = field({
	displayName: 'Phone',
	name: 'phone',
	type: 'string',
	default: '',
	placeholder: 'e.g. +14155550123',
	description: 'With the country code',
	read: optionalText,
	target: { in: 'claim' },
});

/** Reads a date as seconds since 1970 (NumericDate, RFC 7519). */
export const epochSeconds: ReadField<number | undefined> = (
	raw,
	{ timezone, onLocalDate },
	label,
) => {
	const iso = toIsoDate(label, raw, timezone, onLocalDate);
	return iso === undefined ? undefined : Math.floor(Date.parse(iso) / 1000);
};

export const verifyOption = field({
	displayName: 'Verify the Token',
	name: 'verify',
	type: 'boolean',
	default: true,
	description:
		'Whether to check the signature of the token against the registered key. If off, any result counts as completed, and its claims are returned as unverified.',
	read: (raw) => raw !== false,
});

export const expectedSubject = field({
	displayName: 'Expected Subject',
	name: 'expectedSubject',
	type: 'string',
	default: '',
	placeholder: FINGERPRINT_EXAMPLE,
	description:
		"Fingerprint of the person who was asked. Answers from anyone else are rejected. Leave empty only if you check 'sub' yourself.",
	rejectBlank: true,
	read: optionalFingerprint,
});
