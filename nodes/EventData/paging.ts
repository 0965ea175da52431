import type { Paging } from '../engine/http/pages';
import { isRecord } from '../engine/values/isRecord';

/** Paging of the service's lists: a response is complete unless its `pagination.total` exceeds the number of its records. */
export const paging: Paging = { identify: ({ id }) => id, total, fallbackPageParameter: 'page' };

/** Paging of the events, the only list that the service documents as paged. */
export const eventPaging: Paging = { ...paging, pageParameter: 'page' };

/** Every response about one record is the record, in reads and in writes. */
export const recordWithId = { identify: paging.identify, requiredContent: 'record' } as const;

function total(body: unknown): number | undefined {
	const pagination = isRecord(body) ? body.pagination : undefined;
	const count = isRecord(pagination) ? pagination.total : undefined;
	return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}
