/** What is wrong with which field. */
export type FieldProblems = Record<string, string[]>;

/** An input that control refuses; its message is meant for the person who sent it. */
export class ControlError extends Error {
	constructor(
		readonly status: number,
		message: string,
		/** What is wrong with which field, where it is about fields. */
		readonly fields?: FieldProblems,
	) {
		super(message);
	}
}
