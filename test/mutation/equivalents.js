// Equivalent mutants, which no test can distinguish from the original code, each with the reason. They are not counted. The
// summary reports those that were killed and those whose line no longer exists. Without `was` and `instead` an entry matches
// all mutants of a line.
const of = (file, why, ...lines) => lines.map((line) => ({ file, why, ...line }));

module.exports = [
	...of(
		'engine/quorum/decide.ts',
		'Reminders that are due at this moment were asked for in row 9.',
		{
			code: 'const isReminderAhead = now < reminders.from && reminders.requests.length > 0;',
			was: 'now < reminders.from',
			instead: '(now) <= (reminders.from)',
		},
	),
	...of('engine/quorum/decide.ts', 'With as many left as are needed, no denial is decisive.', {
		code: 'if (reachable < level.needed && decisive) return denialBy(decisive);',
		was: 'reachable < level.needed',
		instead: '(reachable) <= (level.needed)',
	}),
	...of(
		'engine/http/backoff.ts',
		'An empty text matches neither the pattern of a number nor that of a date.',
		{
			code: 'if (!text) return undefined;',
			was: '!text',
			instead: 'false',
		},
	),
	...of(
		'engine/http/pageWalk.ts',
		'All records of the first page are new, so it never counts as repeated.',
		{ code: 'let previousRecords: IDataObject[] = [];' },
		{
			code: 'previousRecords.length > 0 &&',
			was: 'previousRecords.length > 0',
			instead: '(previousRecords.length) >= (0)',
		},
	),
	...of('engine/http/repeatedPages.ts', 'Any text works if it is the same on both pages.', {
		code: "typeof value === 'string' && ISO_DATE.test(value) ? '' : value,",
		was: "''",
	}),
	...of(
		'engine/values/texts.ts',
		'JavaScript formats an exponent in one form only, and never a small exponent.',
		{
			code: 'const short = /^(-?)(\\d)\\.?(\\d*)e([+-]\\d+)$/.exec(`${number}`);',
			was: '/^(-?)(\\d)\\.?(\\d*)e([+-]\\d+)$/',
		},
		{ code: 'return power < 0', was: 'power < 0', instead: '(power) <= (0)' },
		{ code: 'return power < 0', was: '0' },
	),
	...of(
		'engine/values/convert.ts',
		'A boolean would be parsed from its text, and an object from any unknown word.',
		{
			code: "if (typeof raw === 'boolean') return raw;",
			was: "typeof raw === 'boolean'",
			instead: 'false',
		},
		{ code: "if (typeof raw === 'boolean') return raw;", was: "'boolean'" },
		{
			code: "const word = typeof raw === 'object' ? '' : `${raw}`.trim().toLowerCase();",
			was: "''",
		},
	),
	...of(
		'engine/token/jwt.ts',
		'Text that is not base64url does not survive decoding and encoding.',
		{
			code: '/^[\\w-]+$/.test(text) &&',
			was: '/^[\\w-]+$/',
		},
	),
	...of(
		'engine/token/jwt.ts',
		'A token is longer than its claims and has its own length check; this check only saves work.',
		{
			code: 'if (json.length > MAX_TOKEN_LENGTH) throw tooLargeError(TOO_LONG_TO_SIGN);',
			instead: 'false',
		},
		{
			code: 'if (json.length > MAX_TOKEN_LENGTH) throw tooLargeError(TOO_LONG_TO_SIGN);',
			instead: '(json.length) >= (MAX_TOKEN_LENGTH)',
		},
		{
			code: 'if (json.length > MAX_TOKEN_LENGTH) throw tooLargeError(TOO_LONG_TO_SIGN);',
			instead: ';',
		},
	),
	...of('engine/token/jwt.ts', 'UTF-8 is the default of Node.js.', {
		code: "const token = await new CompactSign(Buffer.from(json, 'utf8'))",
		was: "'utf8'",
	}),
	...of(
		'engine/token/jwt.ts',
		'The first part always exists, and neither text is valid JSON.',
		{ code: "const header = parseJsonObject(parts[0] ?? '');", was: "''" },
		{ code: "const claims = parseJsonObject(parts[1] ?? '');", was: "''" },
	),
	...of('engine/token/jwt.ts', 'jose has no other code that contains one of these.', {
		code: "if (typeof code === 'string' && /^ERR_JW[ST]_INVALID$/.test(code)) {",
		was: '/^ERR_JW[ST]_INVALID$/',
	}),
	...of('engine/token/jwt.ts', 'jose throws only Error objects.', {
		code: 'const { code, claim, reason } = isRecord(error) ? error : {};',
		was: 'isRecord(error)',
		instead: 'true',
	}),
	...of(
		'engine/token/keyKinds.ts',
		'The table contains only these names: the filter is for the compiler.',
		{
			code: 'export const ALGORITHMS = Object.keys(KEY_SPECS).filter(isAlgorithm);',
		},
	),
	...of('engine/token/keyKinds.ts', 'Neither text is a key of small order.', {
		code: "const bytesOf = (text = '') => Buffer.from(text, 'base64url');",
		was: "''",
	}),
	...of('engine/token/keyKinds.ts', 'An exponent of no bytes is too short, odd or not.', {
		code: 'const isOdd = ((bytesOf(jwk.e).at(-1) ?? 0) & 1) === 1;',
		was: '0',
	}),
	...of('engine/token/keyKinds.ts', 'All keys of small order have 32 bytes.', {
		code: 'if (y.length === 32) y[31]! &= 0x7f;',
		was: 'y.length === 32',
		instead: 'true',
	}),
	...of(
		'engine/submit/post.ts',
		'The number only has to be another one each time.',
		{ code: 'let submitCount = 0;' },
		{ code: 'accountKey: `submit ${submitCount++}`,', was: 'submitCount++' },
	),
	...of(
		'engine/submit/post.ts',
		'The client authenticates nothing: it reads no credential, and `explain` reads no response.',
		{ code: "credentialType: ''," },
		{ code: 'secretFields: [],' },
	),
	...of(
		'EventRegistration/contact/sync/digest.ts',
		'Digests are only compared with each other: any text works that tells the three changes apart.',
		{ code: "'created',", was: "'created'" },
		{
			code: "lines.push(['updated', `${planned.contact.id}`, sortedTexts(changes)]);",
			was: "'updated'",
		},
		{
			code: "lines.push(['removed', `${contact.id}`, contact.key, sortedTexts(values)]);",
			was: "'removed'",
		},
		{ code: 'const lines: unknown[][] = [];', was: '[]' },
		{
			code: "return sha256([scope, ...actions].join('\\n')).slice(0, DIGEST_LENGTH);",
			was: "'\\n'",
		},
	),
	...of(
		'EventRegistration/contact/sync/isSameValue.ts',
		'Any sign works that differs for negative numbers.',
		{
			code: "return digits === '0.' ? digits : `${sign === '-' ? '-' : ''}${digits}`;",
			was: "sign === '-'",
			instead: "(sign) !== ('-')",
		},
		{
			code: "return digits === '0.' ? digits : `${sign === '-' ? '-' : ''}${digits}`;",
			was: "''",
		},
	),
	...of(
		'engine/trigger/lists/core/follower.ts',
		'A follower sends one request at a time, without `Pace.recordSent`: neither limit nor gap has an effect.',
		{
			code: '{ intervalMs, maxInFlight: 1, longestPauseMs: Math.max(intervalMs, longestPauseMs) },',
			was: '1',
		},
		{
			code: 'this.pace.recordGoodPoll(tracked.list.key, startedAt, this.clock.monotonic(), 1);',
			was: '1',
		},
		{
			code: 'const { report } = this.pace.recordFault(fault, sentAt, this.clock.monotonic(), 1);',
			was: '1',
		},
	),
	...of(
		'engine/trigger/lists/core/follower.ts',
		'A missing property is undefined: the check is for the compiler.',
		{
			code: "const { message = `The service ${subject}` } = 'message' in result ? result : {};",
			was: "'message' in result",
			instead: 'true',
		},
		{
			code: "const retryAfterMs = 'retryAfterMs' in result ? result.retryAfterMs : undefined;",
			was: "'retryAfterMs' in result",
			instead: 'true',
		},
		{
			code: "const message = 'message' in result ? (result.message ?? '') : '';",
			was: "'message' in result",
			instead: 'true',
		},
	),
	...of(
		'engine/watch/pace.ts',
		'No ID is empty, and the first successful poll sets both.',
		{ code: "private lastGood = { id: '', at: -Infinity };", was: "''" },
		{ code: 'private otherGoodAt = -Infinity;' },
	),
	...of(
		'engine/watch/pace.ts',
		'The first fault sets it, and before that there is no gap to shrink.',
		{
			code: 'private gapChangedAt = -Infinity;',
		},
	),
	...of(
		'engine/watch/pace.ts',
		'The first fault follows an unlimited quiet period, which sets it.',
		{
			code: 'private hasReportedFault = false;',
		},
	),
	...of('engine/watch/pace.ts', 'The pause reaches its maximum long before thirty doublings.', {
		code: 'const doubled = intervalMs * 2 ** Math.min(this.faults - 1, 30);',
		was: '30',
	}),
	...of(
		'engine/watch/pace.ts',
		'A pause that has already ended has no effect.',
		{
			code: "{ message = 'The service asks to slow down', retryAfterMs = 0 }: Omit<ServiceFault, 'kind'>,",
			was: '0',
			instead: '(-1)',
		},
		{
			code: 'const pauseMs = Number.isFinite(retryAfterMs) ? Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) : 0;',
			instead: '(-1)',
		},
	),
	...of('engine/watch/dueQueue.ts', 'No two items have the same order.', {
		code: 'a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);',
		instead: '(a.order) <= (b.order)',
	}),
	...of('engine/watch/dueQueue.ts', 'Only the differences matter, not the first value.', {
		code: 'private nextOrder = 0;',
	}),
	...of(
		'engine/watch/dueQueue.ts',
		'An item that was removed is dropped when it is due, like one that was moved.',
		{
			code: 'this.heap = [];',
			was: '[]',
		},
	),
	...of(
		'engine/watch/dueQueue.ts',
		'The result does not depend on the moment of the cleanup.',
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
		'engine/watch/idRegister.ts',
		'No caller reads `fresh` after a rejection.',
		{ code: 'if (problem) return { result: problem, fresh: [] };', was: '[]' },
		{ code: "return { result: rejectAdd('tooMany', message), fresh: [] };", was: '[]' },
	),
	...of('engine/watch/failureScope.ts', 'Callers compare with one of the other two values.', {
		code: "return kind === 'credentialRejected' || badResultsReachWatchedCount ? 'service' : 'either';",
		was: "'either'",
	}),
	...of('engine/watch/watcher.ts', 'No code reads it.', {
		code: "const WAKE_UP = new Error('awake');",
	}),
];
