import type { ServiceFailure } from '../errors';
import type { Request } from './types';

/** Whether a request changes nothing: HEAD, a GET without an effect, or a search by POST. */
export const isRead = ({ method, idempotent, effect }: Partial<Request>): boolean =>
	method === 'HEAD' ||
	(method === 'GET' && (idempotent === true || effect === undefined)) ||
	(method === 'POST' && idempotent === true);

/**
 * Whether the service answered a write with a success status and contents that leave open whether it was carried out. Such a
 * write is not sent again, even if it is idempotent: a person has to check the record first.
 */
export const isUnclearWrite = (
	{ uncertain, status, isText }: ServiceFailure,
	request: Partial<Request>,
): boolean => uncertain && status !== undefined && status < 300 && !isText && !isRead(request);
