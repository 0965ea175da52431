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
const unfoldable: Record<string, string> = {
	ß: 'ss',
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ı: 'i',
	æ: 'ae',
};

/** Reduces a text to lower-case ASCII letters and digits, without accents; other characters become `separator`. */
export function asciiFold(text: string, separator = ''): string {
	return text
		.toLowerCase()
		.normalize('NFKD')
		.replace(/[ßøłđıæ]/g, (letter) => unfoldable[letter]!)
		.replace(/['’\u0300-\u036f]/g, '')
		.replace(/[^a-z0-9]+/g, separator);
}

/** Returns a random generator that depends only on its arguments: any record can be generated without the others. */
export function randomFor(seed: number, purpose: number, index: number): Random {
	const mixed =
		Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^
		Math.imul(purpose + 1, 0xc2b2ae35) ^
		Math.imul(index + 1, 0x27d4eb2f);
	return createRandom(mixed ^ (mixed >>> 15));
}

const folded = new Map<string, string>();
function foldOnce(text: string, separator: string): string {
	let result = folded.get(text);
	if (result === undefined) folded.set(text, (result = asciiFold(text, separator)));
	return result;
}

/** Generates one person. */
export function makePerson(random: Random): Person {
	const from = random.pick(regions);
	const firstName = random.pick(from.first);
	const lastName = random.pick(from.last);
	const company = `${random.pick(companyStems)} ${random.pick(companyKinds)}`;
	const title = random.pick(jobTitles);
	const local = `${foldOnce(firstName, '')}.${foldOnce(lastName, '')}`;
	return {
		firstName,
		lastName,
		email: `${local}@${foldOnce(company, '-')}.example`,
		phone: `${from.prefix} 555 01${random.int(0, 99).toString().padStart(2, '0')}`,
		company,
		title,
		country: from.country,
	};
}
