import type { EngineRequest } from 'n8n-workflow';

import { BadInput } from '../errors';
import { parkedStateOf } from '../n8n/suspend';
import type { Batch, ItemCall, ItemResult } from '../operation';
import {
	intervalOf,
	MAX_BLOCKING_WAIT_S,
	pollTogether,
	secondsToWait,
	waitTogether,
} from '../wait/wait';
import type { WaitResults, WaitValues } from '../wait/wait';
import { findBlockingReason } from './blockingReason';
import {
	applyWaitResults,
	durationOf,
	durationsOf,
	firstOpenCall,
	openWaitsOf,
	toWait,
} from './itemWaits';
import { logRejection } from './logRejection';
import { fromParkedState, UNREADABLE_STATE } from './parkedState';
import type { ItemState, ItemWait, WaitTarget } from './parkedState';
import { poller } from './poller';
import { advanceQuorums, blockForQuorums, openQuorumsOf } from './quorums';
import { continueQuorum } from './quorumWait';
import type { QuorumWait } from './quorumWait';
import { senderOf } from './sender';
import { waitThroughStartup } from './startup';
import { parkAndTrack, restoreTracking } from './tracking';
import type { BegunItem, WaitDefinition } from './waitDefinition';
import { SHORT_WAIT_MS } from './waitTimes';

export type { WaitTarget } from './parkedState';
export type { BegunItem, WaitDefinition } from './waitDefinition';

/** How long one poll retries while the service gives no valid response, for example because it is unavailable. */
const POLL_TIMEOUT_MS = 30_000;

const NO_RESULTS: WaitResults = new Map();

/**
 * Begins every item with the engine's concurrency limit and locks, then waits for all items together. Parks the execution.
 * If n8n cannot park it, or if all waits are short (SHORT_WAIT_MS), the wait blocks instead. An item that has begun does not
 * begin again on retries and resumes. If an item fails to begin, or fails at a poll before parking, and the node does not
 * continue on errors, the run ends without waiting for the other items. A blocking wait waits for all items, except if
 * several people decide.
 */
export async function beginAndWait<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	definition: WaitDefinition<V, W>,
): Promise<ItemResult[] | EngineRequest> {
	const parkedState = parkedStateOf(batch.context);
	if (parkedState !== undefined) {
		const itemStates = fromParkedState<W>(parkedState, batch.calls.length);
		// Beginning again would send every request a second time.
		if (!itemStates) return batch.calls.map(() => ({ error: new BadInput(...UNREADABLE_STATE) }));
		for (const [index, item] of itemStates.entries())
			if ('quorum' in item && item.quorum)
				item.quorum = continueQuorum(batch.calls[index]!, item.quorum);
		restoreTracking(batch, definition, itemStates, parkedState);
		if (poller.lastResumeProblem !== undefined)
			batch.calls[0]?.hint(toResumeHint(poller.lastResumeProblem));
		return await pollOrPark(batch, definition, itemStates, true);
	}
	// Checked before anything is sent: if parking turned out to be impossible afterwards, n8n would lose the result.
	const blockingReason = findBlockingReason(batch.context);
	const { itemStates, results } = await beginAll(batch, definition);
	const durations = durationsOf(batch, itemStates);
	if (durations.length === 0 || mustStop(batch, itemStates)) return results;
	const isShort = durations.every((ms) => ms <= SHORT_WAIT_MS);
	if (blockingReason === undefined && !isShort)
		return await pollOrPark(batch, definition, itemStates, false);
	return await waitBlocking(batch, definition, itemStates, blockingReason);
}

/** Whether the run ends now, because an item failed and the node does not continue on errors. */
const mustStop = <W extends WaitTarget>(
	{ continueOnFail }: Pick<Batch, 'continueOnFail'>,
	itemStates: Array<ItemState<W>>,
) => !continueOnFail && itemStates.some((item) => 'failed' in item);

async function beginAll<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	{ begin }: WaitDefinition<V, W>,
): Promise<{ itemStates: Array<ItemState<W>>; results: ItemResult[] }> {
	const begunItems = new Map<
		ItemCall,
		{ item: BegunItem<W>; seconds: number; intervalMs: number }
	>();
	const results = await batch.each(async (values, call) => {
		const timing = { seconds: secondsToWait(values), intervalMs: intervalOf(values) };
		const item = await call.journal.runOnce(async () => await begin(values, call));
		begunItems.set(call, { item, ...timing });
		return item.output;
	});
	const since = Date.now();
	const itemStates = results.map((result, index): ItemState<W> => {
		if ('error' in result) return { failed: result.error };
		const { item, seconds, intervalMs } = begunItems.get(batch.calls[index]!)!;
		const { output, wait: target, quorum } = item;
		if (quorum) {
			const begun = startQuorum(quorum, since, intervalMs);
			return { output, quorum: continueQuorum(batch.calls[index]!, begun) };
		}
		if (!target) return { output };
		const until = Number.isFinite(seconds) ? since + 1000 * seconds : undefined;
		return { output, wait: { target, since, until, intervalMs, polls: 0, seenOutstanding: false } };
	});
	return { itemStates, results };
}

/** Copies the policy and the data, because the journal returns the same object to a repeated run. */
const startQuorum = (
	{ policy, data }: Pick<QuorumWait, 'policy' | 'data'>,
	since: number,
	intervalMs: number,
): QuorumWait => ({
	...structuredClone({ policy, data }),
	progress: { level: 0, levelStartedAt: since, requests: [] },
	since,
	intervalMs,
});

/** Waits while the execution keeps running, for an hour at most. */
async function waitBlocking<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	definition: WaitDefinition<V, W>,
	itemStates: Array<ItemState<W>>,
	blockingReason: string | undefined,
): Promise<ItemResult[]> {
	const openWaits = openWaitsOf(batch, itemStates);
	const maxMs = 1000 * MAX_BLOCKING_WAIT_S;
	if (blockingReason !== undefined) {
		const isShortened = durationsOf(batch, itemStates).some((ms) => ms > maxMs);
		const limit = isShortened
			? ' It waited for one hour at most; use the trigger for longer waits.'
			: '';
		firstOpenCall(batch, itemStates).hint(
			`The execution kept running while it waited, since ${blockingReason}.${limit}`,
		);
	}
	const maxWaitMsOf = (wait: ItemWait<W>) => Math.min(durationOf(wait), maxMs);
	const [waitResults] = await Promise.all([
		waitTogether(openWaits.map(toWait(definition, maxWaitMsOf))),
		blockUntilDecided(batch, definition, itemStates, maxMs),
	]);
	return await applyWaitResults(batch, definition, itemStates, waitResults, Infinity);
}

/** Asks several people and waits for them while the execution keeps running. All waits end after `maxMs` at the latest. */
async function blockUntilDecided<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	{ quorum: quorumDefinition }: WaitDefinition<V, W>,
	itemStates: Array<ItemState<W>>,
	maxMs: number,
): Promise<void> {
	if (!quorumDefinition) return;
	for (const { quorum } of openQuorumsOf(batch, itemStates))
		quorum.policy.limitAt = Math.min(quorum.policy.limitAt ?? Infinity, quorum.since + maxMs);
	const options = { pollTimeoutMs: POLL_TIMEOUT_MS, toleratesRejection: false };
	await advanceQuorums(batch, itemStates, quorumDefinition, options);
	const isDone = () => mustStop(batch, itemStates);
	await blockForQuorums(batch, itemStates, quorumDefinition, {
		...options,
		maxMs: Infinity,
		isDone,
	});
}

/**
 * Polls the open waits, and parks the execution if some stay open. A rejected credential fails the items on the first poll,
 * while a user may be watching. An execution that was parked before is parked again instead. If the service marks the
 * rejection as permanent, its items fail.
 */
async function pollOrPark<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	definition: WaitDefinition<V, W>,
	itemStates: Array<ItemState<W>>,
	wasParked: boolean,
): Promise<ItemResult[] | EngineRequest> {
	const waits = openWaitsOf(batch, itemStates).map(toWait(definition, () => POLL_TIMEOUT_MS));
	const waitResults = await pollTogether(waits, wasParked);
	logRejection(waitResults);
	let results = await applyWaitResults(batch, definition, itemStates, waitResults, Date.now());
	const { quorum: quorumDefinition } = definition;
	const pollOptions = { pollTimeoutMs: POLL_TIMEOUT_MS, toleratesRejection: wasParked };
	if (quorumDefinition && !mustStop(batch, itemStates)) {
		await advanceQuorums(batch, itemStates, quorumDefinition, pollOptions);
		results = await applyWaitResults(batch, definition, itemStates, NO_RESULTS, Date.now());
	}
	const isDone = () => durationsOf(batch, itemStates).length === 0 || mustStop(batch, itemStates);
	if (wasParked && !isDone()) {
		const sender = senderOf(firstOpenCall(batch, itemStates));
		await waitThroughStartup(batch.context, sender, async (ms) => {
			const now = Date.now();
			const maxWaitMsOf = ({ until = Infinity }: ItemWait<W>) =>
				Math.max(1, Math.min(ms, until - now));
			const remaining = openWaitsOf(batch, itemStates).map(toWait(definition, maxWaitMsOf));
			const [later] = await Promise.all([
				waitTogether(remaining, true),
				quorumDefinition &&
					blockForQuorums(batch, itemStates, quorumDefinition, {
						...pollOptions,
						maxMs: ms,
						isDone,
					}),
			]);
			results = await applyWaitResults(batch, definition, itemStates, later, Date.now());
			return !isDone();
		});
	}
	if (isDone()) return results;
	return parkAndTrack(batch, definition, itemStates, !wasParked);
}

const toResumeHint = (problem: string) =>
	`n8n couldn't be told to continue: at its own address ${problem}. Until this is fixed, decisions are noticed up to five minutes late. Check N8N_WEBHOOK_URL (in older n8n WEBHOOK_URL): it must be the same for all n8n processes and reachable from each.`;
