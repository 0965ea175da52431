import type { INodePropertyOptions } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import { field } from '../field';
import type { Call } from '../operation';
import { sharedOptionDefaults } from '../panel/options';
import { sleep } from '../sleep';
import { problemWith, waitForAll } from '../trigger/ids/core';
import type { Ended, PollResult } from '../trigger/ids/core';
import { within } from '../values/convert';
import { ask } from './ask';
import type { Question } from './ask';

/** The longest that an execution is kept running for a wait, in seconds. */
export const MAX_BLOCKING_WAIT_S = 3600;
/** The outcome of what was waited for no longer. */
export const STILL_OUTSTANDING = 'stillOutstanding';

/** How long to wait unless told, in seconds. */
const DEFAULT_WAIT_S = 300;

/** How long to wait for what a service calls an answer; a field of operations that wait. */
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

/** How often to look; an option of operations that wait. */
export const checkEvery = field({
	displayName: 'Polling Interval (Seconds)',
	name: 'checkEvery',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3 },
	default: 2,
	description: 'Time between checks, from 1 to 3 seconds',
});

/** Which outcomes make an item fail; an option of operations that wait. */
export const errorOutcomes = (options: INodePropertyOptions[]) =>
	field({
		displayName: 'Fail On',
		name: 'errorOutcomes',
		type: 'multiOptions',
		options,
		default: [],
		description: "Outcomes that make the item fail. Others are returned with their 'outcome'.",
		read: (given): unknown[] => [given].flat(),
	});

/** What the user set of these. */
export interface WaitValues {
	waitLimit?: unknown;
	/** In seconds; where an operation has this one, it waits without end unless it is set. */
	limitWaitTime?: number;
	checkEvery?: unknown;
	errorOutcomes?: unknown[];
}

/** For how many seconds the user wants to wait. */
export const secondsToWait = (values: WaitValues): number =>
	'limitWaitTime' in values
		? (values.limitWaitTime ?? Infinity)
		: within(1, values.waitLimit, Infinity, DEFAULT_WAIT_S);

/** How many milliseconds lie between two looks. */
export const intervalOf = (values: WaitValues): number =>
	1000 * within(1, values.checkEvery, 3, Number(checkEvery.default));

/** Whether the user wants an outcome to be an error. */
export const isError = ({ errorOutcomes: chosen = [] }: WaitValues, outcome: string): boolean =>
	chosen.includes(outcome);

/** One item that waits for one id. */
export interface Wait {
	call: Call;
	id: string;
	/** Who is expected to answer, where that is known. */
	subject?: string;
	question: Question;
	/** For how long. */
	deadlineMs: number;
	/** How often it is asked after. */
	intervalMs: number;
}

/** How the wait for one id ended. */
export interface WaitEnd extends Ended {
	/** Whether the service rejected the credential when it was last asked. Then `trouble` has its words. */
	rejected?: boolean;
}

/** What became of the id of each item, or why that cannot be known. */
export type WaitEnds = Map<Call, WaitEnd | Error>;

interface WatchOptions {
	/** Whether each id is asked after only until there is an answer. */
	firstAnswerOnly: boolean;
	/** Whether a rejected credential is an answer like "not yet", unless the service says that it stays so. Otherwise it fails all items. */
	toleratesRejection: boolean;
}

/**
 * Waits for the ids of many items together, each until it has ended or its deadline has passed. Rejects when the execution is
 * cancelled.
 */
export const waitTogether = async (waits: Wait[], toleratesRejection = false): Promise<WaitEnds> =>
	await watchAll(waits, { firstAnswerOnly: false, toleratesRejection });

/**
 * Looks at the ids of many items together, each until there is an answer that is to be believed. What is not finished comes
 * back as it would if nobody waited any longer.
 */
export const pollTogether = async (waits: Wait[], toleratesRejection = false): Promise<WaitEnds> =>
	await watchAll(waits, { firstAnswerOnly: true, toleratesRejection });

async function watchAll(waits: Wait[], options: WatchOptions): Promise<WaitEnds> {
	const results: WaitEnds = new Map();
	const groups: WaitGroup[] = [];
	for (const wait of waits) {
		const problem = problemWith(wait);
		if (problem) {
			results.set(wait.call, new BadInput(problem.message));
			continue;
		}
		const group = groups.find((one) => one.accepts(wait)) ?? new WaitGroup(wait);
		if (group.add(wait) === 1) groups.push(group);
	}
	const concurrency = within(
		1,
		waits[0]?.call.option('itemsAtATime'),
		100,
		sharedOptionDefaults.readConcurrency,
	);
	const groupConcurrency = Math.max(1, Math.floor(concurrency / Math.max(1, groups.length)));
	await Promise.all(
		groups.map(async (group) => {
			for (const [call, end] of await watchGroup(group, groupConcurrency, options))
				results.set(call, end);
		}),
	);
	return results;
}

/** Items that are asked after in the same way; normally all of them. The same id with another subject is another question. */
class WaitGroup {
	readonly waits: Wait[] = [];
	private readonly subjects = new Map<string, string | undefined>();

	constructor(readonly first: Wait) {}

	accepts({ id, subject, deadlineMs, intervalMs, question }: Wait): boolean {
		const { first, subjects } = this;
		const isAlike =
			first.deadlineMs === deadlineMs &&
			first.intervalMs === intervalMs &&
			first.question === question;
		return isAlike && (!subjects.has(id.trim()) || subjects.get(id.trim()) === subject);
	}

	/** Gives how many there are. */
	add(wait: Wait): number {
		this.subjects.set(wait.id.trim(), wait.subject);
		return this.waits.push(wait);
	}
}

async function watchGroup(
	{ first, waits }: WaitGroup,
	groupConcurrency: number,
	{ firstAnswerOnly, toleratesRejection }: WatchOptions,
) {
	const { call, question, deadlineMs, intervalMs } = first;
	const { client } = call;
	const failedIds = new Map<string, ServiceFailure>();
	const pendingIds = new Set<string>();
	const rejectedIds = new Map<string, string>();
	let rejection: ServiceFailure | undefined;
	const cancelled = client.options.signal ?? new AbortController().signal;
	const { ended } = await waitForAll(
		waits.map(({ id, subject }) => ({ id, subject })),
		{
			sleep,
			fetch: async ({ id, subject }, signal) => {
				const result = await ask(client.with({ signal }), question.request(id), (answer) =>
					question.read(answer, id, subject),
				);
				rejectedIds.delete(id);
				if (result.kind === 'refused') {
					rejection = failureOf(result);
					if (toleratesRejection && !result.isPermanent) {
						rejectedIds.set(id, result.message);
						// Polled less and less often while it lasts.
						return firstAnswerOnly
							? { kind: 'finished', outcome: STILL_OUTSTANDING }
							: toUnreadable(result);
					}
				}
				if (result.kind === 'pending' && firstAnswerOnly) {
					pendingIds.add(id);
					return { kind: 'finished', outcome: STILL_OUTSTANDING, result: result.note };
				}
				if (result.kind !== 'failed') return result;
				failedIds.set(id, failureOf(result));
				return { kind: 'finished', outcome: 'failed' };
			},
			report: (report) => {
				if (report.kind !== 'overloaded') return;
				call.hint(
					`${report.watched} items are too many to check this often, so each is checked less often.`,
				);
			},
		},
		{ deadlineMs, intervalMs, maxInFlight: groupConcurrency },
		cancelled,
	);
	return waits.map(({ call: waitingCall, id: given }): [Call, WaitEnd | ServiceFailure] => {
		const id = given.trim();
		const end = failedIds.get(id) ?? ended.get(id) ?? toCutShortFailure(rejection);
		if (end instanceof Error) return [waitingCall, end];
		const seenOutstanding = end.seenOutstanding || pendingIds.has(id);
		const trouble = rejectedIds.get(id) ?? end.trouble;
		return [waitingCall, { ...end, seenOutstanding, trouble, rejected: rejectedIds.has(id) }];
	});
}

const toUnreadable = ({ message }: { message: string }): PollResult => ({
	kind: 'unreadable',
	message,
});

const failureOf = ({ failure, message }: { failure?: Error; message: string }) =>
	failure instanceof ServiceFailure ? failure : new ServiceFailure(message);

/** Why an item was not waited for to its end: nobody is, once the credential is refused. */
const toCutShortFailure = (rejection?: ServiceFailure) =>
	new ServiceFailure(rejection?.message ?? "The service couldn't be asked anymore", {
		advice: `${rejection?.advice ?? 'Check the credential.'} The wait was cut short.`,
		status: rejection?.status,
		code: rejection?.code,
	});
