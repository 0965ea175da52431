import type { PollDefinition } from '../http/pollOnce';
import type { Batch, ItemCall } from '../operation';
import { sleep } from '../sleep';
import { pollTogether } from '../wait/wait';
import type { IdWait } from '../wait/wait';
import { systemClock } from '../watch';
import { advanceQuorum } from './advanceQuorum';
import { logRejection } from './logRejection';
import { withSentAdvice } from './parkedState';
import type { ItemState, WaitTarget } from './parkedState';
import { toAwaitedId } from './polledConnection';
import type { AwaitedId } from './polledConnection';
import { openRequestsOf } from './quorumWait';
import type { PolledQuorum, QuorumDefinition, QuorumWait } from './quorumWait';

/** An item whose wait for several people has not ended. */
export interface OpenQuorum {
	call: ItemCall;
	quorum: QuorumWait;
}

export const openQuorumsOf = <W extends WaitTarget>(
	{ calls }: Pick<Batch, 'calls'>,
	itemStates: Array<ItemState<W>>,
): OpenQuorum[] =>
	itemStates.flatMap((item, index) =>
		'failed' in item || !item.quorum ? [] : [{ call: calls[index]!, quorum: item.quorum }],
	);

interface AdvanceOptions {
	/** How long one poll of a request is retried until the service gives a valid response. */
	pollTimeoutMs: number;
	toleratesRejection: boolean;
}

/**
 * Polls the open requests of all waits for several people, evaluates their policies and asks more people, until each wait
 * has ended or has nothing to do. If an item fails and the node does not continue on errors, no more people are asked.
 * Changes `itemStates`.
 */
export async function advanceQuorums<V, W extends WaitTarget>(
	batch: Batch<V>,
	itemStates: Array<ItemState<W>>,
	definition: QuorumDefinition<V>,
	{ pollTimeoutMs, toleratesRejection }: AdvanceOptions,
): Promise<void> {
	const active = new Set(openQuorumsOf(batch, itemStates).map(({ call }) => call));
	while (active.size > 0) {
		const polls = openQuorumsOf(batch, itemStates)
			.filter(({ call }) => active.has(call))
			.flatMap((openQuorum) => toPolls(openQuorum, definition, pollTimeoutMs));
		// A rejection is tolerated for each ID, since the service may reject the credential for some IDs only.
		// `advanceQuorum` decides about the item.
		const polledAt = Date.now();
		const waitResults = await pollTogether(polls, true);
		if (toleratesRejection) logRejection(waitResults);
		const results = await batch.each(async (values, call) => {
			const item = itemStates[call.itemIndex]!;
			if ('failed' in item || !item.quorum || !active.has(call)) return {};
			const ownWaits = [...waitResults].filter(([wait]) => wait.call === call);
			const poll = {
				results: new Map(ownWaits.map(([{ id }, waitResult]) => [id, waitResult])),
				polledAt,
				toleratesRejection,
			};
			const result = await advanceQuorum(values, call, item.quorum, definition, poll);
			if (result === 'again') return {};
			active.delete(call);
			if (result !== 'waits')
				itemStates[call.itemIndex] = { output: { ...item.output, ...result.finished } };
			return {};
		});
		results.forEach((result, index) => {
			if (!('error' in result)) return;
			// An item that failed before still has its own error.
			const item = itemStates[index]!;
			if (!('failed' in item))
				itemStates[index] = {
					failed: withSentAdvice(result.error, item.quorum?.sentStatement, 'those IDs'),
				};
			active.delete(batch.calls[index]!);
		});
		if (!batch.continueOnFail && itemStates.some((item) => 'failed' in item)) return;
	}
}

/** Evaluates the waits for several people repeatedly while the execution keeps running, for `maxMs` at most. */
export async function blockForQuorums<V, W extends WaitTarget>(
	batch: Batch<V>,
	itemStates: Array<ItemState<W>>,
	definition: QuorumDefinition<V>,
	{ maxMs, isDone, ...options }: AdvanceOptions & { maxMs: number; isDone: () => boolean },
): Promise<void> {
	const endsAt = systemClock.monotonic() + maxMs;
	for (;;) {
		const openQuorums = openQuorumsOf(batch, itemStates);
		const leftMs = endsAt - systemClock.monotonic();
		if (openQuorums.length === 0 || leftMs <= 0 || isDone()) return;
		const intervalMs = Math.min(...openQuorums.map(({ quorum }) => quorum.intervalMs));
		await sleep(Math.min(intervalMs, leftMs), openQuorums[0]!.call.client.options.signal);
		await advanceQuorums(batch, itemStates, definition, options);
	}
}

const toPolls = <V>(
	{ call, quorum }: OpenQuorum,
	{ poll }: QuorumDefinition<V>,
	maxWaitMs: number,
): IdWait[] =>
	openRequestsOf(quorum).map((request) => ({
		call,
		...awaitedIdOf(request, quorum, poll),
		maxWaitMs,
	}));

const awaitedIdOf = (
	{ id, person }: { id: string; person: string },
	quorum: QuorumWait,
	poll: PollDefinition,
): AwaitedId => toAwaitedId(poll, { id, subject: person }, quorum);

/** Returns the data that the poller needs of a wait: plain data, without a reference to the execution. */
export function toPolledQuorum<V>(
	{ quorum }: OpenQuorum,
	{ poll }: QuorumDefinition<V>,
): PolledQuorum {
	const { policy, progress } = quorum;
	const requests = openRequestsOf(quorum).map((request): [typeof request, AwaitedId] => [
		request,
		awaitedIdOf(request, quorum, poll),
	]);
	return { policy, progress, requests: new Map(requests) };
}
