import { plainText } from '../../engine/values/texts';

/** Decimal places that are kept: more than any currency has. */
const PLACES = 20;

const DECIMAL = new RegExp(`^([+-]?)(\\d+)(?:\\.(\\d{1,${PLACES}}))?$`);

/**
 * Reads a number, or a text with a number, as a whole number of units. Units add up exactly; numbers such as 0.1 and 0.2 do
 * not. Returns undefined for any other value, and for more than 20 decimal places.
 */
export function toUnits(value: unknown): bigint | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const written = DECIMAL.exec(plainText(value)?.trim() ?? '');
	if (!written) return undefined;
	const [, sign, integer, fraction = ''] = written;
	const units = BigInt(`${integer}${fraction.padEnd(PLACES, '0')}`);
	return sign === '-' ? -units : units;
}

/** Converts units back to a number; to text if a number would lose digits. */
export function fromUnits(units: bigint): number | string {
	const digits = `${units < 0n ? -units : units}`.padStart(PLACES + 1, '0');
	const written = `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`.replace(/\.?0+$/, '');
	const text = `${units < 0n ? '-' : ''}${written}`;
	return plainText(Number(text)) === text ? Number(text) : text;
}
