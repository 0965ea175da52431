/** Maximum number of rows that the desk shows; users search for the others. */
const MAX_ROWS = 50;

const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * Returns the newest records that contain every word of a search in one of their texts. Case and accents are ignored: a user
 * at a desk types `jose` for José.
 */
export function matching<T>(
	list: readonly T[],
	search: string | undefined,
	textsOf: (record: T) => Array<string | undefined>,
): { total: number; found: number; rows: T[] } {
	const words = fold(search ?? '')
		.split(/\s+/)
		.filter(Boolean);
	const fits = (record: T) => {
		const text = fold(textsOf(record).join('\n'));
		return words.every((word) => text.includes(word));
	};
	const found = words.length === 0 ? list : list.filter(fits);
	return { total: list.length, found: found.length, rows: found.slice(-MAX_ROWS).reverse() };
}
