/**
 * What a reader does not see, or sees as something else: controls and line breaks, what turns the direction of writing, what
 * has no width, blanks that are not blanks, strokes through other characters, and long runs of blanks that push something out of sight.
 */
const UNSEEN =
	/[\p{C}\p{Zl}\p{Zp}\p{Me}\p{Default_Ignorable_Code_Point}\u0334-\u0338\u2800]|(?! )\p{Zs}|(?<= {3}) /gu;
const INDENT = /\n\s*/g;
const UNIT_HEX = 4;

/**
 * A value as a person reads it, with nothing in it that cannot be seen. A plain text stands as it is; anything else, and a text
 * that would look like something else, stands as JSON with escapes. So no two values look alike: what is JSON gives the value
 * back, and what is not is the value itself.
 */
export function shown(value: unknown): string {
	if (typeof value === 'string' && isPlain(value)) return value;
	return JSON.stringify(value ?? null, null, 1)
		.replace(INDENT, ' ')
		.replace(UNSEEN, escaped);
}

const isPlain = (text: string) => text === text.trim() && text.search(UNSEEN) < 0 && !isJson(text);

function isJson(text: string): boolean {
	if (text === '') return true;
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

const escaped = (character: string) =>
	character
		.split('')
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(UNIT_HEX, '0')}`)
		.join('');
