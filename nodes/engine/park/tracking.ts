import type { EngineRequest, IExecuteFunctions } from 'n8n-workflow';

import { runsRecovery } from '../n8n/startupRecovery';
import { executionUrlsOf } from '../n8n/waitingWebhook';
import type { Batch } from '../operation';
import { readCheckpoint, toCheckpoint } from './checkpoint';
import { firstOpenCall, openWaitsOf, toPollerInput } from './itemWaits';
import { toParkedState } from './parkedState';
import type { ItemState, WaitTarget } from './parkedState';
import type { AwaitedId } from './polledConnection';
import { listingOf, poller } from './poller';
import type { ParkedExecution } from './poller';
import { openQuorumsOf } from './quorums';
import { planResume } from './resumePlan';
import { senderOf } from './sender';
import type { Sender } from './sender';
import { requestPark } from './step';
import { describeWaits } from './visibleWaits';
import type { WaitDefinition } from './waitDefinition';
import { chooseResumeTime, shortTimerMs } from './waitTimes';

const keyOf = (context: IExecuteFunctions, executionId = context.getExecutionId()) =>
	`${executionId}:${context.getNode().id}`;

/** Parks the execution, and polls for it from then on. `isNew`: whether it is parked for the first time. */
export function parkAndTrack<V, W extends WaitTarget>(
	batch: Batch<V>,
	definition: WaitDefinition<V, W>,
	itemStates: Array<ItemState<W>>,
	isNew: boolean,
): EngineRequest {
	const { context } = batch;
	const now = Date.now();
	const { askBefore, ...waits } = toPollerInput(batch, definition, itemStates);
	const sender = senderOf(firstOpenCall(batch, itemStates));
	const key = keyOf(context);
	const hasQuorum = openQuorumsOf(batch, itemStates).length > 0;
	const group = hasQuorum ? undefined : groupOf(context, sender, waits.ids);
	const others = group === undefined ? [] : poller.listGroup(group, waits.ids[0]!.poll);
	const canResume = poller.canReachN8n;
	const listing = listingOf({ key, ids: waits.ids });
	const { timerFactor, isLong, storesCheckpoint } = planResume(
		{ listing, now, shortMs: shortTimerMs(), isNew, canResume, random: Math.random },
		others,
	);
	const timerAt = chooseResumeTime(now, { endsAt: waits.endsAt, askBefore }, timerFactor);
	const parked: ParkedExecution = {
		...waits,
		...executionUrlsOf(context),
		executionId: `${context.getExecutionId()}`,
		key,
		group,
		timerAt,
		parkedAt: now,
		isLong,
		...(storesCheckpoint && { listed: new Set(others.map(listingOf)) }),
	};
	const state = {
		...toParkedState(itemStates, batch),
		...(storesCheckpoint && { checkpoint: toCheckpoint(others) }),
	};
	return requestPark(context, state, {
		timerAt,
		waits: describeWaits(batch, definition, itemStates),
		onParked: () => poller.track(parked, sender),
	});
}

/**
 * Stops polling for a resumed execution, which polls itself. If it was stored with a checkpoint, polls for the executions in
 * that list.
 */
export function restoreTracking<V, W extends WaitTarget>(
	batch: Batch<V>,
	definition: WaitDefinition<V, W>,
	itemStates: Array<ItemState<W>>,
	parkedState: unknown,
): void {
	const { context } = batch;
	poller.untrack(keyOf(context));
	if (openWaitsOf(batch, itemStates).length === 0) return;
	const { ids } = toPollerInput(batch, definition, itemStates);
	const sender = senderOf(firstOpenCall(batch, itemStates));
	const group = groupOf(context, sender, ids);
	if (group === undefined) return;
	const listed = readCheckpoint(parkedState, {
		group,
		poll: ids[0]!.poll,
		now: Date.now(),
		locate: (executionId, token) => ({
			key: keyOf(context, executionId),
			...executionUrlsOf(context, { executionId, token }),
		}),
	});
	poller.restore(listed, sender);
}

/**
 * Returns the group of executions that can restore each other's polling: those of the same node that poll in the same way,
 * with the same credential. On a worker of queue mode there is none, because n8n limits how many executions a worker resumes at
 * once, and another worker may still poll for the listed executions. Approvals by several people are in no group either:
 * from a list of IDs, the poller cannot tell when their policy has something to do.
 */
function groupOf(
	context: IExecuteFunctions,
	{ key }: Sender,
	ids: AwaitedId[],
): string | undefined {
	const [first] = ids;
	if (!runsRecovery(context) || !first || ids.some(({ poll }) => poll !== first.poll))
		return undefined;
	return `${context.getWorkflow().id} ${context.getNode().id} ${key}`;
}
