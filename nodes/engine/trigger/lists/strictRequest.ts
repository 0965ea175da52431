import { surelyRecords } from '../../http/records';
import type { Kind } from '../../http/records';
import type { Request } from '../../http/types';

/** A request whose answer must surely be what was asked for: anything else counts as damaged, and never as an empty list. */
export const strictRequest = (request: Request, kind: Kind): Request => ({
	...request,
	expects: ({ status, body }) => status === 204 || surelyRecords(body, kind) !== undefined,
});
