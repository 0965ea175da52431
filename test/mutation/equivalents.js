// Mutants that nobody could tell from the code as it is, and why. They are not counted; one that is killed all the same, or is
// not found any more, is told at the end of a run. Without `was` and `instead` all mutants of a line are meant.
const of = (file, why, ...lines) => lines.map((line) => ({ file, why, ...line }));

module.exports = [
	...of('http/backoff.ts', 'Any wait is at its longest long before thirty doublings.', {
		code: 'const full = Math.min(maxRetryDelayMs, INITIAL_RETRY_DELAY_MS * 2 ** Math.min(attempts - 1, 30));',
		was: '30',
	}),
	...of('http/backoff.ts', 'No form of a number or a date fits an empty text.', {
		code: 'if (!text) return undefined;',
		was: '!text',
		instead: 'false',
	}),
	...of(
		'http/pages.ts',
		'On the first page all records are new, so that it never counts as repeated.',
		{ code: 'let previous: IDataObject[] = [];' },
		{
			code: 'previous.length > 0 &&',
			was: 'previous.length > 0',
			instead: '(previous.length) >= (0)',
		},
	),
	...of('http/pages.ts', 'Any text serves, as long as it is the same on both pages.', {
		code: "typeof value === 'string' && ISO_DATE.test(value) ? '' : value,",
		was: "''",
	}),
	...of(
		'values/texts.ts',
		'JavaScript writes an exponent only in the one form, and never a small one.',
		{
			code: 'const short = /^(-?)(\\d)\\.?(\\d*)e([+-]\\d+)$/.exec(`${number}`);',
			was: '/^(-?)(\\d)\\.?(\\d*)e([+-]\\d+)$/',
		},
		{ code: 'return power < 0', was: 'power < 0', instead: '(power) <= (0)' },
		{ code: 'return power < 0', was: '0' },
	),
	...of(
		'values/convert.ts',
		'A yes or no would be read from its name, and an object from any word that is none of the known.',
		{
			code: "if (typeof given === 'boolean') return given;",
			was: "typeof given === 'boolean'",
			instead: 'false',
		},
		{ code: "if (typeof given === 'boolean') return given;", was: "'boolean'" },
		{
			code: "const word = typeof given === 'object' ? '' : `${given}`.trim().toLowerCase();",
			was: "''",
		},
	),
	...of('token/jwt.ts', 'What is not base64url does not come back the same.', {
		code: '/^[\\w-]+$/.test(text) &&',
		was: '/^[\\w-]+$/',
	}),
	...of(
		'token/jwt.ts',
		'A token is longer than its claims, and is measured itself; this only spares the work.',
		{
			code: 'if (json.length > MAX_TOKEN_LENGTH) throw tooLargeError(LEAVE_OUT_CLAIMS);',
			instead: 'false',
		},
		{
			code: 'if (json.length > MAX_TOKEN_LENGTH) throw tooLargeError(LEAVE_OUT_CLAIMS);',
			instead: '(json.length) >= (MAX_TOKEN_LENGTH)',
		},
		{
			code: 'if (json.length > MAX_TOKEN_LENGTH) throw tooLargeError(LEAVE_OUT_CLAIMS);',
			instead: ';',
		},
	),
	...of('token/jwt.ts', 'UTF-8 is what Node.js takes without being told.', {
		code: "const token = await new CompactSign(Buffer.from(json, 'utf8'))",
		was: "'utf8'",
	}),
	...of(
		'token/jwt.ts',
		'A text has a first part, and neither text is JSON.',
		{ code: "const header = parseJsonObject(parts[0] ?? '');", was: "''" },
		{ code: "const claims = parseJsonObject(parts[1] ?? '');", was: "''" },
	),
	...of('token/jwt.ts', 'jose has no other code that holds one of these.', {
		code: "if (typeof code === 'string' && /^ERR_JW[ST]_INVALID$/.test(code)) {",
		was: '/^ERR_JW[ST]_INVALID$/',
	}),
	...of('token/jwt.ts', 'jose throws nothing but errors.', {
		code: 'const { code, claim, reason } = isRecord(error) ? error : {};',
		was: 'isRecord(error)',
		instead: 'true',
	}),
	...of('token/keyKinds.ts', 'No name but those is in the table: this is for the compiler.', {
		code: 'export const ALGORITHMS = Object.keys(KEY_SPECS).filter(isAlgorithm);',
	}),
	...of('token/keyKinds.ts', 'Neither text is a key of small order.', {
		code: "const bytesOf = (text = '') => Buffer.from(text, 'base64url');",
		was: "''",
	}),
	...of('token/keyKinds.ts', 'An exponent of no bytes is too short, odd or not.', {
		code: 'const odd = ((bytesOf(jwk.e).at(-1) ?? 0) & 1) === 1;',
		was: '0',
	}),
	...of('token/keyKinds.ts', 'All keys of small order have 32 bytes.', {
		code: 'if (y.length === 32) y[31]! &= 0x7f;',
		was: 'y.length === 32',
		instead: 'true',
	}),
	...of(
		'trigger/ids/core/pace.ts',
		'No id is empty, and the first good answer sets both.',
		{ code: "private lastGood = { id: '', at: -Infinity };", was: "''" },
		{ code: 'private otherGoodAt = -Infinity;' },
	),
	...of(
		'trigger/ids/core/pace.ts',
		'The first fault sets it, and before that there is no gap to shrink.',
		{
			code: 'private gapChangedAt = -Infinity;',
		},
	),
	...of(
		'trigger/ids/core/pace.ts',
		'The first fault ever comes after a quiet without an end, which sets it.',
		{
			code: 'private hasReportedFault = false;',
		},
	),
	...of('trigger/ids/core/pace.ts', 'Any pause is at its longest long before thirty doublings.', {
		code: 'const doubled = intervalMs * 2 ** Math.min(this.faults - 1, 30);',
		was: '30',
	}),
	...of(
		'trigger/ids/core/pace.ts',
		'A pause that ended a moment ago ends nothing sooner.',
		{ code: 'retryAfterMs = 0,', instead: '(-1)' },
		{
			code: 'const asked = Number.isFinite(retryAfterMs) ? Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) : 0;',
			instead: '(-1)',
		},
	),
	...of('trigger/ids/core/queue.ts', 'No two have the same order.', {
		code: 'const before = (a: Item, b: Item): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);',
		instead: '(a.order) <= (b.order)',
	}),
	...of('trigger/ids/core/queue.ts', 'It counts from anywhere.', { code: 'private count = 0;' }),
	...of(
		'trigger/ids/core/queue.ts',
		'What is not in is cleared away at its turn, like one that was moved.',
		{
			code: 'this.heap = [];',
			was: '[]',
		},
	),
	...of(
		'trigger/ids/core/queue.ts',
		'Nothing else comes out if it is cleared out a bit sooner or later.',
		{
			code: 'if (this.heap.length > 2 * this.times.size + 64) {',
			instead: '(this.heap.length) >= (2 * this.times.size + 64)',
		},
		{
			code: 'if (this.heap.length > 2 * this.times.size + 64) {',
			instead: '(2 * this.times.size) - (64)',
		},
		{ code: 'if (this.heap.length > 2 * this.times.size + 64) {', was: '2', instead: '(1)' },
		{ code: 'if (this.heap.length > 2 * this.times.size + 64) {', was: '64' },
	),
	...of(
		'trigger/ids/core/register.ts',
		'Nobody looks for new ids where they were refused.',
		{ code: 'if (problem) return { result: problem, fresh: [] };', was: '[]' },
		{ code: "return { result: rejectAdd('tooMany', message), fresh: [] };", was: '[]' },
	),
	...of('trigger/ids/core/state.ts', 'What is absent is undefined: this is for the compiler.', {
		code: "const retryAfterMs = 'retryAfterMs' in answer ? answer.retryAfterMs : undefined;",
		was: "'retryAfterMs' in answer",
		instead: 'true',
	}),
	...of(
		'trigger/common/core/startLedger.ts',
		'Any wait is at its longest long before thirty doublings.',
		{ code: 'const doubled = FIRST_RETRY_MS * 2 ** Math.min(rejections - 1, 30);', was: '30' },
	),
	...of('trigger/ids/core/state.ts', 'Whoever asks, asks for one of the other two.', {
		code: "return kind === 'credentialRejected' || allPolled ? 'service' : 'either';",
		was: "'either'",
	}),
	...of('trigger/ids/core/loop.ts', 'Nobody reads it.', {
		code: "const WAKE_UP = new Error('awake');",
	}),
];
