/** What is kept of a record: ten characters, and eight more once one of its changes was told. */
export interface RecordState {
	/** What it held, in five characters. */
	readonly content: string;
	/** Its status, in four. */
	readonly status: string;
	/** Which of the things that happen once have happened, a bit each. */
	readonly bits: number;
	/** Whether it must be kept in mind although it has not been seen for long: forgotten, it would count as new. */
	readonly kept: boolean;
	/** What its last key left behind: the next one differs, even if the record is again as it was before. */
	readonly chain: string;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const KEPT_FLAG = 32;
const SERIALIZED = /^([\w-]{5})([\w-]{4})([\w-])([\w-]{8})?$/;

/** The most things that can happen to a record once. */
export const MAX_ONE_TIME_EVENTS = 5;

/** An entry as it is saved. */
export const serializeState = ({ content, status, bits, kept, chain }: RecordState): string =>
	content + status + DIGITS[bits + (kept ? KEPT_FLAG : 0)]! + chain;

/** An entry from what was saved; nothing if that is no entry. */
export function parseState(text: string): RecordState | undefined {
	const parts = SERIALIZED.exec(text);
	if (!parts) return undefined;
	const [, content = '', status = '', flags = '', chain = ''] = parts;
	const number = DIGITS.indexOf(flags);
	return { content, status, bits: number % KEPT_FLAG, kept: number >= KEPT_FLAG, chain };
}
