import type { Operation } from './operation';

/** Whether an operation only reads, so that its items may run concurrently. */
export function onlyReads(operation: Operation): boolean {
	if (operation.readOnly !== undefined) return operation.readOnly;
	const method = operation.request?.method ?? 'GET';
	return operation.idempotent === true && ['GET', 'HEAD'].includes(method);
}

/** Whether an operation is one request that must return exactly one record. */
export const readsOneRecord = (operation: Operation): boolean =>
	isSingleReadRequest(operation) && operation.requiredContent !== 'content';

/** Whether an operation is a single GET that returns no list. HEAD is excluded, since its response has no body. */
export const isSingleReadRequest = (operation: Operation): boolean =>
	onlyReads(operation) &&
	!operation.run &&
	!operation.runBatch &&
	operation.request?.method === 'GET' &&
	!operation.paging;

/** Whether an operation returns a list, so that the user limits the number of its records. */
export const isList = (operation: Operation): boolean =>
	operation.paging !== undefined || operation.returnsList === true;

/**
 * Whether items with equal parameters may share one result. True for reads by a single request or a list: they change nothing
 * and wait for nothing. `run` and `runBatch` may verify, decide or wait, which each item must do for itself.
 */
export const canShareResult = (operation: Operation): boolean =>
	onlyReads(operation) && !operation.run && !operation.runBatch;
