/** Maximum number of rows that the desk shows; users search for the others. */
const MAX_ROWS = 50;

const normalizeText = (text: string) =>
	text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * Returns the newest records that contain every word of a search in one of their texts. Case and accents are ignored: a user
 * at a desk types `jose` for José.
 */
export function searchRows<T>(
	list: readonly T[],
	search: string | undefined,
	listTexts: (record: T) => Array<string | undefined>,
): { total: number; found: number; rows: T[] } {
	const words = normalizeText(search ?? '')
		.split(/\s+/)
		.filter(Boolean);
	const matches = (record: T) => {
		const text = normalizeText(listTexts(record).join('\n'));
		return words.every((word) => text.includes(word));
	};
	const foundRecords = words.length === 0 ? list : list.filter(matches);
	return {
		total: list.length,
		found: foundRecords.length,
		rows: foundRecords.slice(-MAX_ROWS).reverse(),
	};
}
