import { isBlockedBySsrfProtection } from '../n8n/errorNames';
import { isRecord } from '../values/convert';

/** Our code for whatever keeps a secure connection from being made. */
export const INSECURE = 'INSECURE';

/** Our code for a request that cannot even be written, so that another try is pointless. */
export const UNSENDABLE = 'UNSENDABLE';

/** Our code for an answer that breaks the rules of HTTP, or cannot be unpacked. */
export const UNREADABLE = 'UNREADABLE';

/** Our code for a request that n8n's protection against server-side request forgery did not let out. */
export const BLOCKED = 'BLOCKED';

/** The network's short code for what happened, wherever n8n has wrapped it. */
export function networkErrorCode(error: unknown): string {
	if (isBlockedBySsrfProtection(error)) return BLOCKED;
	for (let depth = 0, current = error; depth < 5 && isRecord(current); depth++) {
		const { code, message, cause, errorResponse, syscall } = current;
		const shortCode = typeof code === 'string' ? code : '';
		// These come with an answer, so the request has arrived.
		if (/BAD_RECORD|DECRYPT|^(HPE|Z)_/.test(shortCode)) return UNREADABLE;
		if (syscall === 'read' || syscall === 'write') return '';
		if (/CERT|SELF_SIGNED|TLS|SSL|ISSUER|SIGNATURE|EPROTO/.test(shortCode)) return INSECURE;
		if (typeof message === 'string' && /before secure TLS/.test(message)) return INSECURE;
		if (shortCode.startsWith('ERR_INVALID_')) return UNSENDABLE;
		const known = /\bE[A-Z_]{4,}\b/.exec(shortCode)?.[0];
		if (known) return known;
		if (typeof message === 'string' && /timeout/i.test(message)) return 'ECONNABORTED';
		current = cause ?? errorResponse;
	}
	return '';
}
