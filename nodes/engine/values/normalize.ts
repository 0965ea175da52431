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

/** Characters without a visible form, such as direction marks and zero-width spaces. Users copy them without noticing. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Normalizes a name for comparison: case, accents, invisible characters, and surrounding or repeated spaces do not matter.
 * Returns '' if the text has no visible character. Converts to upper case first, because lower case alone keeps letters
 * apart that share an upper-case form, such as the two forms of the Greek sigma.
 */
export const normalizeName = (text: string): string =>
	normalizeForSearch(text.replace(INVISIBLE, '').toUpperCase()).replace(/\s+/g, ' ').trim();
