import { normalizePhone } from '../phoneBus';
import { TwoFactorError } from './errors';

/** A phone number as the service stores it. */
export interface PhoneNumber {
	/** Number such as +12025550143, the form in which numbers are compared. */
	phone: string;
	countryCode: string;
	/** Digits without the country code. */
	national: string;
}

/** Numbers that end in these digits cause an error: the last two digits are those of the error code. */
const magicEndings = { landline: '0182', notProvisioned: '0183' };

/** Parses a number with any separators. Undefined if it has too few or too many digits. */
export function parsePhoneNumber(code: string | number, number: string): PhoneNumber | undefined {
	const countryCode = String(code);
	const national = number.replace(/\D/g, '');
	const digitCount = national.length + countryCode.length;
	if (national.length < 5 || digitCount < 7 || digitCount > 15) return undefined;
	return { phone: normalizePhone(`${countryCode}${national}`), countryCode, national };
}

/** Parses a number; fails with 60033 if it is invalid. */
export function requirePhoneNumber(countryCode: string | number, phoneNumber: string): PhoneNumber {
	const number = parsePhoneNumber(countryCode, phoneNumber);
	if (!number) throw new TwoFactorError('60033', { phone_number: 'is invalid' });
	return number;
}

export function isLandline({ national }: PhoneNumber): boolean {
	return national.endsWith(magicEndings.landline);
}

/** Returns the name of the number's carrier. */
export function getCarrierName(number: PhoneNumber): string {
	return isLandline(number) ? 'Sandbox Landline' : 'Sandbox Mobile';
}

/** Fails with 60082 or 60083 if a message cannot be delivered. A landline can be called. */
export function checkDeliverable(number: PhoneNumber, via: 'sms' | 'call'): void {
	if (via === 'sms' && isLandline(number)) throw new TwoFactorError('60082');
	if (number.national.endsWith(magicEndings.notProvisioned)) throw new TwoFactorError('60083');
}

/** Hides all but the last two digits, as in +1-XXX-XXX-XX43. */
export function maskNumber({ countryCode, national }: PhoneNumber): string {
	return `+${countryCode}-XXX-XXX-XX${national.slice(-2)}`;
}

/** Hides all but the last four digits, as in XXX-XXX-0143. */
export function maskNationalNumber({ national }: PhoneNumber): string {
	return `XXX-XXX-${national.slice(-4)}`;
}
