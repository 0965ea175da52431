import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import type { Inquired } from '../../engine/wait/inquire';
import type { Batch, Call, Field, Result } from '../../engine/operation';
import type { Answer, Request } from '../../engine/http/types';
import {
	afterBeginning,
	checkEvery,
	errorOutcomes,
	isError,
	waitTogether,
} from '../../engine/wait/wait';
import type { Ended } from '../../engine/watch';
import { doubted, jobResult, jobYields, UNREADABLE } from '../jobResult';
import { isBareWord, isGarbled, isJobAnswer, readJob } from '../jobState';
import type { JobReading } from '../jobState';
import { readTokenOptions, tokenOptions } from '../tokenOptions';
import { Unverified } from '../verification';

/** What an item has done before it waits, and for which job it does, if it does. */
export interface Begun {
	output: IDataObject;
	wait?: { job: string; subject?: string };
}

/** How a job ended for one item: in which outcome, and what is put out about it. */
interface Verdict {
	outcome: string;
	output: IDataObject;
	/** Why the result is not to be trusted, if it is not. */
	doubt?: Unverified;
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
		{
			name: 'Unverified',
			value: 'unverified',
			description: 'There is an answer, but it is not to be trusted: "message" says why',
		},
	]),
	...tokenOptions,
];

/** What those operations put out, for n8n's preview. */
export const waitYields = {
	...jobYields,
	reason: 'string',
	message: 'string',
	outcome: 'string',
	seenOutstanding: 'boolean',
	waitedSeconds: 'number',
	polls: 'integer',
} as const;

/** How a job is asked after. */
export const jobRequest = (job: string): Request => ({
	method: 'GET',
	path: '/scope/{job}',
	params: { job },
	labels: { job: 'Job ID' },
	accept: (answer) => isJobAnswer(answer) || isGarbled(answer),
});

/** What an answer means for whoever watches a job. A bare word ends it only where nobody wants a token to check. */
export function readAnswer(answer: Answer, verify: boolean): Inquired {
	const reading = readJob(answer);
	const { state } = reading;
	if (state === 'gone') return { kind: 'missing' };
	if (state === 'outstanding') return { kind: 'pending', note: reading };
	const end = { outcome: state, result: reading };
	if (state === 'unverified') return { kind: 'unreadable', message: UNREADABLE, ...end };
	return { kind: verify && isBareWord(reading) ? 'doubtful' : 'finished', ...end };
}

/** Has every item begin by the engine's rules, then waits for the jobs of all items together. */
export async function waitForJobs(
	batch: Batch,
	begin: (call: Call) => Promise<Begun>,
): Promise<Result[]> {
	const begun = new Map<Call, Begun>();
	let verify = false;
	const first = await batch.each(async (call) => {
		// Options that cannot be must be told before anybody is asked.
		verify = readTokenOptions(call.option).verify || verify;
		const start = await begin(call);
		begun.set(call, start);
		return start.output;
	});
	// An item that failed ends the run unless the user chose to continue: then nobody may be kept waiting.
	if (!batch.continueOnFail && first.some((result) => 'error' in result)) return first;
	const waits = [...begun].flatMap(([call, { wait }]) => (wait ? [{ call, id: wait.job }] : []));
	if (waits.length === 0) return first;
	const read = (answer: Answer) => readAnswer(answer, verify);
	const ends = await waitTogether(waits, { request: jobRequest, read });
	const results = new Map(batch.calls.map((call, index) => [call, first[index]!]));
	return await batch.each(async (call) => {
		const result = results.get(call)!;
		if ('error' in result) throw result.error;
		const { output, wait } = begun.get(call)!;
		if (!wait) return output;
		const end = ends.get(call)!;
		if (end instanceof Error) {
			throw output.job ? afterBeginning(end, `The job ${wait.job} was issued`) : end;
		}
		return { ...output, ...(await conclude(call, wait, end)) };
	});
}

async function conclude(
	call: Call,
	wait: NonNullable<Begun['wait']>,
	end: Ended,
): Promise<IDataObject> {
	const { outcome, output, doubt } = await verdict(call, wait, end);
	if (isError(call, outcome)) throw doubt ?? asFailure(outcome, end);
	const { seenOutstanding, polls, firstSeen, finishedAt, trouble } = end;
	return {
		...output,
		outcome,
		seenOutstanding,
		waitedSeconds: Math.round((finishedAt - firstSeen) / 100) / 10,
		polls,
		...(trouble && { trouble }),
	};
}

/** Each item has its own expectations, so each judges the result for itself. */
async function verdict(
	call: Call,
	{ job, subject }: NonNullable<Begun['wait']>,
	{ outcome, result, finishedAt }: Ended,
): Promise<Verdict> {
	const reading = (result as JobReading | undefined) ?? unanswered(outcome);
	const look = { job, subject, at: finishedAt, ...readTokenOptions(call.option) };
	return await jobResult(reading, look, call.client).then(
		(output) => ({ outcome, output }),
		(error: unknown) => inDoubt(job, error),
	);
}

/** A result that is not to be trusted is an end; a key that cannot be fetched for now is none. */
function inDoubt(job: string, error: unknown): Verdict {
	if (!(error instanceof Unverified)) throw error;
	return { outcome: 'unverified', output: doubted(job, error), doubt: error };
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
