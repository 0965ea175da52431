/** Messages by field. */
export type FieldProblems = Record<string, string[]>;

/** Input that a control action rejects; its message is for the person who sent it. */
export class ControlError extends Error {
	constructor(
		readonly status: number,
		message: string,
		/** Messages by field, if the error is about fields. */
		readonly fields?: FieldProblems,
	) {
		super(message);
	}
}
