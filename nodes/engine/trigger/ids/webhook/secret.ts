import { createHash, timingSafeEqual } from 'crypto';

const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();

/** Compares two secrets in constant time, which reveals neither where they differ nor their lengths. */
export const secretsMatch = (actual: string, expected: string): boolean =>
	timingSafeEqual(digest(actual), digest(expected));
