/** The state that is kept of a record. Saved as ten characters, and eight more once one of its changes was reported. */
export interface RecordState {
	/** Digest of its contents, five characters. */
	readonly content: string;
	/** Digest of its status, four characters. */
	readonly status: string;
	/** Bit set of the one-time events that have happened, in the order of `ChangeSchema.oneTimeEvents`. */
	readonly happenedEvents: number;
	/**
	 * Whether the state must be kept, however long ago the record was last seen. Without this state, the record would count
	 * as new.
	 */
	readonly isKept: boolean;
	/**
	 * Digest of the last start key, which becomes part of the next key. So keys differ even if the record returns to an
	 * earlier state. Empty before the first reported change, and in lists that do not keep the state of every record.
	 */
	readonly chain: string;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const KEPT_FLAG = 32;
const SERIALIZED = /^([\w-]{5})([\w-]{4})([\w-])([\w-]{8})?$/;

/** The number of one-time events that fit into `happenedEvents`. */
export const MAX_ONE_TIME_EVENTS = 5;

/** Returns the saved form of a state. */
export const serializeState = ({
	content,
	status,
	happenedEvents,
	isKept,
	chain,
}: RecordState): string =>
	content + status + DIGITS[happenedEvents + (isKept ? KEPT_FLAG : 0)]! + chain;

/** Parses a saved state; returns `undefined` if the text is not one. */
export function parseState(text: string): RecordState | undefined {
	const parts = SERIALIZED.exec(text);
	if (!parts) return undefined;
	const [, content = '', status = '', flags = '', chain = ''] = parts;
	const number = DIGITS.indexOf(flags);
	return {
		content,
		status,
		happenedEvents: number % KEPT_FLAG,
		isKept: number >= KEPT_FLAG,
		chain,
	};
}
