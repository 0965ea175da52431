import type { Operation, Result } from '../operation';
import { onlyReads } from '../operationTraits';

/**
 * Returns what a failed item that ends the run must say about the other items: which of them took effect, and whether the run
 * can be repeated. Undefined if the operation only reads, or if no other item was finished.
 */
export function stopNote(
	operation: Operation,
	results: Result[],
	itemCount: number,
): string | undefined {
	// The results are sparse: an item that was not started has none.
	const done = results.filter((result) => 'items' in result).length;
	const failed = results.filter((result) => 'error' in result).length;
	if (onlyReads(operation) || done === 0 || failed === 0) return undefined;
	const items = done === 1 ? '1 other item' : `${done} other items`;
	const was = done === 1 ? 'was' : 'were';
	const { effect, rerunSafety } = operation;
	const finished = effect ? `For ${items}, ${effect}.` : `${items} ${was} saved.`;
	if (done + failed >= itemCount) return finished;
	const next =
		rerunSafety ?? (effect ? 'Run it again only with the items that are left.' : undefined);
	return ['The run stopped at this item.', finished, next].filter(Boolean).join(' ');
}
