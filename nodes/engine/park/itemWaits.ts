import type { PollDefinition } from '../http/pollOnce';
import type { Batch, ItemCall, ItemResult } from '../operation';
import { STILL_OUTSTANDING } from '../wait/wait';
import type { IdWait, WaitResult, WaitResults } from '../wait/wait';
import { withSentAdvice } from './parkedState';
import type { ItemState, ItemWait, WaitTarget } from './parkedState';
import type { poller } from './poller';
import { openQuorumsOf, toPolledQuorum } from './quorums';
import { createDueCheck } from './quorumWait';
import type { WaitDefinition } from './waitDefinition';
import { slowDownPolling } from './waitTimes';

/** An item whose wait has not ended. */
export interface OpenWait<W extends WaitTarget> {
	call: ItemCall;
	wait: ItemWait<W>;
}

export const durationOf = ({ since, until = Infinity }: ItemWait<WaitTarget>) => until - since;

/** Returns how long each open wait lasts at most. */
export const durationsOf = <W extends WaitTarget>(
	batch: Pick<Batch, 'calls'>,
	items: Array<ItemState<W>>,
): number[] => [
	...openWaitsOf(batch, items).map(({ wait }) => durationOf(wait)),
	...openQuorumsOf(batch, items).map(
		({ quorum: { policy, since } }) => (policy.limitAt ?? Infinity) - since,
	),
];

export const openWaitsOf = <W extends WaitTarget>(
	{ calls }: Pick<Batch, 'calls'>,
	items: Array<ItemState<W>>,
): Array<OpenWait<W>> =>
	items.flatMap((item, index) =>
		'failed' in item || !item.wait ? [] : [{ call: calls[index]!, wait: item.wait }],
	);

/** Returns the call of an open wait. Parameters of a failed item may not be readable. */
export const firstOpenCall = <W extends WaitTarget>(
	batch: Pick<Batch, 'calls'>,
	items: Array<ItemState<W>>,
): ItemCall => [...openWaitsOf(batch, items), ...openQuorumsOf(batch, items)][0]!.call;

/**
 * Returns what the poller polls for the open waits, and when it resumes the execution. The result references no execution.
 */
export function toPollerInput<V, W extends WaitTarget>(
	batch: Batch<V>,
	waiting: WaitDefinition<V, W>,
	items: Array<ItemState<W>>,
	now: number,
): Pick<Parameters<typeof poller.track>[0], 'ids' | 'isDue' | 'endsAt'> {
	const open = openWaitsOf(batch, items);
	const single = open.map(({ wait: { target, since, intervalMs } }) => ({
		...toPollInput(waiting.poll(target), target),
		intervalMs: slowDownPolling(intervalMs, now - since),
	}));
	const openQuorums = openQuorumsOf(batch, items);
	const quorums = openQuorums.map((one) => toPolledQuorum(one, waiting.quorum!, now));
	return {
		ids: [...single, ...quorums.flatMap(({ requests }) => [...requests.values()])],
		isDue: createDueCheck(single, quorums),
		// The node returns all items together, so the time limit of a single item does not resume the execution. A policy
		// that has something to do does resume it.
		endsAt:
			openQuorums.length > 0
				? Math.min(...openQuorums.map(({ quorum: { nextActionAt = Infinity } }) => nextActionAt))
				: Math.max(...open.map(({ wait: { until = Infinity } }) => until)),
	};
}

/** Returns the input of a poll. Includes the subject only if the poll's result depends on it. */
const toPollInput = (poll: PollDefinition, { id, subject }: WaitTarget) => ({
	id,
	poll,
	...(poll.dependsOnSubject && { subject }),
});

export const toWait =
	<V, W extends WaitTarget>(
		{ poll }: WaitDefinition<V, W>,
		maxWaitMsOf: (wait: ItemWait<W>) => number,
	) =>
	({ call, wait }: OpenWait<W>): IdWait => ({
		call,
		...toPollInput(poll(wait.target), wait.target),
		maxWaitMs: maxWaitMsOf(wait),
		intervalMs: wait.intervalMs,
	});

/**
 * Applies the results of a poll to the items, and returns the output of each item so far. An outstanding item stays open until
 * its own time limit. An item that has ended is concluded at once, so that only its output has to be stored.
 */
export async function applyWaitResults<V, W extends WaitTarget>(
	batch: Batch<V>,
	waiting: WaitDefinition<V, W>,
	items: Array<ItemState<W>>,
	waitResults: WaitResults,
	now: number,
): Promise<ItemResult[]> {
	const endOf = new Map([...waitResults].map(([wait, end]) => [wait.call, end]));
	const results = await batch.each(async (values, call) => {
		const item = items[call.itemIndex]!;
		if ('failed' in item) throw item.failed;
		const { output, wait } = item;
		const end = endOf.get(call);
		if (!wait || !end) return output;
		if (end instanceof Error) throw withSentAdvice(end, wait.target.effect);
		wait.polls += end.polls;
		wait.seenOutstanding ||= end.seenOutstanding;
		if (end.outcome === STILL_OUTSTANDING && waitEndsAt(wait, end) > now) return output;
		const { since: firstSeen, polls, seenOutstanding } = wait;
		const fullResult = { ...end, firstSeen, polls, seenOutstanding };
		const concluded = {
			...output,
			...(await waiting.conclude(values, call, fullResult, wait.target)),
		};
		items[call.itemIndex] = { output: concluded };
		return concluded;
	});
	results.forEach((result, index) => {
		if (!('error' in result)) return;
		const item = items[index]!;
		const effect = 'failed' in item ? undefined : item.quorum?.effect;
		result.error = withSentAdvice(result.error, effect, 'those IDs');
		items[index] = { failed: result.error };
	});
	return results;
}

/**
 * Returns when an outstanding wait ends. A service that rejects the credential cannot report that a request has expired, so
 * a wait without a limit then ends at the known expiry of the request.
 */
const waitEndsAt = (
	{ until, target: { expiresAt } }: ItemWait<WaitTarget>,
	{ rejected }: Pick<WaitResult, 'rejected'>,
): number => until ?? (rejected ? expiresAt : undefined) ?? Number.MAX_VALUE;
