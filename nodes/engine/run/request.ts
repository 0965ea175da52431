import type { Request } from '../http/types';
import type { Call, Operation } from '../operation';
import type { ItemReading } from './fields';

/** What every request of an operation has in common, unless it says otherwise. */
export const ofOperation = ({ repeatable, effect, accept }: Operation) => ({
	repeatable,
	effect,
	accept,
});

/** The request of a row, the operation's own unless told, filled in with what was read of an item. */
export async function rowRequest(
	call: Call,
	{ values, parts }: ItemReading,
	row = call.operation.request,
): Promise<Request> {
	const { operation } = call;
	const { sign, body: kind, text } = operation;
	if (!row) throw new Error(`${operation.name} has no request of its own`);
	const { params, labels, query, body, wholeBody, claims } = parts;
	const request: Request = { ...row, ...ofOperation(operation), text, params, labels, query };
	if (sign) return { ...request, token: await sign(claims, values, call) };
	return { ...request, json: wholeBody ?? body ?? (kind === 'json' ? {} : undefined) };
}
