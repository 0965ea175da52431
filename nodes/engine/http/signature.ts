import { createHmac, timingSafeEqual } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Service } from './types';

/** The header in which this pack's own nodes prove to a trigger who they are, without sending the secret. */
export const SIGNATURE_HEADER = 'X-Gatehouse-Signature';
/** How far the clocks of two machines may be apart, and how long a message may be on its way, in either direction. */
const TOLERANCE_S = 5 * 60;
/** Says what a key that is derived from another secret is for, so that it is good for nothing else. */
const DERIVED_KEY_PURPOSE = 'gatehouse: handing an ID to a trigger, v1';
/** The path comes last, since it may hold commas. */
const HEADER_FORMAT = /^t=(\d{1,12}),v1=([0-9a-f]{64}),path=(\/.*)$/;

/** What a credential lets one prove. */
export interface Keys {
	/** What others must send; empty if nobody has agreed on anything with them. */
	secret: string;
	/** What this pack's own nodes sign with; empty if there is nothing. */
	signing: string | Buffer;
}

/**
 * The keys of a credential. Who has the same credential, or at least the same Trigger Secret, can sign. Without one they have a
 * key in common that is derived from what the credential holds anyway, so that handing over needs no set-up.
 */
export function keysOf(service: Service, credential: ICredentialDataDecryptedObject): Keys {
	const textOf = (name: string | undefined) =>
		name === undefined ? '' : String(credential[name] ?? '');
	const secret = textOf('triggerSecret');
	const own = textOf(service.secrets.find((name) => name !== 'triggerSecret'));
	const derived = own && createHmac('sha256', own).update(DERIVED_KEY_PURPOSE).digest();
	return { secret, signing: secret || derived };
}

/** Signs a body for an address, as the value of the header. */
export function sign(
	url: string,
	body: string | Buffer,
	key: Keys['signing'],
	now = Date.now(),
): string {
	const timestamp = `${Math.floor(now / 1000)}`;
	const path = new URL(url).pathname;
	return `t=${timestamp},v1=${digest(timestamp, path, body, key).toString('hex')},path=${path}`;
}

/** What a signature turns out to be: good, of another key, for another trigger, or of another time. */
export type SignatureCheck = 'good' | 'wrong' | 'elsewhere' | 'untimely';

/**
 * Checks a signature. The path that was signed comes along, since the two sides may see different ones: a proxy may add or drop
 * what stands before it, n8n may call its webhooks otherwise, and test URLs do. What is the same everywhere is the id that
 * n8n has given to the webhook, one segment of the path: by it a message for one trigger is none for another.
 */
export function verify(
	header: string,
	body: string | Buffer,
	key: Keys['signing'],
	webhookId: string,
	now = Date.now(),
): SignatureCheck {
	const [, timestamp, signature, path] = HEADER_FORMAT.exec(header) ?? [];
	if (!timestamp || !signature || !path || key.length === 0) return 'wrong';
	if (!timingSafeEqual(Buffer.from(signature, 'hex'), digest(timestamp, path, body, key)))
		return 'wrong';
	const segments = path.split('/').filter(Boolean).map(decodeSegment);
	if (!segments.includes(webhookId)) return 'elsewhere';
	return Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_S ? 'good' : 'untimely';
}

const digest = (
	timestamp: string,
	path: string,
	body: string | Buffer,
	key: Keys['signing'],
): Buffer => createHmac('sha256', key).update(`v1\n${timestamp}\n${path}\n`).update(body).digest();

function decodeSegment(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
