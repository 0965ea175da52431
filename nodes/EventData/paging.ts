import type { Paging } from '../engine/pages';

/** How the lists of this service come: whole, unless an answer is wrapped and counts more records than it gave. */
export const paging: Paging = { identify: ({ id }) => id, total, pageIfCut: 'page' };

function total(body: unknown): number | undefined {
	const { pagination } = (body ?? {}) as { pagination?: { total?: unknown } };
	return typeof pagination?.total === 'number' ? pagination.total : undefined;
}
