import type { Paging } from '../engine/http/pages';

/** How the lists of this service come: whole, unless an answer is wrapped and counts more records than it gave. */
export const paging: Paging = { identify: ({ id }) => id, total, pageIfCut: 'page' };

function total(body: unknown): number | undefined {
	const { pagination } = (body ?? {}) as { pagination?: { total?: unknown } };
	const count = pagination?.total;
	return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}
