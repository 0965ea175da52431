import { listingOf } from './poller';
import type { ParkedExecution } from './poller';

/**
 * With fewer other executions of the group, all have the short timer: resuming these few at a start of n8n costs little, and no
 * execution depends on another.
 */
const MIN_OTHERS = 20;
/** Number of checkpoints that a group needs. A crash of n8n ends the executions that it is running, with their checkpoints. */
const MIN_CHECKPOINTS = 4;
/** Number of checkpoints that must list an execution with a long timer. */
const MIN_LISTINGS = 2;
/** Until the newest checkpoint has this age, so many executions with a long timer may be listed too rarely. */
const MAX_CHECKPOINT_AGE_MS = 10_000;
const MAX_UNLISTED = 20;
const MAX_UNLISTED_SHARE = 1 / 25;
/** Only the newest checkpoints are searched, since a burst of new executions stores many. */
const SEARCHED_CHECKPOINTS = 2 * MIN_CHECKPOINTS;

/**
 * Timers in multiples of the short one. Long timers are spread, so that few are overdue after a downtime. An execution that is
 * stored with a checkpoint when it begins to wait soon renews the checkpoint, since others may be parked just after it.
 */
const LONG_TIMER_FROM = 6;
const LONG_TIMER_TO = 24;
const NEW_CHECKPOINT_TIMER = 0.4;
const CHECKPOINT_TIMERS = [4, 3, 2, 1];

/** How n8n's own timer resumes an execution. */
export interface ResumePlan {
	/** Multiple of the short timer. */
	timerFactor: number;
	/** Whether the execution is stored with a checkpoint: the list of the other executions. */
	storesCheckpoint: boolean;
	/** Whether the execution depends on the checkpoints of others. */
	isLong: boolean;
}

/** An execution that is about to be parked. */
interface Candidate {
	/** Identifies the execution and what it waits for. */
	listing: string;
	now: number;
	/** Duration of the short timer. */
	shortMs: number;
	/** Whether the execution begins to wait. */
	isNew: boolean;
	/** Whether n8n has answered the poller's last call, so that the poller can resume executions. */
	canResume: boolean;
	random: () => number;
}

/**
 * Chooses n8n's timer for an execution, given the other parked executions of its group.
 *
 * n8n resumes all overdue executions at its start, all at once, about 12 MB each. So only a few executions have a short timer.
 * These are stored with a checkpoint, from which the first that resumes restores the polling for all others. The others have
 * a long timer, for the case that all checkpoints are lost.
 */
export function planResume(candidate: Candidate, others: ParkedExecution[]): ResumePlan {
	const { canResume, random } = candidate;
	const holders = others.filter(({ listed }) => listed !== undefined);
	const isLarge = others.length >= MIN_OTHERS;
	const short = { timerFactor: 1, storesCheckpoint: false, isLong: false };
	if (!isLarge && !others.some(({ isLong }) => isLong)) return short;
	if (
		holders.length < MIN_CHECKPOINTS ||
		(isLarge && canResume && !areAllListed(candidate, others))
	)
		return { ...short, timerFactor: checkpointTimer(candidate, holders), storesCheckpoint: true };
	if (!isLarge || !canResume) return short;
	const timerFactor = LONG_TIMER_FROM + (LONG_TIMER_TO - LONG_TIMER_FROM) * random();
	return { timerFactor, storesCheckpoint: false, isLong: true };
}

/**
 * Whether the checkpoints of other executions list all executions with a long timer, this one included, or will soon. Only then
 * can this execution be stored without a checkpoint.
 */
function areAllListed({ listing, now }: Candidate, others: ParkedExecution[]): boolean {
	const holders = others.filter(({ listed }) => listed !== undefined);
	const newest = holders.sort((a, b) => b.parkedAt - a.parkedAt).slice(0, SEARCHED_CHECKPOINTS);
	const isUnlisted = (one: string) =>
		newest.filter(({ listed }) => listed!.has(one)).length < MIN_LISTINGS;
	const dependent = others.filter(({ isLong }) => isLong).map(listingOf);
	const unlisted = [listing, ...dependent].filter(isUnlisted).length;
	const maxUnlisted = Math.max(MAX_UNLISTED, others.length * MAX_UNLISTED_SHARE);
	const ageMs = now - newest[0]!.parkedAt;
	return unlisted === 0 || (unlisted <= maxUnlisted && ageMs < MAX_CHECKPOINT_AGE_MS);
}

/**
 * Returns the timer for an execution with a checkpoint: the one that is farthest from those of the other checkpoints. So a
 * second crash while n8n starts does not end all executions with checkpoints, of which n8n is resuming the overdue ones.
 */
function checkpointTimer({ isNew, now, shortMs }: Candidate, holders: ParkedExecution[]): number {
	if (isNew && holders.length >= MIN_CHECKPOINTS) return NEW_CHECKPOINT_TIMER;
	const distanceOf = (factor: number) =>
		Math.min(...holders.map(({ timerAt }) => Math.abs(timerAt - now - factor * shortMs)));
	return CHECKPOINT_TIMERS.reduce((best, one) => (distanceOf(one) > distanceOf(best) ? one : best));
}
