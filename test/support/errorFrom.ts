import { BadInput } from '../../nodes/engine/errors';

/** Calls a function and returns the `BadInput` that it throws. */
export function errorFrom(call: () => unknown): BadInput {
	try {
		call();
	} catch (error) {
		expect(error).toBeInstanceOf(BadInput);
		return error as BadInput;
	}
	throw new Error('Expected an error');
}
