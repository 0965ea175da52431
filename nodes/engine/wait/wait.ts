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
export const LONGEST_HELD = 3600;
/** The outcome of what was waited for no longer. */
export const STILL_OUTSTANDING = 'stillOutstanding';

/** How long to wait unless told, in seconds. */
const USUAL_WAIT = 300;

/** How long to wait for what a service calls an answer; a field of operations that wait. */
export const waitLimit = (awaited: string) =>
	field({
		displayName: `Max Wait for ${awaited} (Seconds)`,
		name: 'waitLimit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: USUAL_WAIT,
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
		: within(1, values.waitLimit, Infinity, USUAL_WAIT);

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
export type Ends = Map<Call, WaitEnd | Error>;

interface Watching {
	/** Whether each id is asked after only until there is an answer. */
	once: boolean;
	/** Whether a rejected credential is an answer like "not yet", unless the service says that it stays so. Otherwise it fails all items. */
	outlastsRejection: boolean;
}

/**
 * Waits for the ids of many items together, each until it has ended or its deadline has passed. Rejects when the execution is
 * cancelled.
 */
export const waitTogether = async (waits: Wait[], outlastsRejection = false): Promise<Ends> =>
	await watchAll(waits, { once: false, outlastsRejection });

/**
 * Looks at the ids of many items together, each until there is an answer that is to be believed. What is not finished comes
 * back as it would if nobody waited any longer.
 */
export const lookTogether = async (waits: Wait[], outlastsRejection = false): Promise<Ends> =>
	await watchAll(waits, { once: true, outlastsRejection });

async function watchAll(waits: Wait[], watching: Watching): Promise<Ends> {
	const results: Ends = new Map();
	const groups: Group[] = [];
	for (const wait of waits) {
		const problem = problemWith(wait);
		if (problem) {
			results.set(wait.call, new BadInput(problem.message));
			continue;
		}
		const group = groups.find((one) => one.takes(wait)) ?? new Group(wait);
		if (group.add(wait) === 1) groups.push(group);
	}
	const atATime = within(
		1,
		waits[0]?.call.option('itemsAtATime'),
		100,
		sharedOptionDefaults.readConcurrency,
	);
	const share = Math.max(1, Math.floor(atATime / Math.max(1, groups.length)));
	await Promise.all(
		groups.map(async (group) => {
			for (const [call, end] of await watchGroup(group, share, watching)) results.set(call, end);
		}),
	);
	return results;
}

/** Items that are asked after in the same way; normally all of them. The same id with another subject is another question. */
class Group {
	readonly waits: Wait[] = [];
	private readonly subjects = new Map<string, string | undefined>();

	constructor(readonly first: Wait) {}

	takes({ id, subject, deadlineMs, intervalMs, question }: Wait): boolean {
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
	{ first, waits }: Group,
	share: number,
	{ once, outlastsRejection }: Watching,
) {
	const { call, question, deadlineMs, intervalMs } = first;
	const { client } = call;
	const failed = new Map<string, ServiceFailure>();
	const seen = new Set<string>();
	const rejected = new Map<string, string>();
	let refusal: ServiceFailure | undefined;
	const cancelled = client.options.signal ?? new AbortController().signal;
	const { ended } = await waitForAll(
		waits.map(({ id, subject }) => ({ id, subject })),
		{
			sleep,
			fetch: async ({ id, subject }, signal) => {
				const verdict = await ask(client.with({ signal }), question.request(id), (answer) =>
					question.read(answer, id, subject),
				);
				rejected.delete(id);
				if (verdict.kind === 'refused') {
					refusal = serviceFailure(verdict);
					if (outlastsRejection && !verdict.isPermanent) {
						rejected.set(id, verdict.message);
						// Polled less and less often while it lasts.
						return once ? { kind: 'finished', outcome: STILL_OUTSTANDING } : unreadable(verdict);
					}
				}
				if (verdict.kind === 'pending' && once) {
					seen.add(id);
					return { kind: 'finished', outcome: STILL_OUTSTANDING, result: verdict.note };
				}
				if (verdict.kind !== 'failed') return verdict;
				failed.set(id, serviceFailure(verdict));
				return { kind: 'finished', outcome: 'failed' };
			},
			report: (report) => {
				if (report.kind !== 'overloaded') return;
				call.hint(
					`${report.watched} items are too many to check this often, so each is checked less often.`,
				);
			},
		},
		{ deadlineMs, intervalMs, maxInFlight: share },
		cancelled,
	);
	return waits.map(({ call: waiting, id: given }): [Call, WaitEnd | ServiceFailure] => {
		const id = given.trim();
		const end = failed.get(id) ?? ended.get(id) ?? cutShort(refusal);
		if (end instanceof Error) return [waiting, end];
		const seenOutstanding = end.seenOutstanding || seen.has(id);
		const trouble = rejected.get(id) ?? end.trouble;
		return [waiting, { ...end, seenOutstanding, trouble, rejected: rejected.has(id) }];
	});
}

const unreadable = ({ message }: { message: string }): PollResult => ({
	kind: 'unreadable',
	message,
});

const serviceFailure = ({ failure, message }: { failure?: Error; message: string }) =>
	failure instanceof ServiceFailure ? failure : new ServiceFailure(message);

/** Why an item was not waited for to its end: nobody is, once the credential is refused. */
const cutShort = (refusal?: ServiceFailure) =>
	new ServiceFailure(refusal?.message ?? "The service couldn't be asked anymore", {
		advice: `${refusal?.advice ?? 'Check the credential.'} The wait was cut short.`,
		status: refusal?.status,
		code: refusal?.code,
	});
