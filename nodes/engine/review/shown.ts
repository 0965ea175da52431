/**
 * What a reader does not see, or sees as something else: controls and line breaks, what turns the direction of writing, what
 * has no width, blanks that are not blanks, strokes through other characters, long runs of blanks that push something out of
 * sight, and bullets: at the start of a wrapped line they would look like the start of a row.
 */
const DECEPTIVE =
	/[\p{C}\p{Zl}\p{Zp}\p{Me}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|[\u0334-\u0338]|[\u20d0-\u20ff]|[\u1ce2-\u1ce8]|\u1cd4|[\u{1d165}-\u{1d169}]|[\u2022\u2023\u2043\u2219\u22c4\u25c6\u25c7\u25ca\u25cf\u25e6\u26ab\u2981\u2b25\u2b26]|(?! )\p{Zs}|(?<= {3}) /gu;
const INDENT = /\n\s*/g;
const HEX_DIGITS = 4;

/** Words of letters that run from right to left (blocks of the bidirectional classes R, AL and AN), and what joins them. */
const RIGHT_TO_LEFT =
	/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}](?:[ \p{M}'’.,;:!?-]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])*/gu;
/** LEFT-TO-RIGHT ISOLATE, RIGHT-TO-LEFT ISOLATE and POP DIRECTIONAL ISOLATE. */
const [LRI, RLI, PDI] = ['\u2066', '\u2067', '\u2069'];

/**
 * A value as a person reads it, with nothing in it that cannot be seen. A plain text stands as it is; anything else, and a text
 * that would look like something else, stands as JSON with escapes. So no two values look alike: what is JSON gives the value
 * back, and what is not is the value itself, once the isolates around letters that run from right to left are taken off.
 */
export const shown = (value: unknown): string => isolated(visible(value));

/** The same without isolates, for texts that are cut before they are shown. */
export function visible(value: unknown): string {
	if (typeof value === 'string' && isPlain(value)) return value;
	return JSON.stringify(value ?? null, null, 1)
		.replace(INDENT, ' ')
		.replace(DECEPTIVE, toEscapes);
}

/**
 * Keeps letters that run from right to left from reordering the digits and signs around them (Unicode Annex 9): the words of
 * such letters are isolated one by one, and the value is isolated from whatever an app shows beside it.
 */
export function isolated(text: string): string {
	const separated = text.replace(RIGHT_TO_LEFT, `${RLI}$&${PDI}`);
	return separated === text ? text : `${LRI}${separated}${PDI}`;
}

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
