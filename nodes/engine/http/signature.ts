import { createHmac, timingSafeEqual } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Service } from './types';

/** Header in which this pack's own nodes authenticate to a trigger without sending the secret. */
export const SIGNATURE_HEADER = 'X-Gatehouse-Signature';
/** Tolerance in either direction, for clock skew between two machines and for the time that a message travels. */
const TOLERANCE_S = 5 * 60;
/** Binds a key that is derived from another secret to this purpose, so that the key is useless for any other. */
const DERIVED_KEY_PURPOSE = 'gatehouse: handing an ID to a trigger, v1';
/** The path comes last, because it may contain commas. */
const HEADER_FORMAT = /^t=(\d{1,12}),v1=([0-9a-f]{64}),path=(\/.*)$/;

/** Keys of a credential that authenticate callers of a trigger. */
export interface SubmissionKeys {
	/** Trigger Secret that callers outside this pack must send; empty if the user has set none. */
	secret: string;
	/** Key that this pack's own nodes sign with; empty if the credential contains no secret. */
	signing: string | Buffer;
}

/**
 * Returns the keys of a credential. A node with the same credential, or at least the same Trigger Secret, can sign. Without a
 * Trigger Secret the key is derived from another secret of the credential, so that submitting needs no set-up.
 */
export function keysOf(
	service: Service,
	credential: ICredentialDataDecryptedObject,
): SubmissionKeys {
	const textOf = (name: string | undefined) =>
		name === undefined ? '' : String(credential[name] ?? '');
	const secret = textOf('triggerSecret');
	const ownSecret = textOf(service.secretFields.find((name) => name !== 'triggerSecret'));
	const derived = ownSecret && createHmac('sha256', ownSecret).update(DERIVED_KEY_PURPOSE).digest();
	return { secret, signing: secret || derived };
}

/** Signs a body for a webhook URL. Returns the value of the header. */
export function signSubmission(
	url: string,
	body: string | Buffer,
	key: SubmissionKeys['signing'],
	now = Date.now(),
): string {
	const timestamp = `${Math.floor(now / 1000)}`;
	const path = new URL(url).pathname;
	return `t=${timestamp},v1=${digest(timestamp, path, body, key).toString('hex')},path=${path}`;
}

/**
 * Result of a check: valid; malformed or signed with another key; signed for another trigger; outside the time tolerance.
 */
export type SignatureStatus = 'valid' | 'invalid' | 'otherTrigger' | 'outsideTolerance';

/**
 * Verifies a signature. The header contains the signed path, because sender and receiver may see different paths: a proxy
 * may add or remove a prefix, n8n's webhook paths can be configured, and test URLs have a path of their own. The webhook ID,
 * one segment of the path, is the same everywhere. Checking it keeps a message for one trigger from being valid for another.
 */
export function verifySubmission(
	header: string,
	body: string | Buffer,
	key: SubmissionKeys['signing'],
	webhookId: string,
	now = Date.now(),
): SignatureStatus {
	const [, timestamp, signature, path] = HEADER_FORMAT.exec(header) ?? [];
	if (!timestamp || !signature || !path || key.length === 0) return 'invalid';
	if (!timingSafeEqual(Buffer.from(signature, 'hex'), digest(timestamp, path, body, key)))
		return 'invalid';
	const segments = path.split('/').filter(Boolean).map(decodeSegment);
	if (!segments.includes(webhookId)) return 'otherTrigger';
	return Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_S ? 'valid' : 'outsideTolerance';
}

const digest = (
	timestamp: string,
	path: string,
	body: string | Buffer,
	key: SubmissionKeys['signing'],
): Buffer => createHmac('sha256', key).update(`v1\n${timestamp}\n${path}\n`).update(body).digest();

function decodeSegment(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
