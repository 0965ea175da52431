import type { EngineRequest, IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import { keptBy } from '../n8n/suspend';
import { resumeUrlOf, statusUrlOf } from '../n8n/waitingWebhook';
import type { Batch, Call, Result } from '../operation';
import type { Ended } from '../trigger/ids/core';
import type { Question } from '../wait/ask';
import {
	intervalOf,
	LONGEST_HELD,
	lookTogether,
	secondsToWait,
	STILL_OUTSTANDING,
	waitTogether,
} from '../wait/wait';
import type { Ends, Wait, WaitEnd, WaitValues } from '../wait/wait';
import { doneAnyway, fromKept, toKept } from './parkedState';
import type { Item, ItemWait, WaitedFor } from './parkedState';
import { poller } from './poller';
import { logRejection } from './rejection';
import { senderOf } from './sender';
import { waitThroughStartup } from './startup';
import { askToRest } from './step';
import { rarer, restUntil, SHORT_MS } from './times';
import { whyHeld } from './blockingReason';

export type { WaitedFor } from './parkedState';

/** How long a look may take where the service is not well. */
const LOOK_MS = 30_000;

const ANOTHER_VERSION = [
	"This execution was parked by another version of the pack, which this version can't read",
	"The request it waits for was sent anyway: check it in the service, and don't repeat this step.",
] as const;

/** What an item puts out once it has begun, and what it waits for, if it does. */
export interface Begun<W extends WaitedFor = WaitedFor> {
	output: IDataObject;
	wait?: W;
}

/** How an operation waits. What is waited for is kept across restarts, so it is plain JSON. */
export interface Waiting<V, W extends WaitedFor> {
	begin: (values: V, call: Call) => Promise<Begun<W>>;
	/** How it is asked after: a constant, since it outlives the execution. */
	question: (on: W) => Question;
	/** What an end adds to the output of its item; or it throws. */
	conclude: (values: V, call: Call, end: Ended, on: W) => IDataObject | Promise<IDataObject>;
}

/**
 * Has every item begin by the engine's rules, and then waits for all of them together: with the execution parked where n8n can
 * do that, and held where it cannot. An item begins once, whatever happens. Where an item has failed and the user did not
 * choose to go on, nobody is kept waiting.
 */
export async function beginAndWait<V extends WaitValues, W extends WaitedFor>(
	batch: Batch<V>,
	waiting: Waiting<V, W>,
): Promise<Result[] | EngineRequest> {
	const stored = keptBy(batch.context);
	if (stored !== undefined) {
		const kept = fromKept<W>(stored);
		// Beginning anew would send everything again.
		if (!kept) return batch.calls.map(() => ({ error: new BadInput(...ANOTHER_VERSION) }));
		poller.forget(keyOf(batch));
		if (poller.trouble !== undefined) batch.calls[0]?.hint(unreached(poller.trouble));
		return await goOn(batch, waiting, kept, true);
	}
	// Before anything is sent: what could not be parked afterwards would be lost.
	const why = whyHeld(batch.context);
	const { items, first } = await beginAll(batch, waiting);
	const open = waitsIn(batch, items);
	if (open.length === 0 || isOver(batch, items)) return first;
	const isShort = open.every(({ wait }) => timeFor(wait) <= SHORT_MS);
	if (why === undefined && !isShort) return await goOn(batch, waiting, items, false);
	return await hold(batch, waiting, items, why);
}

/** An item that waits. */
interface Open<W extends WaitedFor> {
	call: Call;
	wait: ItemWait<W>;
}

const timeFor = ({ since, until = Infinity }: ItemWait<WaitedFor>) => until - since;

const keyOf = ({ context }: Pick<Batch, 'context'>) =>
	`${context.getExecutionId()}:${context.getNode().id}`;

/** Whether the run is over because of an item that failed. */
const isOver = <W extends WaitedFor>(
	{ continueOnFail }: Pick<Batch, 'continueOnFail'>,
	items: Array<Item<W>>,
) => !continueOnFail && items.some((item) => 'failed' in item);

async function beginAll<V extends WaitValues, W extends WaitedFor>(
	batch: Batch<V>,
	{ begin }: Waiting<V, W>,
): Promise<{ items: Array<Item<W>>; first: Result[] }> {
	const begun = new Map<Call, { item: Begun<W>; seconds: number; intervalMs: number }>();
	const first = await batch.each(async (values, call) => {
		const pace = { seconds: secondsToWait(values), intervalMs: intervalOf(values) };
		const item = await call.journal.once(async () => await begin(values, call));
		begun.set(call, { item, ...pace });
		return item.output;
	});
	const since = Date.now();
	const items = first.map((result, index): Item<W> => {
		if ('error' in result) return { failed: result.error };
		const { item, seconds, intervalMs } = begun.get(batch.calls[index]!)!;
		const { output, wait: on } = item;
		if (!on) return { output };
		const until = Number.isFinite(seconds) ? since + 1000 * seconds : undefined;
		return { output, wait: { on, since, until, intervalMs, polls: 0, seen: false } };
	});
	return { items, first };
}

/** The items whose wait has not ended. */
const waitsIn = <W extends WaitedFor>(
	{ calls }: Pick<Batch, 'calls'>,
	items: Array<Item<W>>,
): Array<Open<W>> =>
	items.flatMap((item, index) =>
		'failed' in item || !item.wait ? [] : [{ call: calls[index]!, wait: item.wait }],
	);

/** Waits with the execution running, for an hour at most. */
async function hold<V extends WaitValues, W extends WaitedFor>(
	batch: Batch<V>,
	waiting: Waiting<V, W>,
	items: Array<Item<W>>,
	why: string | undefined,
): Promise<Result[]> {
	const open = waitsIn(batch, items);
	const most = 1000 * LONGEST_HELD;
	if (why !== undefined) {
		const isCut = open.some(({ wait }) => timeFor(wait) > most);
		const limit = isCut ? ' It waited for one hour at most; use the trigger for longer waits.' : '';
		open[0]!.call.hint(`The execution kept running while it waited, since ${why}.${limit}`);
	}
	const deadline = (wait: ItemWait<W>) => Math.min(timeFor(wait), most);
	const ends = await waitTogether(open.map(asked(waiting, deadline)));
	return await conclude(batch, waiting, items, ends, Infinity);
}

/**
 * Polls the open waits, and parks the execution if some stay open. A credential that is rejected fails the first poll,
 * while a user may be watching; an execution that was parked before stays parked.
 */
async function goOn<V extends WaitValues, W extends WaitedFor>(
	batch: Batch<V>,
	waiting: Waiting<V, W>,
	items: Array<Item<W>>,
	wasParked: boolean,
): Promise<Result[] | EngineRequest> {
	const looks = waitsIn(batch, items).map(asked(waiting, () => LOOK_MS));
	const ends = await lookTogether(looks, wasParked);
	logRejection(ends);
	let results = await conclude(batch, waiting, items, ends, Date.now());
	const isDone = () => waitsIn(batch, items).length === 0 || isOver(batch, items);
	if (wasParked && !isDone()) {
		await waitThroughStartup(batch.context, async (ms) => {
			const now = Date.now();
			const deadline = ({ until = Infinity }: ItemWait<W>) =>
				Math.max(1, Math.min(ms, until - now));
			const waits = waitsIn(batch, items).map(asked(waiting, deadline));
			const later = await waitTogether(waits, true);
			results = await conclude(batch, waiting, items, later, Date.now());
		});
	}
	if (isDone()) return results;
	const open = waitsIn(batch, items);
	const endsAt = Math.max(...open.map(({ wait: { until = Infinity } }) => until));
	const now = Date.now();
	const until = restUntil(now, endsAt);
	const ids = open.map(({ wait: { on, since, intervalMs } }) => ({
		...inquiry(waiting.question(on), on),
		intervalMs: rarer(intervalMs, now - since),
	}));
	const { context } = batch;
	const urls = { url: resumeUrlOf(context), statusUrl: statusUrlOf(context) };
	const parked = { key: keyOf(batch), ...urls, until, endsAt, ids };
	const sender = senderOf(open[0]!.call);
	return askToRest(context, toKept(items, batch), {
		until,
		parked: () => poller.attend(parked, sender),
	});
}

/** How the service is asked about something: with the subject only if the question goes by it. */
const inquiry = (question: Question, { id, subject }: WaitedFor) => ({
	id,
	question,
	...(question.bySubject && { subject }),
});

const asked =
	<V, W extends WaitedFor>({ question }: Waiting<V, W>, deadline: (wait: ItemWait<W>) => number) =>
	({ call, wait }: Open<W>): Wait => ({
		call,
		...inquiry(question(wait.on), wait.on),
		deadlineMs: deadline(wait),
		intervalMs: wait.intervalMs,
	});

/**
 * Takes in what was found out, and gives what every item puts out by now. What is outstanding stays open until its own time is
 * over. What has ended is concluded at once, so that nothing but the output has to be kept of it.
 */
async function conclude<V, W extends WaitedFor>(
	batch: Batch<V>,
	waiting: Waiting<V, W>,
	items: Array<Item<W>>,
	ends: Ends,
	now: number,
): Promise<Result[]> {
	const results = await batch.each(async (values, call) => {
		const item = items[call.itemIndex]!;
		if ('failed' in item) throw item.failed;
		const { output, wait } = item;
		const end = ends.get(call);
		if (!wait || !end) return output;
		if (end instanceof Error) throw wait.on.done ? afterBeginning(end, wait.on.done) : end;
		wait.polls += end.polls;
		wait.seen ||= end.seenOutstanding;
		if (end.outcome === STILL_OUTSTANDING && endsAt(wait, end) > now) return output;
		const whole = { ...end, firstSeen: wait.since, polls: wait.polls, seenOutstanding: wait.seen };
		const concluded = { ...output, ...(await waiting.conclude(values, call, whole, wait.on)) };
		items[call.itemIndex] = { output: concluded };
		return concluded;
	});
	results.forEach((result, index) => {
		if ('error' in result) items[index] = { failed: result.error };
	});
	return results;
}

/** When nothing is waited for any longer. As long as the credential is rejected, the service cannot say that a request expired. */
const endsAt = (
	{ until, on: { expiresAt } }: ItemWait<WaitedFor>,
	{ rejected }: Pick<WaitEnd, 'rejected'>,
): number => until ?? (rejected ? expiresAt : undefined) ?? Number.MAX_VALUE;

/** Why a wait failed, for an item that has itself begun what it waits for: that was done all the same, and has an ID. */
function afterBeginning(failure: Error, done: string): Error {
	if (!(failure instanceof ServiceFailure)) return failure;
	const { message, status, code, body, advice } = failure;
	const words = [advice, doneAnyway(done)].filter(Boolean).join(' ');
	return new ServiceFailure(message, { status, code, body, advice: words });
}

const unreached = (trouble: string) =>
	`n8n couldn't be told to continue: at its own address ${trouble}. Until this is fixed, decisions are noticed up to five minutes late. Check WEBHOOK_URL: it must be the same for all n8n processes and reachable from each.`;
