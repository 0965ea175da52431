import { sleep } from 'n8n-workflow';
import type { INodePropertyOptions } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import { field } from '../field';
import type { Call } from '../operation';
import { defaults } from '../panel/options';
import { within } from '../values/convert';
import { problemWith, waitForAll } from '../watch';
import type { Ended } from '../watch';
import { ask } from './ask';
import type { Question } from './ask';

/** In seconds. */
const LONGEST_WAIT = 3600;

/** How long to wait; a field of operations that wait. */
export const waitLimit = field({
	displayName: 'Wait at Most (Seconds)',
	name: 'waitLimit',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: LONGEST_WAIT },
	default: 300,
	description:
		'How many seconds to wait, an hour (3600) at most. The execution keeps running meanwhile; to wait longer, use the trigger.',
});

/** How often to look; an option of operations that wait. */
export const checkEvery = field({
	displayName: 'Check Every (Seconds)',
	name: 'checkEvery',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3 },
	default: 2,
	description: 'How many seconds lie between two looks, from 1 to 3',
});

/** Which outcomes make an item fail; an option of operations that wait. */
export const errorOutcomes = (options: INodePropertyOptions[]) =>
	field({
		displayName: 'Outcomes That Are Errors',
		name: 'errorOutcomes',
		type: 'multiOptions',
		options,
		default: [],
		description:
			'Which outcomes make the item fail. The others come out as ordinary items, told apart by "outcome".',
		read: (given): unknown[] => [given].flat(),
	});

/** What the user set of these. */
export interface WaitValues {
	waitLimit?: unknown;
	checkEvery?: unknown;
	errorOutcomes?: unknown[];
}

/** Whether the user wants an outcome to be an error. */
export const isError = ({ errorOutcomes: chosen = [] }: WaitValues, outcome: string): boolean =>
	chosen.includes(outcome);

/** One item that waits for one id. */
export interface Wait {
	call: Call;
	values: WaitValues;
	id: string;
}

/**
 * Waits for the ids of many items together, each until it has ended or its limit has passed. Gives how each item's id ended,
 * or why it cannot be known. Rejects when the execution is cancelled.
 */
export async function waitTogether(
	waits: Wait[],
	question: Question,
): Promise<Map<Call, Ended | Error>> {
	const groups = new Map<string, Wait[]>();
	const results = new Map<Call, Ended | Error>();
	for (const wait of waits) {
		try {
			const problem = problemWith(wait);
			if (problem) throw new BadInput(problem.message);
			const { deadlineMs, intervalMs } = paceOf(wait);
			const name = `${deadlineMs} ${intervalMs}`;
			const group = groups.get(name);
			if (group) group.push(wait);
			else groups.set(name, [wait]);
		} catch (error) {
			// Such as an expression that fails for this item alone.
			results.set(wait.call, asError(error));
		}
	}
	const first = [...groups.values()][0]?.[0];
	const atATime = within(1, first?.call.option('itemsAtATime'), 100, defaults.readsAtATime);
	const share = Math.max(1, Math.floor(atATime / Math.max(1, groups.size)));
	await Promise.all(
		[...groups.values()].map(async (group) => {
			for (const [call, end] of await waitForGroup(group, question, share)) results.set(call, end);
		}),
	);
	return results;
}

const tooLong =
	'Wait at Most is more than an hour: the node waited for an hour (3600 seconds) at most. To wait longer, use the trigger.';

function paceOf({ call, values }: Wait) {
	const { waitLimit: limit, checkEvery: interval } = values;
	if (Number(limit) > LONGEST_WAIT) call.hint(tooLong);
	return {
		deadlineMs: 1000 * within(1, limit, LONGEST_WAIT, Number(waitLimit.default)),
		intervalMs: 1000 * within(1, interval, 3, Number(checkEvery.default)),
	};
}

/** Items with the same limit and interval; normally all of them. */
async function waitForGroup(group: Wait[], question: Question, share: number) {
	const { call } = group[0]!;
	const { client } = call;
	const failed = new Map<string, ServiceFailure>();
	let refusal: ServiceFailure | undefined;
	const cancelled = client.options.signal ?? new AbortController().signal;
	const { ended } = await waitForAll(
		group.map(({ id }) => ({ id })),
		{
			sleep,
			fetch: async ({ id }, signal) => {
				const verdict = await ask(client.with({ signal }), question.request(id), question.read);
				if (verdict.kind === 'refused') refusal = serviceFailure(verdict);
				if (verdict.kind !== 'failed') return verdict;
				failed.set(id, serviceFailure(verdict));
				return { kind: 'finished', outcome: 'failed' };
			},
			report: (report) => {
				if (report.kind !== 'overloaded') return;
				call.hint(
					`${report.watched} items are more than can be checked this often: each is checked later than asked for.`,
				);
			},
		},
		{ ...paceOf(group[0]!), maxInFlight: share },
		cancelled,
	);
	return group.map(({ call: waiting, id }): [Call, Ended | ServiceFailure] => {
		const end = failed.get(id.trim()) ?? ended.get(id.trim());
		return [waiting, end ?? cutShort(refusal)];
	});
}

const serviceFailure = ({ failure, message }: { failure?: Error; message: string }) =>
	failure instanceof ServiceFailure ? failure : new ServiceFailure(message);

const asError = (error: unknown): Error =>
	error instanceof Error ? error : new Error(String(error));

/** Why an item was not waited for to its end: nobody is, once the credential is refused. */
const cutShort = (refusal?: ServiceFailure) =>
	new ServiceFailure(refusal?.message ?? 'The service could not be asked any more', {
		advice: `${refusal?.advice ?? 'Check the credential.'} The wait was cut short.`,
		status: refusal?.status,
		code: refusal?.code,
	});
