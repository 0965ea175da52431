/**
 * Characters that a reader does not see, or mistakes for others: control characters and line breaks, bidirectional controls,
 * zero-width characters, spaces other than U+0020, strokes over other characters, a fourth and further space in a row (long runs
 * push text out of sight), and bullets (at the start of a wrapped line they imitate the start of a row).
 */
const DECEPTIVE =
	/[\p{C}\p{Zl}\p{Zp}\p{Me}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|[\u0334-\u0338]|[\u20d0-\u20ff]|[\u1ce2-\u1ce8]|\u1cd4|[\u{1d165}-\u{1d169}]|[\u2022\u2023\u2043\u2219\u22c4\u25c6\u25c7\u25ca\u25cf\u25e6\u26ab\u2981\u2b25\u2b26]|(?! )\p{Zs}|(?<= {3}) /gu;
const INDENT = /\n\s*/g;
const HEX_DIGITS = 4;

/** Runs of right-to-left words (blocks of the bidirectional classes R, AL and AN) with the punctuation between them. */
const RIGHT_TO_LEFT =
	/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}](?:[ \p{M}'’.,;:!?-]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])*/gu;
/** LEFT-TO-RIGHT ISOLATE, RIGHT-TO-LEFT ISOLATE and POP DIRECTIONAL ISOLATE. */
const [LRI, RLI, PDI] = ['\u2066', '\u2067', '\u2069'];

/**
 * Returns a value as text without invisible characters. A plain string stays as it is; any other value, and a string that
 * could be mistaken for another, becomes JSON with escapes. The mapping is injective, so no two values look the same. Text
 * that parses as JSON is the JSON of the value, and other text is the value itself, apart from the isolates around
 * right-to-left letters.
 */
export const toDisplayText = (value: unknown): string => isolateDirections(escapeInvisible(value));

/**
 * Same as `toDisplayText` without isolates. For text that is shortened before it is shown, because a cut could separate a
 * pair of isolates.
 */
export function escapeInvisible(value: unknown): string {
	if (typeof value === 'string' && isPlain(value)) return value;
	return JSON.stringify(value ?? null, null, 1)
		.replace(INDENT, ' ')
		.replace(DECEPTIVE, toEscapes);
}

/**
 * Prevents right-to-left letters from reordering the digits and signs around them (Unicode Annex 9). Isolates each run of
 * right-to-left words, and isolates the whole value from the text that an app shows next to it.
 */
export function isolateDirections(text: string): string {
	const separated = text.replace(RIGHT_TO_LEFT, `${RLI}$&${PDI}`);
	return separated === text ? text : `${LRI}${separated}${PDI}`;
}

/** Embeddings, overrides and isolates of Unicode Annex 9. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Shows controls of the writing direction as escapes. They could reverse digits, or make a text look like another row. For text
 * whose author may use any other character, such as line breaks.
 */
export const escapeDirectionControls = (text: string): string =>
	text.replace(DIRECTION_CONTROLS, toEscapes);

const isPlain = (text: string) =>
	text === text.trim() && text.search(DECEPTIVE) < 0 && !isJson(text);

function isJson(text: string): boolean {
	if (text === '') return true;
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

const toEscapes = (character: string) =>
	character
		.split('')
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(HEX_DIGITS, '0')}`)
		.join('');
