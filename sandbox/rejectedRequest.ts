import type { FieldProblems } from './controlError';
import type { HandlerResponse, Handler } from './service';

/** A rejection in a service's own format. Write functions throw it, and the service responds with it. */
export class RejectedRequest extends Error {
	constructor(
		readonly response: HandlerResponse,
		/** Message for the user at the desk. */
		message: string,
		readonly fields: FieldProblems = {},
	) {
		super(message);
	}
}

/** Wraps handlers to respond with a thrown RejectedRequest; any other error is a fault of the sandbox. */
export function respondToRejectedRequests(
	handlers: Record<string, Handler>,
): Record<string, Handler> {
	const guard =
		(handler: Handler): Handler =>
		(request) => {
			try {
				return handler(request);
			} catch (error) {
				if (error instanceof RejectedRequest) return error.response;
				throw error;
			}
		};
	return Object.fromEntries(
		Object.entries(handlers).map(([operationId, handler]) => [operationId, guard(handler)]),
	);
}
