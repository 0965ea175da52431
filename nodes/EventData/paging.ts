import type { Paging } from '../engine/http/pages';
import { isRecord } from '../engine/values/convert';

/** How the lists of this service come: whole, unless an answer is wrapped and counts more records than it gave. */
export const paging: Paging = { identify: ({ id }) => id, total, pageIfCut: 'page' };

function total(body: unknown): number | undefined {
	const pagination = isRecord(body) ? body.pagination : undefined;
	const count = isRecord(pagination) ? pagination.total : undefined;
	return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}
