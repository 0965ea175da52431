import type { FieldProblems } from './controlError';
import type { Answer, Handler } from './service';

/** A refusal in a service's own shape; whoever writes throws it, the service answers with it. */
export class Refusal extends Error {
	constructor(
		readonly answer: Answer,
		/** What is wrong, in words for the person at the desk. */
		message: string,
		readonly fields: FieldProblems = {},
	) {
		super(message);
	}
}

/** Answers a thrown refusal; anything else is a fault of the sandbox. */
export function answerRefusals(handlers: Record<string, Handler>): Record<string, Handler> {
	const guard =
		(handler: Handler): Handler =>
		(call) => {
			try {
				return handler(call);
			} catch (error) {
				if (error instanceof Refusal) return error.answer;
				throw error;
			}
		};
	return Object.fromEntries(
		Object.entries(handlers).map(([operationId, handler]) => [operationId, guard(handler)]),
	);
}
