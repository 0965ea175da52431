import type { EngineRequest, IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import type { PollDefinition } from '../http/pollOnce';
import { parkedStateOf } from '../n8n/suspend';
import { resumeUrlOf, statusUrlOf } from '../n8n/waitingWebhook';
import type { Batch, Call, Result } from '../operation';
import {
	intervalOf,
	MAX_BLOCKING_WAIT_S,
	pollTogether,
	secondsToWait,
	STILL_OUTSTANDING,
	waitTogether,
} from '../wait/wait';
import type { Wait, WaitResult, WaitResults, WaitValues } from '../wait/wait';
import type { EndedId } from '../watch';
import { findBlockingReason } from './blockingReason';
import { fromParkedState, noRepeatAdvice, toParkedState } from './parkedState';
import type { ItemState, ItemWait, WaitTarget } from './parkedState';
import { poller } from './poller';
import { logRejection } from './rejection';
import { senderOf } from './sender';
import { waitThroughStartup } from './startup';
import { requestPark } from './step';
import { chooseResumeTime, SHORT_WAIT_MS, slowDownPolling } from './times';

export type { WaitTarget } from './parkedState';

/** How long one poll retries while the service gives no valid answer, for example because it is unavailable. */
const POLL_TIMEOUT_MS = 30_000;

const ANOTHER_VERSION = [
	"This execution was parked by another version of the pack, which this version can't read",
	"The request it waits for was sent anyway: check it in the service, and don't repeat this step.",
] as const;

/** Output of an item that has begun, and what the item waits for, if anything. */
export interface BegunItem<W extends WaitTarget = WaitTarget> {
	output: IDataObject;
	wait?: W;
}

/** How an operation waits. n8n stores `W` with the execution, across restarts, so `W` is plain JSON. */
export interface WaitDefinition<V, W extends WaitTarget> {
	begin: (values: V, call: Call) => Promise<BegunItem<W>>;
	/**
	 * Returns how to poll the target. Must return a shared constant and not create an object: the poller keeps it after the
	 * execution was parked, and polls together only IDs with the identical object.
	 */
	poll: (target: W) => PollDefinition;
	/** Returns the fields that the end adds to the output of its item, or throws to fail the item. */
	conclude: (values: V, call: Call, end: EndedId, on: W) => IDataObject | Promise<IDataObject>;
}

/**
 * Begins every item with the engine's concurrency limit and locks, then waits for all items together. Parks the execution,
 * unless n8n cannot park it or all waits are short (SHORT_WAIT_MS): then the wait blocks. An item that has begun does not
 * begin again on retries and resumes. If beginning an item or polling before parking fails an item, and the node does not
 * continue on errors, the run ends without waiting for the others; a blocking wait always waits for all.
 */
export async function beginAndWait<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	waiting: WaitDefinition<V, W>,
): Promise<Result[] | EngineRequest> {
	const stored = parkedStateOf(batch.context);
	if (stored !== undefined) {
		const items = fromParkedState<W>(stored);
		// Beginning again would send every request a second time.
		if (!items) return batch.calls.map(() => ({ error: new BadInput(...ANOTHER_VERSION) }));
		poller.untrack(keyOf(batch));
		if (poller.lastResumeProblem !== undefined)
			batch.calls[0]?.hint(toResumeHint(poller.lastResumeProblem));
		return await pollOrPark(batch, waiting, items, true);
	}
	// Checked before anything is sent: n8n would lose the result if parking turned out to be impossible afterwards.
	const blockingReason = findBlockingReason(batch.context);
	const { items, results } = await beginAll(batch, waiting);
	const open = openWaitsOf(batch, items);
	if (open.length === 0 || mustStop(batch, items)) return results;
	const isShort = open.every(({ wait }) => durationOf(wait) <= SHORT_WAIT_MS);
	if (blockingReason === undefined && !isShort)
		return await pollOrPark(batch, waiting, items, false);
	return await waitBlocking(batch, waiting, items, blockingReason);
}

/** An item whose wait has not ended. */
interface OpenWait<W extends WaitTarget> {
	call: Call;
	wait: ItemWait<W>;
}

const durationOf = ({ since, until = Infinity }: ItemWait<WaitTarget>) => until - since;

const keyOf = ({ context }: Pick<Batch, 'context'>) =>
	`${context.getExecutionId()}:${context.getNode().id}`;

/** Whether the run ends now, because an item failed and the node does not continue on errors. */
const mustStop = <W extends WaitTarget>(
	{ continueOnFail }: Pick<Batch, 'continueOnFail'>,
	items: Array<ItemState<W>>,
) => !continueOnFail && items.some((item) => 'failed' in item);

async function beginAll<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	{ begin }: WaitDefinition<V, W>,
): Promise<{ items: Array<ItemState<W>>; results: Result[] }> {
	const begun = new Map<Call, { item: BegunItem<W>; seconds: number; intervalMs: number }>();
	const results = await batch.each(async (values, call) => {
		const timing = { seconds: secondsToWait(values), intervalMs: intervalOf(values) };
		const item = await call.journal.runOnce(async () => await begin(values, call));
		begun.set(call, { item, ...timing });
		return item.output;
	});
	const since = Date.now();
	const items = results.map((result, index): ItemState<W> => {
		if ('error' in result) return { failed: result.error };
		const { item, seconds, intervalMs } = begun.get(batch.calls[index]!)!;
		const { output, wait: target } = item;
		if (!target) return { output };
		const until = Number.isFinite(seconds) ? since + 1000 * seconds : undefined;
		return { output, wait: { target, since, until, intervalMs, polls: 0, seenOutstanding: false } };
	});
	return { items, results };
}

const openWaitsOf = <W extends WaitTarget>(
	{ calls }: Pick<Batch, 'calls'>,
	items: Array<ItemState<W>>,
): Array<OpenWait<W>> =>
	items.flatMap((item, index) =>
		'failed' in item || !item.wait ? [] : [{ call: calls[index]!, wait: item.wait }],
	);

/** Waits while the execution keeps running, for an hour at most. */
async function waitBlocking<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	waiting: WaitDefinition<V, W>,
	items: Array<ItemState<W>>,
	blockingReason: string | undefined,
): Promise<Result[]> {
	const open = openWaitsOf(batch, items);
	const maxMs = 1000 * MAX_BLOCKING_WAIT_S;
	if (blockingReason !== undefined) {
		const isShortened = open.some(({ wait }) => durationOf(wait) > maxMs);
		const limit = isShortened
			? ' It waited for one hour at most; use the trigger for longer waits.'
			: '';
		open[0]!.call.hint(
			`The execution kept running while it waited, since ${blockingReason}.${limit}`,
		);
	}
	const deadline = (wait: ItemWait<W>) => Math.min(durationOf(wait), maxMs);
	const ends = await waitTogether(open.map(toWait(waiting, deadline)));
	return await applyWaitResults(batch, waiting, items, ends, Infinity);
}

/**
 * Polls the open waits, and parks the execution if some stay open. A rejected credential fails the items on the first poll,
 * while a user may be watching. An execution that was parked before is parked again instead, unless the service marks the
 * rejection as permanent: then the items fail.
 */
async function pollOrPark<V extends WaitValues, W extends WaitTarget>(
	batch: Batch<V>,
	waiting: WaitDefinition<V, W>,
	items: Array<ItemState<W>>,
	wasParked: boolean,
): Promise<Result[] | EngineRequest> {
	const waits = openWaitsOf(batch, items).map(toWait(waiting, () => POLL_TIMEOUT_MS));
	const ends = await pollTogether(waits, wasParked);
	logRejection(ends);
	let results = await applyWaitResults(batch, waiting, items, ends, Date.now());
	const isDone = () => openWaitsOf(batch, items).length === 0 || mustStop(batch, items);
	if (wasParked && !isDone()) {
		await waitThroughStartup(batch.context, async (ms) => {
			const now = Date.now();
			const deadline = ({ until = Infinity }: ItemWait<W>) =>
				Math.max(1, Math.min(ms, until - now));
			const remaining = openWaitsOf(batch, items).map(toWait(waiting, deadline));
			const later = await waitTogether(remaining, true);
			results = await applyWaitResults(batch, waiting, items, later, Date.now());
		});
	}
	if (isDone()) return results;
	const open = openWaitsOf(batch, items);
	const endsAt = Math.max(...open.map(({ wait: { until = Infinity } }) => until));
	const now = Date.now();
	const until = chooseResumeTime(now, endsAt);
	const ids = open.map(({ wait: { target, since, intervalMs } }) => ({
		...toPollInput(waiting.poll(target), target),
		intervalMs: slowDownPolling(intervalMs, now - since),
	}));
	const { context } = batch;
	const urls = { url: resumeUrlOf(context), statusUrl: statusUrlOf(context) };
	const parked = { key: keyOf(batch), ...urls, until, endsAt, ids };
	const sender = senderOf(open[0]!.call);
	return requestPark(context, toParkedState(items, batch), {
		until,
		onParked: () => poller.track(parked, sender),
	});
}

/** Returns the input of a poll. Includes the subject only if the poll's result depends on it. */
const toPollInput = (poll: PollDefinition, { id, subject }: WaitTarget) => ({
	id,
	poll,
	...(poll.dependsOnSubject && { subject }),
});

const toWait =
	<V, W extends WaitTarget>(
		{ poll }: WaitDefinition<V, W>,
		deadline: (wait: ItemWait<W>) => number,
	) =>
	({ call, wait }: OpenWait<W>): Wait => ({
		call,
		...toPollInput(poll(wait.target), wait.target),
		maxWaitMs: deadline(wait),
		intervalMs: wait.intervalMs,
	});

/**
 * Applies the results of a poll to the items, and returns the output of each item so far. An outstanding item stays open until
 * its own time limit. An item that has ended is concluded at once, so that only its output has to be stored.
 */
async function applyWaitResults<V, W extends WaitTarget>(
	batch: Batch<V>,
	waiting: WaitDefinition<V, W>,
	items: Array<ItemState<W>>,
	ends: WaitResults,
	now: number,
): Promise<Result[]> {
	const results = await batch.each(async (values, call) => {
		const item = items[call.itemIndex]!;
		if ('failed' in item) throw item.failed;
		const { output, wait } = item;
		const end = ends.get(call);
		if (!wait || !end) return output;
		if (end instanceof Error)
			throw wait.target.effect ? withNoRepeatAdvice(end, wait.target.effect) : end;
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
		if ('error' in result) items[index] = { failed: result.error };
	});
	return results;
}

/**
 * Returns when an outstanding wait ends. A service that rejects the credential cannot report that a request has expired, so a
 * wait without a limit then ends at the expiry that is known.
 */
const waitEndsAt = (
	{ until, target: { expiresAt } }: ItemWait<WaitTarget>,
	{ rejected }: Pick<WaitResult, 'rejected'>,
): number => until ?? (rejected ? expiresAt : undefined) ?? Number.MAX_VALUE;

/** Adds to the failure of a wait that the item's own request was sent anyway and has an ID, so the step must not be repeated. */
function withNoRepeatAdvice(failure: Error, effect: string): Error {
	if (!(failure instanceof ServiceFailure)) return failure;
	const { message, status, code, body, statedCause, advice } = failure;
	const fullAdvice = [advice, noRepeatAdvice(effect)].filter(Boolean).join(' ');
	return new ServiceFailure(message, { status, code, body, statedCause, advice: fullAdvice });
}

const toResumeHint = (problem: string) =>
	`n8n couldn't be told to continue: at its own address ${problem}. Until this is fixed, decisions are noticed up to five minutes late. Check WEBHOOK_URL: it must be the same for all n8n processes and reachable from each.`;
