import { normalizePhone } from '../phoneBus';
import { Failure } from './failures';

/** A phone number as the service keeps it. */
export interface PhoneNumber {
	/** Such as +12025550143: what numbers are compared by. */
	phone: string;
	countryCode: string;
	/** Digits without the country code. */
	national: string;
}

/** Numbers that end in these digits misbehave: each ends as the error code that it causes. */
export const magicEndings = { landline: '0182', notProvisioned: '0183' };

/** Reads a number with any separators. Undefined when it has too few or too many digits for one. */
export function readNumber(code: string | number, number: string): PhoneNumber | undefined {
	const countryCode = String(code);
	const national = number.replace(/\D/g, '');
	const total = national.length + countryCode.length;
	if (national.length < 5 || total < 7 || total > 15) return undefined;
	return { phone: normalizePhone(countryCode, national), countryCode, national };
}

/** Reads a number; fails with 60033 where it is none. */
export function readPhone(countryCode: string | number, phoneNumber: string): PhoneNumber {
	const number = readNumber(countryCode, phoneNumber);
	if (!number) throw new Failure('60033', { phone_number: 'is invalid' });
	return number;
}

/** Whether the number is a landline. */
export function isLandline({ national }: PhoneNumber): boolean {
	return national.endsWith(magicEndings.landline);
}

/** The name of the number's carrier. */
export function carrierOf(number: PhoneNumber): string {
	return isLandline(number) ? 'Sandbox Landline' : 'Sandbox Mobile';
}

/** Fails with 60082 or 60083 where a message cannot arrive. A landline can be called. */
export function checkDeliverable(number: PhoneNumber, via: 'sms' | 'call'): void {
	if (via === 'sms' && isLandline(number)) throw new Failure('60082');
	if (number.national.endsWith(magicEndings.notProvisioned)) throw new Failure('60083');
}

/** All but the last two digits hidden, as in +1-XXX-XXX-XX43. */
export function masked({ countryCode, national }: PhoneNumber): string {
	return `+${countryCode}-XXX-XXX-XX${national.slice(-2)}`;
}

/** All but the last four digits hidden, as in XXX-XXX-0143. */
export function maskedNational({ national }: PhoneNumber): string {
	return `XXX-XXX-${national.slice(-4)}`;
}
