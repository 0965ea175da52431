import { createHash } from 'node:crypto';
import { generateSync, ScureBase32Plugin, verifySync } from 'otplib';

const base32 = new ScureBase32Plugin();
const PERIOD_SECONDS = 30;
const CODE_DIGITS = 6;

/** Returns the authenticator secret of a phone number: 20 bytes in base32, the same at every start. */
export function deriveSecret(phone: string): string {
	const hash = createHash('sha256').update(`gatehouse sandbox totp: ${phone}`).digest();
	return base32.encode(new Uint8Array(hash.subarray(0, 20)));
}

/** Returns the app's current code (RFC 6238, six digits) and its remaining lifetime. */
export function computeCurrentCode(
	secret: string,
	now: number,
): { code: string; secondsLeft: number } {
	const epoch = Math.floor(now / 1000);
	return {
		code: generateSync({ secret, epoch, period: PERIOD_SECONDS, digits: CODE_DIGITS }),
		secondsLeft: PERIOD_SECONDS - (epoch % PERIOD_SECONDS),
	};
}

/** Whether this is the app's current, previous or next code. */
export function isCurrentCode(secret: string, token: string, now: number): boolean {
	if (token.length !== CODE_DIGITS) return false;
	const epoch = Math.floor(now / 1000);
	return verifySync({
		secret,
		token,
		epoch,
		period: PERIOD_SECONDS,
		digits: CODE_DIGITS,
		epochTolerance: PERIOD_SECONDS,
	}).valid;
}
