/** Letters that Unicode does not decompose to a base letter and an accent, and their usual ASCII spelling. */
const LETTERS: Record<string, string> = {
	đ: 'd',
	ð: 'd',
	ħ: 'h',
	ı: 'i',
	ł: 'l',
	ø: 'o',
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	þ: 'th',
	'’': "'",
	'‘': "'",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
const ACCENTS = /[\u0300-\u036f]/g;

/** Normalizes a text for searches: lower case, without accents. */
export const normalizeForSearch = (text: string): string =>
	text
		.toLowerCase()
		.normalize('NFD')
		.replace(ACCENTS, '')
		.normalize('NFC')
		.replace(LETTER, (letter) => LETTERS[letter]!);
