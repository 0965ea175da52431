import type { Batch, ItemCall, ItemResult } from '../operation';
import { STILL_OUTSTANDING } from '../wait/wait';
import type { IdWait, WaitResult, WaitResults } from '../wait/wait';
import { withSentAdvice } from './parkedState';
import type { ItemState, ItemWait, WaitTarget } from './parkedState';
import { toAwaitedId } from './polledConnection';
import type { AwaitedId } from './polledConnection';
import type { ParkedExecution } from './poller';
import { openQuorumsOf, toPolledQuorum } from './quorums';
import { createDueCheck, hasUnasked } from './quorumWait';
import type { WaitDefinition } from './waitDefinition';

/** An item whose wait has not ended. */
export interface OpenWait<W extends WaitTarget> {
	call: ItemCall;
	wait: ItemWait<W>;
}

export const durationOf = ({ since, until = Infinity }: ItemWait<WaitTarget>) => until - since;

/** Returns how long each open wait lasts at most. */
export const durationsOf = <W extends WaitTarget>(
	batch: Pick<Batch, 'calls'>,
	itemStates: Array<ItemState<W>>,
): number[] => [
	...openWaitsOf(batch, itemStates).map(({ wait }) => durationOf(wait)),
	...openQuorumsOf(batch, itemStates).map(
		({ quorum: { policy, since } }) => (policy.limitAt ?? Infinity) - since,
	),
];

export const openWaitsOf = <W extends WaitTarget>(
	{ calls }: Pick<Batch, 'calls'>,
	itemStates: Array<ItemState<W>>,
): Array<OpenWait<W>> =>
	itemStates.flatMap((item, index) =>
		'failed' in item || !item.wait ? [] : [{ call: calls[index]!, wait: item.wait }],
	);

/** Returns the call of an open wait. Parameters of a failed item may not be readable. */
export const firstOpenCall = <W extends WaitTarget>(
	batch: Pick<Batch, 'calls'>,
	itemStates: Array<ItemState<W>>,
): ItemCall => [...openWaitsOf(batch, itemStates), ...openQuorumsOf(batch, itemStates)][0]!.call;

/**
 * Returns what the poller polls for the open waits, and when it resumes the execution. The result references no execution.
 * `askBefore` is the first time limit before which more people may have to be asked; `Infinity` without one.
 */
export function toPollerInput<V, W extends WaitTarget>(
	batch: Batch<V>,
	definition: WaitDefinition<V, W>,
	itemStates: Array<ItemState<W>>,
): Pick<ParkedExecution, 'ids' | 'isDue' | 'endsAt'> & { askBefore: number } {
	const openWaits = openWaitsOf(batch, itemStates);
	const single = openWaits.map(({ wait }) => awaitedIdOf(wait, definition));
	const openQuorums = openQuorumsOf(batch, itemStates);
	const quorums = openQuorums.map((one) => toPolledQuorum(one, definition.quorum!));
	return {
		ids: [...single, ...quorums.flatMap(({ requests }) => [...requests.values()])],
		isDue: createDueCheck(single, quorums),
		// The node returns all items together, so the time limit of a single item does not resume the execution. A policy
		// that has something to do does resume it.
		endsAt:
			openQuorums.length > 0
				? Math.min(...openQuorums.map(({ quorum: { nextActionAt = Infinity } }) => nextActionAt))
				: Math.max(...openWaits.map(({ wait: { until = Infinity } }) => until)),
		askBefore: Math.min(
			...quorums.map((one) => (hasUnasked(one) ? (one.policy.limitAt ?? Infinity) : Infinity)),
		),
	};
}

const awaitedIdOf = <V, W extends WaitTarget>(
	wait: ItemWait<W>,
	{ poll }: Pick<WaitDefinition<V, W>, 'poll'>,
): AwaitedId => toAwaitedId(poll(wait.target), wait.target, wait);

export const toWait =
	<V, W extends WaitTarget>(
		definition: WaitDefinition<V, W>,
		maxWaitMsOf: (wait: ItemWait<W>) => number,
	) =>
	({ call, wait }: OpenWait<W>): IdWait => ({
		call,
		...awaitedIdOf(wait, definition),
		maxWaitMs: maxWaitMsOf(wait),
	});

/**
 * Applies the results of a poll to the items, and returns the output of each item so far. An outstanding item stays open until
 * its own time limit. An item that has ended is concluded at once, so that only its output has to be stored.
 */
export async function applyWaitResults<V, W extends WaitTarget>(
	batch: Batch<V>,
	definition: WaitDefinition<V, W>,
	itemStates: Array<ItemState<W>>,
	waitResults: WaitResults,
	now: number,
): Promise<ItemResult[]> {
	const waitResultOf = new Map(
		[...waitResults].map(([wait, waitResult]) => [wait.call, waitResult]),
	);
	const results = await batch.each(async (values, call) => {
		const item = itemStates[call.itemIndex]!;
		if ('failed' in item) throw item.failed;
		const { output, wait } = item;
		const waitResult = waitResultOf.get(call);
		if (!wait || !waitResult) return output;
		if (waitResult instanceof Error) throw waitResult;
		wait.polls += waitResult.polls;
		wait.seenOutstanding ||= waitResult.seenOutstanding;
		if (waitResult.outcome === STILL_OUTSTANDING && waitEndsAt(wait, waitResult) > now)
			return output;
		const { since: addedAt, polls, seenOutstanding } = wait;
		const fullResult = { ...waitResult, addedAt, polls, seenOutstanding };
		const concluded = {
			...output,
			...(await definition.conclude(values, call, fullResult, wait.target)),
		};
		itemStates[call.itemIndex] = { output: concluded };
		return concluded;
	});
	results.forEach((result, index) => {
		if (!('error' in result)) return;
		const item = itemStates[index]!;
		if (!('failed' in item)) {
			const { wait, quorum } = item;
			result.error = quorum
				? withSentAdvice(result.error, quorum.sentStatement, 'those IDs')
				: withSentAdvice(result.error, wait?.target.sentStatement);
		}
		itemStates[index] = { failed: result.error };
	});
	return results;
}

/**
 * Returns when an outstanding wait ends. A service that rejects the credential cannot report that a request has expired, so
 * a wait without a limit then ends at the known expiry of the request.
 */
const waitEndsAt = (
	{ until, target: { expiresAt } }: ItemWait<WaitTarget>,
	{ rejection }: Pick<WaitResult, 'rejection'>,
): number => until ?? (rejection ? expiresAt : undefined) ?? Number.MAX_VALUE;
