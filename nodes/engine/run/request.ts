import type { Request } from '../http/types';
import type { ItemCall, Operation } from '../operation';
import { isSingleReadRequest } from '../operationTraits';
import type { EvaluatedFields } from './fields';

/** Returns the members that an operation sets for all of its requests. A single request may override them. */
export const requestDefaultsOf = ({ idempotent, effect, accept, identify }: Operation) => ({
	idempotent,
	effect,
	accept,
	identify,
});

/** Builds a request from the fields of an item. `requestLine` is the method and path; by default those of the operation. */
export async function buildRequest(
	call: ItemCall,
	{ values, parts }: EvaluatedFields,
	requestLine = call.operation.request,
): Promise<Request> {
	const { operation } = call;
	const { sign, body: bodyKind } = operation;
	if (!requestLine) throw new Error(`${operation.name} has no request of its own`);
	const { params, query, body, wholeBody, claims } = parts;
	const requiredContent =
		operation.requiredContent ?? (isSingleReadRequest(operation) ? 'record' : undefined);
	const request: Request = {
		...requestLine,
		...requestDefaultsOf(operation),
		requiredContent,
		mayBeWrapped: true,
		params,
		query,
	};
	if (sign) return { ...request, token: await sign(claims, values, call) };
	return { ...request, json: wholeBody ?? body ?? (bodyKind === 'json' ? {} : undefined) };
}
