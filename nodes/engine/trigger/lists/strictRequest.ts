import { strictRecords } from '../../http/records';
import type { RecordKind } from '../../http/records';
import type { Request } from '../../http/types';

/**
 * Returns a request that accepts only an answer with records (or 204). Any other answer is an unrecognized response, and never
 * an empty list: a cursor would pass over changes that it did not show.
 */
export const strictRequest = (request: Request, kind: RecordKind): Request => ({
	...request,
	expects: ({ status, body }) => status === 204 || strictRecords(body, kind) !== undefined,
});
