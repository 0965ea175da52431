import type { IDataObject } from 'n8n-workflow';

import { mannerOf } from '../../engine/call';
import { ServiceFailure } from '../../engine/errors';
import type { Inquired } from '../../engine/inquire';
import type { Batch, Call, Field, Result } from '../../engine/operation';
import type { Answer } from '../../engine/request';
import { checkEvery, errorOutcomes, isError, waitTogether } from '../../engine/wait';
import type { Ended } from '../../engine/watch';
import { verifyOption } from '../fields';
import { jobResult, jobYields } from '../jobResult';
import { isJobAnswer, readJob } from '../jobState';
import type { JobReading } from '../jobState';

/** What an item has done before it waits, and for which job it does, if it does. */
export interface Begun {
	output: IDataObject;
	wait?: { job: string; subject?: string };
}

/** Options of the operations that wait for a job. */
export const waitOptions: Field[] = [
	checkEvery,
	errorOutcomes([
		{ name: 'Cancelled', value: 'cancelled', description: 'Somebody cancelled or denied it' },
		{ name: 'Gone', value: 'gone', description: 'The issuer does not know the job any more' },
		{
			name: 'Still Outstanding',
			value: 'stillOutstanding',
			description: 'Not answered before the wait was over',
		},
		{ name: 'Timed Out', value: 'timedOut', description: 'The issuer gave up waiting' },
	]),
	verifyOption,
];

/** What those operations put out, for n8n's preview. */
export const waitYields = {
	...jobYields,
	outcome: 'string',
	seenOutstanding: 'boolean',
	waitedSeconds: 'number',
	polls: 'integer',
} as const;

/** How a job is asked after, and what the answer means. */
export const inquiry = {
	request: (job: string) => ({
		method: 'GET' as const,
		path: '/scope/{job}',
		params: { job },
		labels: { job: 'Job ID' },
		accept: isJobAnswer,
	}),
	read: (answer: Answer): Inquired => {
		const reading = readJob(answer);
		if (reading.state === 'gone') return { kind: 'missing' };
		if (reading.state === 'outstanding') return { kind: 'pending', note: reading };
		return { kind: 'finished', outcome: reading.state, result: reading };
	},
};

/** Has every item begin by the engine's rules, then waits for the jobs of all items together. */
export async function waitForJobs(
	batch: Batch,
	begin: (call: Call) => Promise<Begun>,
): Promise<Result[]> {
	const begun = new Map<Call, Begun>();
	const first = await batch.each(async (call) => {
		const start = await begin(call);
		begun.set(call, start);
		return start.output;
	});
	// An item that failed ends the run unless the user chose to continue: then nobody may be kept waiting.
	if (!batch.continueOnFail && first.some((result) => 'error' in result)) return first;
	const waits = [...begun].flatMap(([call, { wait }]) => (wait ? [{ call, id: wait.job }] : []));
	if (waits.length === 0) return first;
	const ends = await waitTogether(waits, inquiry);
	const results = new Map(batch.calls.map((call, index) => [call, first[index]!]));
	return await batch.each(async (call) => {
		const result = results.get(call)!;
		if ('error' in result) throw result.error;
		const { output, wait } = begun.get(call)!;
		return wait ? { ...output, ...(await conclude(call, wait, ends.get(call)!)) } : output;
	});
}

async function conclude(
	call: Call,
	{ job, subject }: NonNullable<Begun['wait']>,
	end: Ended | Error,
): Promise<IDataObject> {
	if (end instanceof Error) throw end;
	const { outcome, seenOutstanding, polls, firstSeen, finishedAt, trouble } = end;
	if (isError(call, outcome)) throw asFailure(outcome, end);
	const reading = (end.result as JobReading | undefined) ?? unanswered(outcome);
	const look = { job, subject, verify: call.option('verify') !== false, at: finishedAt };
	const result = await jobResult(reading, look, call.connection, mannerOf(call));
	return {
		...result,
		outcome,
		seenOutstanding,
		waitedSeconds: Math.round((finishedAt - firstSeen) / 100) / 10,
		polls,
		...(trouble && { trouble }),
	};
}

const unanswered = (outcome: string): JobReading => ({
	state: outcome === 'gone' ? 'gone' : 'outstanding',
});

function asFailure(outcome: string, { seenOutstanding, trouble }: Ended): ServiceFailure {
	const before = seenOutstanding ? 'It was outstanding before.' : 'It was never seen before.';
	const words: Record<string, [message: string, advice: string]> = {
		cancelled: ['The scope job was cancelled', 'The person denied it, or somebody cancelled it.'],
		timedOut: ['The scope job timed out', 'The person did not answer in time. Issue a new job.'],
		gone: [
			'The scope job is gone: the identity issuer does not know it any more',
			`It was cancelled, it timed out, or it never existed. ${before}`,
		],
		stillOutstanding: [
			'The scope job was still outstanding when the wait was over',
			trouble
				? `At the end there was a problem: ${trouble}`
				: 'Raise Wait at Most, or use the trigger, which waits as long as you like.',
		],
	};
	const [message, advice] = words[outcome] ?? [`The scope job ended as ${outcome}`, before];
	return new ServiceFailure(message, { advice });
}
