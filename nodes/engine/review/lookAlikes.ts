/**
 * Characters that look like a Latin letter and that NFKC does not turn into that letter: Greek, Cyrillic, Armenian,
 * Cherokee, Lisu and Coptic letters, small capitals, letters with a stroke, 0, 1 and signs. This is a selection of Unicode's
 * confusables (UTS #39) and not complete. It covers only the letters in the texts that `toSkeleton` is used to protect.
 * Capitals and small letters are listed where their shapes differ: the Greek Μ looks like M, and μ like u.
 */
const LOOK_ALIKES: Record<string, string> = {
	a: 'аαɑᴀᎪꓮⲁ⍺',
	c: 'сϲᴄᏟꓚⲥ',
	d: 'ԁᏧᎠꓓꓒᴅɖđժ',
	e: 'еεϵɛєҽ℮ᴇᎬꓰⲉɇ',
	l: 'iіιıɪɩӏǀ|!¦∣ⵏⲓꓲᎥʟᏞꓡłɫɭƖ1',
	m: 'мΜᴍᎷꓟⲙ',
	n: 'пηΝոռɴꓠɳ',
	o: 'оοσօᴏꓳⲟø0',
	p: 'рρᴘᏢꓑⲣƿ',
	q: 'ԛգզ',
	r: 'гᴦʀꭇᎡᏒꓣⲅ',
	s: 'ѕꜱᏚꓢƽ',
	t: 'тτᴛᎢꓔⲧ',
	u: 'υսʋᴜꓴᏌμ',
	v: 'νѵᴠᏙꓦ∨⋁',
};
const LETTERS = new Map(
	Object.entries(LOOK_ALIKES).flatMap(([letter, alikes]) =>
		[...alikes].map((lookAlike) => [lookAlike, letter] as const),
	),
);
/** Characters that add nothing to the shape of a text: invisible ones, accents, spaces, punctuation and signs. */
const SHAPELESS = /\p{Default_Ignorable_Code_Point}|[^\p{L}\p{N}]/gu;

const toLetter = (character: string) => LETTERS.get(character) ?? character;

/**
 * Returns a text reduced to its shape, as a skeleton in UTS #39: texts that look alike have the same skeleton. Skeletons are
 * only for comparison. Case, accents, spaces and punctuation do not matter; i, l, 1 and | are one letter, and so are o and
 * 0.
 */
export const toSkeleton = (text: string): string =>
	[...text.normalize('NFKD')]
		.map((character) => toLetter(toLetter(character).toLowerCase()))
		.join('')
		.replace(SHAPELESS, '')
		// In most fonts, "rn" looks like "m".
		.replaceAll('rn', 'm');
