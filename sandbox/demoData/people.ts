import { createRandom } from '../random';
import type { Random } from '../random';
import { companyKinds, companyStems, jobTitles, regions } from './names';

/** A person who attends events or is on a contact list. */
export interface Person {
	firstName: string;
	lastName: string;
	email: string;
	phone: string;
	company: string;
	title: string;
	country: string;
}

// NFKD does not decompose these letters.
const asciiByLetter: Record<string, string> = {
	ß: 'ss',
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ı: 'i',
	æ: 'ae',
};

/** Reduces a text to lower-case ASCII letters and digits, without accents; other characters become `separator`. */
export function foldToAscii(text: string, separator = ''): string {
	return text
		.toLowerCase()
		.normalize('NFKD')
		.replace(/[ßøłđıæ]/g, (letter) => asciiByLetter[letter]!)
		.replace(/['’\u0300-\u036f]/g, '')
		.replace(/[^a-z0-9]+/g, separator);
}

/** Returns a random generator that depends only on its arguments: any record can be generated without the others. */
export function createRandomFor(seed: number, purpose: number, index: number): Random {
	const mixedSeed =
		Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^
		Math.imul(purpose + 1, 0xc2b2ae35) ^
		Math.imul(index + 1, 0x27d4eb2f);
	return createRandom(mixedSeed ^ (mixedSeed >>> 15));
}

const foldedTexts = new Map<string, string>();
function foldCached(text: string, separator: string): string {
	const key = `${separator} ${text}`;
	const result = foldedTexts.get(key) ?? foldToAscii(text, separator);
	foldedTexts.set(key, result);
	return result;
}

/** Generates one person. */
export function createPerson(random: Random): Person {
	const region = random.pick(regions);
	const firstName = random.pick(region.firstNames);
	const lastName = random.pick(region.lastNames);
	const company = `${random.pick(companyStems)} ${random.pick(companyKinds)}`;
	const title = random.pick(jobTitles);
	const localPart = `${foldCached(firstName, '')}.${foldCached(lastName, '')}`;
	return {
		firstName,
		lastName,
		email: `${localPart}@${foldCached(company, '-')}.example`,
		phone: `${region.phonePrefix} 555 01${random.int(0, 99).toString().padStart(2, '0')}`,
		company,
		title,
		country: region.country,
	};
}
