import type { IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure, toNodeError } from '../errors';
import type { Batch } from '../operation';
import { isDeeperThan, MAX_JSON_DEPTH } from '../values/depth';
import { isRecord } from '../values/isRecord';
import type { QuorumWait } from './quorumWait';

/** The request or job that one item waits for. */
export interface WaitTarget {
	id: string;
	/** User who is expected to answer, if known. */
	subject?: string;
	/** Statement that the item itself had its effect, such as "The order 17 was placed", for the error if the wait fails. */
	sentStatement?: string;
	/** When the request or job expires, in wall-clock time; absent if it never expires or if the time is unknown. */
	expiresAt?: number;
}

/** The wait of one item. */
export interface ItemWait<W extends WaitTarget> {
	target: W;
	/** Start and time limit of the wait, in wall-clock time; no limit if `until` is absent. */
	since: number;
	until?: number;
	intervalMs: number;
	/** Number of polls by the node itself; polls by the poller do not count. */
	polls: number;
	seenOutstanding: boolean;
}

/**
 * Progress of one item: its output, with its open wait for one request (`wait`) or for several people (`quorum`); or why the
 * item failed.
 */
export type ItemState<W extends WaitTarget> =
	{ output: IDataObject; wait?: ItemWait<W>; quorum?: QuorumWait } | { failed: unknown };

/**
 * Item states as plain JSON. n8n stores them with the execution, so they contain no secrets and no more than the output
 * needs.
 */
interface ParkedState {
	/** Version of the format: 2 if an item waits for several people. Versions of the pack that do not know 2 reject the state. */
	gatehouse: 1 | 2;
	items: unknown[];
	/** Other parked executions (`checkpoint`). */
	checkpoint?: string;
}

/** Levels of a stored state: those of a response, of the output that holds it, and of the state around the output. */
const MAX_STATE_DEPTH = MAX_JSON_DEPTH + 20;

/** Message and advice for an item whose state cannot be read. The item may have been sent, so it must not begin again. */
export const UNREADABLE_STATE = [
	"This execution was parked by another version of the pack, which this version can't read",
	"The request it waits for was sent anyway: check it in the service, and don't repeat this step.",
] as const;

/** Returns the item states to store. Only message, advice and status of a failure are stored, with secrets redacted. */
export const toParkedState = <W extends WaitTarget>(
	itemStates: Array<ItemState<W>>,
	{ context, calls }: Pick<Batch, 'context' | 'calls'>,
): ParkedState => ({
	gatehouse: itemStates.some((item) => 'quorum' in item && item.quorum !== undefined) ? 2 : 1,
	items: itemStates.map((item, index) => {
		if (!('failed' in item)) return item;
		const error = toNodeError(context.getNode(), item.failed, index, calls[index]?.secrets());
		const status = 'httpCode' in error ? (error.httpCode ?? undefined) : undefined;
		return { failed: { message: error.message, advice: error.description ?? undefined, status } };
	}),
});

/**
 * Restores the states of `itemCount` items; undefined if the stored value has another format. An item whose own state cannot
 * be restored has failed; the others are restored.
 */
export function fromParkedState<W extends WaitTarget>(
	storedState: unknown,
	itemCount: number,
): Array<ItemState<W>> | undefined {
	if (!isRecord(storedState) || !Array.isArray(storedState.items)) return undefined;
	if (storedState.gatehouse !== 1 && storedState.gatehouse !== 2) return undefined;
	if (storedState.items.length !== itemCount) return undefined;
	return storedState.items.map((item) => restoreItem<W>(item));
}

/** Only this pack writes the states, so their contents are not validated further than later code needs. */
function restoreItem<W extends WaitTarget>(stored: unknown): ItemState<W> {
	if (isRecord(stored) && !isDeeperThan(stored, MAX_STATE_DEPTH)) {
		// A copy, because n8n may run the node again with the same stored object.
		const item = structuredClone(stored);
		if (isRecord(item.failed) && typeof item.failed.message === 'string')
			return { failed: restoreFailure(item.failed.message, item.failed) };
		const { output, wait, quorum } = item;
		const isWhole =
			isRecord(output) &&
			(wait === undefined || (isRecord(wait) && isRecord(wait.target))) &&
			(quorum === undefined ||
				(isRecord(quorum) && isRecord(quorum.policy) && isRecord(quorum.progress)));
		if (isWhole) return item as ItemState<W>;
	}
	return { failed: new BadInput(...UNREADABLE_STATE) };
}

/** Returns, by item, the advice about an item that had an effect and was waiting when the execution was parked. */
export const noRepeatAdviceIn = (storedState: unknown, itemCount: number): string[] =>
	(fromParkedState(storedState, itemCount) ?? []).map((item) => {
		if ('failed' in item) return '';
		const { wait, quorum } = item;
		const sentStatement = wait?.target.sentStatement;
		if (sentStatement) return noRepeatAdvice(sentStatement);
		return quorum?.sentStatement ? noRepeatAdvice(quorum.sentStatement, 'those IDs') : '';
	});

/** Returns the advice for a wait that failed after the item itself had an effect. */
const noRepeatAdvice = (sentStatement: string, toCheck = 'that ID') =>
	`${sentStatement} anyway: don't repeat this step, check ${toCheck} instead.`;

/**
 * Adds to an item's error that the item had an effect, so the step must not be repeated. Other errors, such as a
 * cancellation, stay unchanged.
 */
export function withSentAdvice(error: unknown, sentStatement?: string, toCheck?: string): unknown {
	const isKnown = error instanceof ServiceFailure || error instanceof BadInput;
	if (sentStatement === undefined || !isKnown || error.advice?.includes(sentStatement))
		return error;
	const ownAdvice = error.advice?.replace(/\s*Nothing was sent\.$/, '');
	const advice = [ownAdvice, noRepeatAdvice(sentStatement, toCheck)].filter(Boolean).join(' ');
	if (error instanceof BadInput) return new BadInput(error.message, advice);
	return error.with({ advice });
}

function restoreFailure(message: string, failed: IDataObject): ServiceFailure {
	const [advice, status] = [failed.advice, failed.status].map((value) =>
		typeof value === 'string' ? value : undefined,
	);
	return new ServiceFailure(message, { advice, status: status ? Number(status) : undefined });
}
