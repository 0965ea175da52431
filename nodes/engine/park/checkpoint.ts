import { randomUUID } from 'crypto';
import { jsonParse } from 'n8n-workflow';

import type { PollDefinition } from '../http/pollOnce';
import { perProcess } from '../n8n/perProcess';
import { isRecord } from '../values/isRecord';
import type { ParkedExecution } from './poller';

// A checkpoint lists the other parked executions of a node, so that after a restart one resumed execution restores the polling
// for all. `resumePlan` chooses the executions that store one.

/** Identifies this process. It polls for all executions that it has listed itself. */
const processId = perProcess('park process 1', randomUUID);

type StoredId = [id: string, intervalMs: number, since: number, subject: string | null];
type StoredExecution = [
	executionId: string,
	/** Token of n8n's resume URL. It only resumes the execution, and a reader of this execution can read that one, too. */
	token: string,
	timerAt: number,
	endsAt: number | null,
	ids: StoredId[],
];

/**
 * Returns the list as one string. n8n walks through every object in an execution's data when it loads and saves the
 * execution; a string costs nothing.
 */
export const toCheckpoint = (executions: ParkedExecution[]): string =>
	JSON.stringify([
		processId,
		...executions.map(({ executionId, token, timerAt, endsAt, ids }): StoredExecution => [
			executionId,
			token,
			timerAt,
			Number.isFinite(endsAt) ? endsAt : null,
			ids.map(({ id, intervalMs, since, subject = null }) => [id, intervalMs, since, subject]),
		]),
	]);

/** Data that the listed executions share with the one that lists them. */
interface Restorer {
	group: string;
	poll: PollDefinition;
	now: number;
	/** Returns the key of another execution of the node, and its URLs at n8n. */
	locate: (
		executionId: string,
		token: string,
	) => Pick<ParkedExecution, 'key' | 'url' | 'statusUrl'>;
}

/**
 * Returns the executions that a parked state lists, if another process has listed them. Without a readable list there are
 * none: n8n's timers resume them.
 */
export function readCheckpoint(parkedState: unknown, restorer: Restorer): ParkedExecution[] {
	if (!isRecord(parkedState) || typeof parkedState.checkpoint !== 'string') return [];
	const list = jsonParse<unknown>(parkedState.checkpoint, { fallbackValue: [] });
	return Array.isArray(list) && list[0] !== processId
		? list.filter(isStoredExecution).map((one) => toParkedExecution(one, restorer))
		: [];
}

const isStoredExecution = (value: unknown): value is StoredExecution =>
	Array.isArray(value) &&
	typeof value[0] === 'string' &&
	Array.isArray(value[4]) &&
	value[4].length > 0 &&
	value[4].every((id) => Array.isArray(id) && typeof id[0] === 'string');

/**
 * If the timer has passed, n8n resumes the execution now, or the execution was parked again after the checkpoint was stored.
 * Then its timer is unknown. If the poller resumes it in the last 75 seconds before that timer, the timer can end a later wait
 * of the execution early (`n8n/resumeTimer`). That is rare; without polling, the decision would be late by up to two hours.
 */
function toParkedExecution(
	[executionId, token, timerAt, endsAt, storedIds]: StoredExecution,
	{ group, poll, now, locate }: Restorer,
): ParkedExecution {
	const ids = storedIds.map(([id, intervalMs, since, subject]) => ({
		id,
		poll,
		intervalMs,
		since,
		...(subject !== null && { subject }),
	}));
	return {
		...locate(executionId, token),
		executionId,
		token,
		group,
		timerAt: timerAt > now ? timerAt : Infinity,
		endsAt: endsAt ?? Infinity,
		ids,
		isDue: (outcomes) => ids.every((id) => outcomes.has(id)),
		parkedAt: -Infinity,
		isLong: true,
	};
}
