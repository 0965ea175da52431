import { strictRecords } from './records';
import type { RecordKind } from './records';
import type { Request } from './types';

/**
 * Returns a request that accepts only a list of records, which may be empty, a single record, or 204. Any other response is
 * unrecognized. It must not count as an empty list: the cursor would advance past changes that the response did not contain.
 */
export const strictRequest = (request: Request, kind: RecordKind): Request => ({
	...request,
	isRecognized: ({ status, body }) => status === 204 || strictRecords(body, kind) !== undefined,
});
