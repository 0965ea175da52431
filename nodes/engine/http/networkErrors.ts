import { isBlockedBySsrfProtection } from '../n8n/errorNames';
import { isRecord } from '../values/isRecord';

/** Our code for a TLS connection that cannot be established. */
export const INSECURE = 'INSECURE';

/** Our code for a request that Node.js refuses to send, such as one with an invalid header. A retry would fail as well. */
export const UNSENDABLE = 'UNSENDABLE';

/** Our code for a response that violates HTTP or TLS, or cannot be decompressed. */
export const MALFORMED = 'MALFORMED';

/** Our code for a request that n8n's protection against server-side request forgery (SSRF) blocked. */
export const BLOCKED = 'BLOCKED';

/** Returns the code of a network error, ours or Node.js's, even if n8n wrapped the error; '' if there is no code. */
export function networkErrorCode(error: unknown): string {
	if (isBlockedBySsrfProtection(error)) return BLOCKED;
	for (let depth = 0, current = error; depth < 5 && isRecord(current); depth++) {
		const { code, message, cause, errorResponse, syscall } = current;
		const shortCode = typeof code === 'string' ? code : '';
		// These codes concern the response, so the service has received the request.
		if (/BAD_RECORD|DECRYPT|^(HPE|Z)_/.test(shortCode)) return MALFORMED;
		// The connection broke while it was in use, so the service may have received the request.
		if (syscall === 'read' || syscall === 'write') return '';
		if (/CERT|SELF_SIGNED|TLS|SSL|ISSUER|SIGNATURE|EPROTO/.test(shortCode)) return INSECURE;
		if (typeof message === 'string' && /before secure TLS/.test(message)) return INSECURE;
		if (shortCode.startsWith('ERR_INVALID_')) return UNSENDABLE;
		const errorCode = /\bE[A-Z_]{4,}\b/.exec(shortCode)?.[0];
		if (errorCode) return errorCode;
		if (typeof message === 'string' && /timeout/i.test(message)) return 'ECONNABORTED';
		current = cause ?? errorResponse;
	}
	return '';
}
