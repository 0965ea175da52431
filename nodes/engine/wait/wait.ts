import type { INodePropertyOptions } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import { field } from '../field';
import { pollOnce } from '../http/pollOnce';
import type { PollDefinition } from '../http/pollOnce';
import type { ItemCall } from '../operation';
import { sharedOptionDefaults } from '../panel/options';
import { sleep } from '../sleep';
import { clampNumber } from '../values/convert';
import { validateNewId, waitForIds } from '../watch';
import type { EndedId, PollResult } from '../watch';

export const MAX_BLOCKING_WAIT_S = 3600;
/** Outcome of a wait that ended while the awaited request or job was still open. */
export const STILL_OUTSTANDING = 'stillOutstanding';

const DEFAULT_WAIT_S = 300;

/** Field of operations that wait: the time limit. `awaited` is the service's name for an answer. */
export const waitLimit = (awaited: string) =>
	field({
		displayName: `Max Wait for ${awaited} (Seconds)`,
		name: 'waitLimit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_WAIT_S,
		description:
			"The execution is parked meanwhile: it uses no resources and survives a restart of n8n. If n8n can't park it, a hint says so, and the limit is one hour (3600).",
	});

/** Option of operations that wait: the polling interval. */
export const checkEvery = field({
	displayName: 'Polling Interval (Seconds)',
	name: 'checkEvery',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3 },
	default: 2,
	description: 'Time between checks, from 1 to 3 seconds',
});

/** Option of operations that wait: the outcomes that make an item fail. */
export const errorOutcomes = (options: INodePropertyOptions[]) =>
	field({
		displayName: 'Fail On',
		name: 'errorOutcomes',
		type: 'multiOptions',
		options,
		default: [],
		description: "Outcomes that make the item fail. Others are returned with their 'outcome'.",
		read: (raw): unknown[] => [raw].flat(),
	});

/** Values of these fields. */
export interface WaitValues {
	waitLimit?: unknown;
	/** In seconds. An operation that has this field instead of `waitLimit` waits without a limit if the field is not set. */
	limitWaitTime?: number;
	checkEvery?: unknown;
	errorOutcomes?: unknown[];
}

/** Returns the time limit in seconds; `Infinity` without a limit. */
export const secondsToWait = (values: WaitValues): number =>
	'limitWaitTime' in values
		? (values.limitWaitTime ?? Infinity)
		: clampNumber(values.waitLimit, { min: 1, max: Infinity, fallback: DEFAULT_WAIT_S });

/** Returns the polling interval in milliseconds. */
export const intervalOf = (values: WaitValues): number =>
	1000 * clampNumber(values.checkEvery, { min: 1, max: 3, fallback: Number(checkEvery.default) });

/** Whether the user has chosen that an outcome makes the item fail. */
export const isErrorOutcome = (
	{ errorOutcomes: chosen = [] }: WaitValues,
	outcome: string,
): boolean => chosen.includes(outcome);

/** The wait of an item for one ID. An item can wait for several IDs. */
export interface IdWait {
	call: ItemCall;
	id: string;
	/** User who is expected to answer, if known. */
	subject?: string;
	poll: PollDefinition;
	/** Time limit, counted from the start of the common wait (`waitTogether`, `pollTogether`). */
	maxWaitMs: number;
	intervalMs: number;
}

/** How the wait for one ID ended. */
export interface WaitResult extends EndedId {
	/** The failure, if the service rejected the credential at the last poll. `trouble` is then the service's message. */
	rejection?: ServiceFailure;
}

/** The wait for an ID ended because the service rejects the credential for all IDs. */
export class WaitCutShort extends ServiceFailure {}

/** How each wait ended, or the error with which it failed. */
export type WaitResults = Map<IdWait, WaitResult | Error>;

interface PollMode {
	/** Whether each ID is polled only until the first valid response, even if that response is "not yet". */
	firstResponseOnly: boolean;
	/**
	 * Whether a rejected credential counts as "not yet", unless the service marks the rejection as permanent. Otherwise a
	 * rejection fails all items.
	 */
	toleratesRejection: boolean;
}

/**
 * Waits for the IDs of many items together, for each ID until it has ended or its deadline has passed. Rejects when the
 * execution is canceled.
 */
export const waitTogether = async (
	waits: IdWait[],
	toleratesRejection = false,
): Promise<WaitResults> => await watchAll(waits, { firstResponseOnly: false, toleratesRejection });

/**
 * Polls the IDs of many items together, each until the first valid response. The wait for an ID that has not ended is returned
 * with the outcome `stillOutstanding`, as if its deadline had passed.
 */
export const pollTogether = async (
	waits: IdWait[],
	toleratesRejection = false,
): Promise<WaitResults> => await watchAll(waits, { firstResponseOnly: true, toleratesRejection });

async function watchAll(waits: IdWait[], options: PollMode): Promise<WaitResults> {
	const results: WaitResults = new Map();
	const groups: WaitGroup[] = [];
	for (const wait of waits) {
		const problem = validateNewId(wait);
		if (problem) {
			results.set(wait, new BadInput(problem.message));
			continue;
		}
		const group = groups.find((one) => one.accepts(wait)) ?? new WaitGroup(wait);
		if (group.add(wait) === 1) groups.push(group);
	}
	const concurrency = clampNumber(waits[0]?.call.option('itemsAtATime'), {
		min: 1,
		max: 100,
		fallback: sharedOptionDefaults.readConcurrency,
	});
	const groupConcurrency = Math.max(1, Math.floor(concurrency / Math.max(1, groups.length)));
	await Promise.all(
		groups.map(async (group) => {
			for (const [wait, end] of await watchGroup(group, groupConcurrency, options))
				results.set(wait, end);
		}),
	);
	return results;
}

/** Items that are polled in the same way; normally all items. The same ID with another subject needs another group. */
class WaitGroup {
	readonly waits: IdWait[] = [];
	private readonly subjects = new Map<string, string | undefined>();

	constructor(readonly first: IdWait) {}

	accepts({ id, subject, maxWaitMs, intervalMs, poll }: IdWait): boolean {
		const { first, subjects } = this;
		const isAlike =
			first.maxWaitMs === maxWaitMs && first.intervalMs === intervalMs && first.poll === poll;
		return isAlike && (!subjects.has(id.trim()) || subjects.get(id.trim()) === subject);
	}

	/** Returns the new number of items. */
	add(wait: IdWait): number {
		this.subjects.set(wait.id.trim(), wait.subject);
		return this.waits.push(wait);
	}
}

async function watchGroup(
	{ first, waits }: WaitGroup,
	groupConcurrency: number,
	{ firstResponseOnly, toleratesRejection }: PollMode,
) {
	const { call, poll, maxWaitMs, intervalMs } = first;
	const { client } = call;
	const failedIds = new Map<string, ServiceFailure>();
	const rejectedIds = new Map<string, ServiceFailure>();
	let rejection: ServiceFailure | undefined;
	const cancelled = client.options.signal ?? new AbortController().signal;
	const { ended: endedIds } = await waitForIds(
		waits.map(({ id, subject }) => ({ id, subject })),
		{
			sleep,
			pollId: async ({ id, subject }, signal) => {
				const result = await pollOnce(client.with({ signal }), poll.request(id), (response) =>
					poll.interpret(response, id, subject),
				);
				rejectedIds.delete(id);
				if (result.kind === 'credentialRejected') {
					rejection = toServiceFailure(result);
					if (toleratesRejection && !result.isPermanent) {
						rejectedIds.set(id, rejection.with({ message: result.message }));
						// After an unrecognized response, the watcher polls less and less often.
						return firstResponseOnly
							? { kind: 'finished', outcome: STILL_OUTSTANDING }
							: toUnrecognized(result);
					}
				}
				if (result.kind !== 'failed') return result;
				failedIds.set(id, toServiceFailure(result));
				return { kind: 'finished', outcome: 'failed' };
			},
			report: (report) => {
				if (report.kind !== 'overloaded') return;
				call.hint(
					`${report.watched} items are too many to check this often, so each is checked less often.`,
				);
			},
		},
		{
			maxWaitMs,
			intervalMs,
			maxInFlight: groupConcurrency,
			endsWhilePending: firstResponseOnly,
		},
		cancelled,
	);
	return waits.map((wait): [IdWait, WaitResult | ServiceFailure] => {
		const id = wait.id.trim();
		const end = failedIds.get(id) ?? endedIds.get(id) ?? toCutShortFailure(rejection);
		if (end instanceof Error) return [wait, end];
		const lastRejection = rejectedIds.get(id);
		const trouble = lastRejection?.message ?? end.trouble;
		return [wait, { ...end, trouble, rejection: lastRejection }];
	});
}

const toUnrecognized = ({ message }: { message: string }): PollResult => ({
	kind: 'unrecognized',
	message,
});

const toServiceFailure = ({ failure, message }: { failure?: Error; message: string }) =>
	failure instanceof ServiceFailure ? failure : new ServiceFailure(message);

/** Returns the failure of an item whose wait was cut short, because a rejected credential ends the waits of all items. */
const toCutShortFailure = (rejection?: ServiceFailure) =>
	new WaitCutShort(rejection?.message ?? "The service couldn't be asked anymore", {
		advice: `${rejection?.advice ?? 'Check the credential.'} The wait was cut short.`,
		status: rejection?.status,
		code: rejection?.code,
	});
