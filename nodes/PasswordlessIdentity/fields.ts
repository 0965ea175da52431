import { toIsoDate } from '../engine/values/dates';
import { BadInput } from '../engine/errors';
import { isFingerprint } from '../engine/token/jwt';
import type { Call, Field, Target } from '../engine/operation';
import { trimmed } from '../engine/values/texts';
import { OWN_FINGERPRINT, OWN_ISSUER } from './signing';

type Convert = NonNullable<Target['value']>;

const EXAMPLE = 'e.g. 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';

/** A text without the blanks around it; left out when nothing remains. */
export const text = (given: unknown, call: Call, label: string): string | undefined =>
	trimmed(given, call, label) || undefined;

/** Reads a fingerprint; gives nothing when it is blank, and throws BadInput with the reason when it cannot be one. */
export function readFingerprint(label: string, given: unknown): string | undefined {
	const value = typeof given === 'string' ? given.trim() : given;
	if (value === undefined || value === null || value === '') return undefined;
	if (isFingerprint(value)) return value;
	const length = `${typeof value === 'string' ? value : JSON.stringify(value)}`.length;
	const reason = length === 43 ? 'but these are not such' : `this has ${length}`;
	throw new BadInput(
		`${label} is not a key fingerprint`,
		`A fingerprint has 43 characters (letters, digits, "-" and "_"), ${reason}. Copy it again from where the key was registered. Nothing was sent.`,
	);
}

/** The same as what a field does with its value. */
export const fingerprintText =
	(label: string): Convert =>
	(given) =>
		readFingerprint(label, given);

const orOwn =
	(label: string): Convert =>
	(given) =>
		readFingerprint(label, given) ?? OWN_FINGERPRINT;

/** The key to work with, in the path. */
export const fingerprint: Field = {
	displayName: 'Fingerprint',
	name: 'fingerprint',
	type: 'string',
	default: '',
	required: true,
	placeholder: EXAMPLE,
	description: 'The fingerprint of the key: 43 characters, put out when the key was registered',
	target: { in: 'path', as: 'PK', value: fingerprintText('Fingerprint') },
};

/** The job to work with, in the path. */
export const job: Field = {
	displayName: 'Job ID',
	name: 'job',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Zk3fT9aQw1LmX7cVb2Ns',
	description: 'The ID of the scope job, put out when the job was issued',
	target: { in: 'path' },
};

/** Chooses between signing here and a token that was signed elsewhere. */
const useToken: Field = {
	displayName: 'Use a Ready-Made Token',
	name: 'useToken',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to send a token that was signed elsewhere, as it is, instead of signing one with the key in the credential',
};

const readyToken: Field = {
	displayName: 'Token',
	name: 'token',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	required: true,
	secret: true,
	placeholder: 'e.g. eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI…',
	description: 'The signed token (JWT): three parts with dots in between',
	displayOptions: { show: { useToken: [true] } },
};

/**
 * The fields of an operation whose body is a token: those that are signed, or a token that is sent as it is. What is more
 * usual comes first.
 */
export function signedFields(fields: Field[], readyMadeByDefault = false): Field[] {
	const signed = fields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, useToken: [false] } },
	}));
	const readyMade = [{ ...useToken, default: readyMadeByDefault }, readyToken];
	return readyMadeByDefault ? [...readyMade, ...signed] : [...signed, ...readyMade];
}

/** Who a token speaks about: the credential's own key unless told. */
export const ownSubject: Field = {
	displayName: 'Subject',
	name: 'subject',
	type: 'string',
	default: '',
	placeholder: EXAMPLE,
	description:
		'The fingerprint of the key that the token is about. Leave it empty for the key in the credential.',
	target: { in: 'claim', as: 'sub', evenBlank: true, value: orOwn('Subject') },
};

/** Names the signer; nothing to fill in, since the credential knows. */
export const ownIssuer: Field = {
	displayName: 'Issuer',
	name: 'issuer',
	type: 'hidden',
	default: '',
	description: 'Who signs: the issuer in the credential, or else the fingerprint of its key',
	target: { in: 'claim', as: 'iss', evenBlank: true, value: () => OWN_ISSUER },
};

/** Claims that are optional; each operation names those that its contract knows, and free ones can be added. */
export const additionalClaims = (claims: Field[], further = true): Field => ({
	displayName: 'Additional Claims',
	name: 'additionalClaims',
	type: 'collection',
	placeholder: 'Add claim',
	default: {},
	description: 'What else the token says',
	options: further ? [...claims, furtherClaims] : claims,
});

const furtherClaims: Field = {
	displayName: 'Further Claims',
	name: 'furtherClaims',
	type: 'json',
	default: '{}',
	description:
		'Any other claims as JSON, for example {"department": "Sales"}. Fields of this node win over claims of the same name.',
};

/** Where push messages to a phone go. */
export const deviceToken: Field = {
	displayName: 'Device Token',
	name: 'devtoken',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	secret: true,
	description: "The push address of the phone that holds the key, as the phone's app tells it",
	target: { in: 'claim', value: text },
};

/** An email address as a claim. */
export const email: Field = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. ada@example.com',
	description: 'The email address of the person',
	target: { in: 'claim', value: text },
};

/** A phone number as a claim. */
export const phone: Field = {
	displayName: 'Phone',
	name: 'phone',
	type: 'string',
	default: '',
	placeholder: 'e.g. +14155550123',
	description: 'The phone number of the person, with the country code',
	target: { in: 'claim', value: text },
};

/** A moment as the seconds since 1970 that tokens count in. */
export const seconds: Convert = (given, call) => {
	const iso = toIsoDate(given, call.timezone);
	return iso === undefined ? undefined : Math.floor(Date.parse(iso) / 1000);
};

/** Whether tokens that come back are checked. */
export const verifyOption: Field = {
	displayName: 'Verify the Token',
	name: 'verify',
	type: 'boolean',
	default: true,
	description:
		'Whether to check the signature of the token against the registered key. When switched off, any result passes for completed, and its claims are put out as unverified.',
};

/** Who is expected to have signed the result of a job. */
export const expectedSubject: Field = {
	displayName: 'Expected Subject',
	name: 'expectedSubject',
	type: 'string',
	default: '',
	placeholder: EXAMPLE,
	description:
		'The fingerprint of the person who was asked. The result of anybody else is refused. Leave it empty only if you check the claim "sub" yourself.',
};
