import type { Request } from '../http/types';
import { isPlainRead, readsOneRecord } from '../operation';
import type { Call, Operation } from '../operation';
import type { ItemReading } from './fields';

/** What every request of an operation has in common, unless it says otherwise. */
export const requestDefaultsOf = ({ repeatable, effect, accept }: Operation) => ({
	repeatable,
	effect,
	accept,
});

/** What the answer to an operation of one request must hold, where it reads. */
function wantsOf(operation: Operation): Request['wants'] {
	if (!isPlainRead(operation)) return undefined;
	return readsOneRecord(operation) ? 'record' : 'content';
}

/** The request of a row, the operation's own unless told, filled in with what was read of an item. */
export async function buildRequest(
	call: Call,
	{ values, parts }: ItemReading,
	row = call.operation.request,
): Promise<Request> {
	const { operation } = call;
	const { sign, body: kind, text } = operation;
	if (!row) throw new Error(`${operation.name} has no request of its own`);
	const { params, labels, query, body, wholeBody, claims } = parts;
	const wants = wantsOf(operation);
	const request: Request = {
		...row,
		...requestDefaultsOf(operation),
		wants,
		text,
		params,
		labels,
		query,
	};
	if (sign) return { ...request, token: await sign(claims, values, call) };
	return { ...request, json: wholeBody ?? body ?? (kind === 'json' ? {} : undefined) };
}
