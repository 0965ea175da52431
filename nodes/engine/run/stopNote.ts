import { ServiceFailure } from '../errors';
import type { Operation, ItemResult } from '../operation';
import { onlyReads } from '../operationTraits';
import { listRows } from './rows';

/**
 * Returns the note about the other items for the error of a failed item that ends the run: which items took effect, and
 * whether the run can be repeated. If items ran concurrently, another one may have taken effect without an answer. Undefined if
 * the operation only reads, if no other item was sent, or if the operation processes all items together, because a result of
 * `runBatch` does not show whether the item took effect.
 */
export function stopNote(
	operation: Operation,
	results: ItemResult[],
	itemCount: number,
): string | undefined {
	// The results are sparse: an item that was not started has no result.
	const doneCount = results.filter((result) => 'items' in result).length;
	const failedCount = results.filter((result) => 'error' in result).length;
	const isUnknown = operation.runBatch !== undefined || onlyReads(operation);
	if (isUnknown || failedCount === 0) return undefined;
	const unclearNote = otherUnclearItems(operation, results);
	if (doneCount === 0) return unclearNote;
	const rows = doneCount === 1 ? '1 other row' : `${doneCount} other rows`;
	const verb = doneCount === 1 ? 'was' : 'were';
	const { effect, rerunSafety } = operation;
	const effectNote = effect ? `For ${rows}, ${effect}.` : `${rows} ${verb} processed.`;
	if (doneCount + failedCount >= itemCount)
		return [effectNote, unclearNote].filter(Boolean).join(' ');
	// The advice of an uncertain failure already says to check before running again.
	const next = results.some(isUncertain)
		? undefined
		: (rerunSafety ?? (effect ? rerunAdvice(results, itemCount) : undefined));
	return ['The run stopped at this row.', effectNote, unclearNote, next].filter(Boolean).join(' ');
}

const isUncertain = (result: ItemResult): boolean =>
	'error' in result && result.error instanceof ServiceFailure && result.error.uncertain;

/** Names the items behind the first failed one, whose error the user sees, that may have taken effect. */
function otherUnclearItems(
	{ effect = 'it was processed' }: Operation,
	results: ItemResult[],
): string | undefined {
	const failed = results.flatMap((result, index) => ('error' in result ? [index] : []));
	const unclear = failed.slice(1).filter((index) => isUncertain(results[index]!));
	if (unclear.length === 0) return undefined;
	return `For ${listRows(unclear)}, it's unclear whether ${effect}: check before running again.`;
}

/** Names the items that did not take effect. If items ran concurrently, unprocessed items can precede processed ones. */
function rerunAdvice(results: ItemResult[], itemCount: number): string {
	const isDone = (index: number) => 'items' in (results[index] ?? {});
	const unprocessed = Array.from({ length: itemCount }, (_, index) => index).filter(
		(index) => !isDone(index),
	);
	const restStart = unprocessed.findIndex(
		(index, at) => itemCount - index === unprocessed.length - at,
	);
	const single = unprocessed.slice(0, restStart);
	const rest = unprocessed.slice(restStart);
	if (rest.length === 1) single.push(...rest.splice(0));
	const ranges = [
		single.length > 0 && `with ${listRows(single)}`,
		rest.length > 0 && `from ${listRows(rest.slice(0, 1))} on`,
	];
	return `Run it again ${ranges.filter(Boolean).join(' and ')}.`;
}
