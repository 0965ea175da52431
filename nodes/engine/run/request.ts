import type { Request } from '../http/types';
import { isPlainRead, readsOneRecord } from '../operation';
import type { Call, Operation } from '../operation';
import type { EvaluatedFields } from './fields';

/** Returns the members that an operation sets for all of its requests. A single request may override them. */
export const requestDefaultsOf = ({ repeatable, effect, accept }: Operation) => ({
	repeatable,
	effect,
	accept,
});

/** Returns the content that the answer to a single GET must hold; undefined for all other operations. */
function wantsOf(operation: Operation): Request['wants'] {
	if (!isPlainRead(operation)) return undefined;
	return readsOneRecord(operation) ? 'record' : 'content';
}

/** Builds a request from the fields of an item. `row` is the method and path; by default those of the operation. */
export async function buildRequest(
	call: Call,
	{ values, parts }: EvaluatedFields,
	row = call.operation.request,
): Promise<Request> {
	const { operation } = call;
	const { sign, body: kind, text } = operation;
	if (!row) throw new Error(`${operation.name} has no request of its own`);
	const { params, query, body, wholeBody, claims } = parts;
	const wants = wantsOf(operation);
	const request: Request = {
		...row,
		...requestDefaultsOf(operation),
		wants,
		text,
		params,
		query,
	};
	if (sign) return { ...request, token: await sign(claims, values, call) };
	return { ...request, json: wholeBody ?? body ?? (kind === 'json' ? {} : undefined) };
}
