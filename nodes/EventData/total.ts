/** How many records a list has in all, where the answer is wrapped and says so. */
export function total(body: unknown): number | undefined {
	const { pagination } = (body ?? {}) as { pagination?: { total?: unknown } };
	return typeof pagination?.total === 'number' ? pagination.total : undefined;
}
