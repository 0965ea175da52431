import type { IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure, toNodeError } from '../errors';
import type { Batch } from '../operation';
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
}

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

/** Restores the item states; undefined if the stored value has another format. */
export function fromParkedState<W extends WaitTarget>(
	storedState: unknown,
): Array<ItemState<W>> | undefined {
	if (!isRecord(storedState) || !Array.isArray(storedState.items)) return undefined;
	if (storedState.gatehouse !== 1 && storedState.gatehouse !== 2) return undefined;
	// The items are not validated further, because only this pack writes them. They are cloned, because n8n may run the node
	// again with the same stored object.
	return (structuredClone(storedState.items) as Array<ItemState<W>>).map((item) =>
		'failed' in item ? { failed: restoreFailure(item.failed) } : item,
	);
}

/** Returns the advice about the items that had an effect and were waiting when the execution was parked. */
export const noRepeatAdviceIn = (storedState: unknown): string[] =>
	(fromParkedState(storedState) ?? []).flatMap((item) => {
		if ('failed' in item) return [];
		const { wait, quorum } = item;
		const sentStatement = wait?.target.sentStatement;
		return [
			...(sentStatement ? [noRepeatAdvice(sentStatement)] : []),
			...(quorum?.sentStatement ? [noRepeatAdvice(quorum.sentStatement, 'those IDs')] : []),
		];
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

function restoreFailure(failed: unknown): ServiceFailure {
	const { message, advice, status } = failed as {
		message: string;
		advice?: string;
		status?: string;
	};
	return new ServiceFailure(message, { advice, status: status ? Number(status) : undefined });
}
