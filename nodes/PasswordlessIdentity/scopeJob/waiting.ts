import type { EngineRequest, IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import { toPathSegment } from '../../engine/http/path';
import type { PollDefinition } from '../../engine/http/pollOnce';
import type { Request } from '../../engine/http/types';
import type { Batch, ItemCall, ItemResult } from '../../engine/operation';
import { beginAndWait } from '../../engine/park/beginAndWait';
import type { BegunItem, WaitTarget } from '../../engine/park/beginAndWait';
import { checkEvery, errorOutcomes, isErrorOutcome } from '../../engine/wait/wait';
import type { WaitValues } from '../../engine/wait/wait';
import { waitedSeconds } from '../../engine/watch';
import type { EndedId, PollResult } from '../../engine/watch';
import { UNSTATED_ADVICE } from '../absence';
import { UNRECOGNIZED_RESPONSE, unverifiedResult, verifyJobResult } from '../jobResult';
import { identifyResult, isJobResponse, lacksResult, leavesStateOpen, readJob } from '../jobState';
import type { JobReading } from '../jobState';
import { tokenOptions, toTokenPolicy } from '../tokenOptions';
import type { TokenValues } from '../tokenOptions';
import { UnverifiedError } from '../verification';

/** Label of the trigger's field for job IDs, for messages. */
export const SCOPE_JOBS_FIELD = 'Scope Jobs';

/** Job that an item waits for. `subject` is the fingerprint of the person who was asked. Parked executions store it as JSON. */
export interface AwaitedJob extends WaitTarget {
	verify?: boolean;
	/** Fingerprints of the keys that may have signed the request. Missing if the job was issued elsewhere. */
	requestSigners?: string[];
}

/** End of a job for one item. */
interface JobEnd {
	outcome: string;
	output: IDataObject;
	/** Set if the result failed verification. */
	unverified?: UnverifiedError;
}

/** Options of the operations that wait for a job. */
export const waitOptions = {
	checkEvery,
	errorOutcomes: errorOutcomes([
		{
			name: 'Canceled',
			value: 'cancelled',
			description: 'It was canceled, or denied by the person',
		},
		{ name: 'Gone', value: 'gone', description: 'The issuer no longer knows this job' },
		{
			name: 'Still Outstanding',
			value: 'stillOutstanding',
			description: "Not answered within 'Max Wait for Answer'",
		},
		{ name: 'Timed Out', value: 'timedOut', description: 'The issuer gave up waiting' },
		{
			name: 'Unverified',
			value: 'unverified',
			description: "Answered, but verification failed; 'message' says why",
		},
	]),
	...tokenOptions,
};

/** Values of these options. */
type JobValues = WaitValues & TokenValues;

export const jobRequest = (job: string): Request => ({
	method: 'GET',
	path: '/scope/{job}',
	params: { job: toPathSegment('Job ID', job) },
	accept: (response) => isJobResponse(response) || leavesStateOpen(response),
	identify: identifyResult,
});

const UNSTATED_ABSENCE = `The identity issuer didn't find the scope job. ${UNSTATED_ADVICE}`;

/** Maps a reading to a poll result. `completed` without a result ends the job at once only if verification is off. */
export function toPollResult(reading: JobReading, verify: boolean): PollResult {
	const { state, trouble } = reading;
	if (state === 'gone') return { kind: 'missing' };
	if (state === 'unstated') return { kind: 'unrecognized', message: UNSTATED_ABSENCE };
	if (state === 'outstanding') return { kind: 'pending', note: reading, message: trouble };
	if (state === 'unrecognized') {
		return {
			kind: 'unrecognized',
			message: UNRECOGNIZED_RESPONSE,
			outcome: 'unverified',
			result: reading,
		};
	}
	const kind = verify && lacksResult(reading) ? 'doubtful' : 'finished';
	return { kind, outcome: state, result: reading };
}

const createJobPoll = (verify: boolean): PollDefinition => ({
	request: jobRequest,
	interpret: (response) => toPollResult(readJob(response), verify),
});
const tokenPoll = createJobPoll(true);
const anyResultPoll = createJobPoll(false);

/** Starts every item with `begin`, and then waits for the jobs of all items together. */
export const waitForJobs = async <V extends JobValues>(
	batch: Batch<V>,
	begin: (values: V, call: ItemCall) => Promise<BegunItem<AwaitedJob>>,
): Promise<ItemResult[] | EngineRequest> =>
	await beginAndWait<V, AwaitedJob>(batch, {
		begin: async (values, call) => {
			const { verify } = toTokenPolicy(values);
			const { output, wait } = await begin(values, call);
			return { output, wait: wait && { ...wait, verify } };
		},
		poll: ({ verify }) => (verify ? tokenPoll : anyResultPoll),
		conclude,
	});

async function conclude(
	values: JobValues,
	call: ItemCall,
	end: EndedId,
	job: AwaitedJob,
): Promise<IDataObject> {
	const { outcome, output, unverified } = await verifyEnd(values, call, end, job);
	if (isErrorOutcome(values, outcome)) throw unverified ?? failureForOutcome(outcome, end);
	const { seenOutstanding, polls, trouble } = end;
	return {
		...output,
		outcome,
		seenOutstanding,
		waitedSeconds: waitedSeconds(end),
		polls,
		...(trouble && { trouble }),
	};
}

/** Verifies the result for one item. Items that wait for the same job may have different conditions for its result. */
async function verifyEnd(
	values: JobValues,
	call: ItemCall,
	end: EndedId,
	{ id: job, subject, requestSigners }: AwaitedJob,
): Promise<JobEnd> {
	const { outcome, endedAt } = end;
	const policy = toTokenPolicy(values);
	const expectation = { job, subject, requestSigners, validAt: endedAt, ...policy };
	return await verifyJobResult(lastReading(end), expectation, call.client).then(
		(output) => ({ outcome, output }),
		(error: unknown) => toUnverifiedEnd(job, error),
	);
}

/** Turns a failed verification into an end. Rethrows other errors: a key record that cannot be fetched now is not an end. */
function toUnverifiedEnd(job: string, error: unknown): JobEnd {
	if (!(error instanceof UnverifiedError)) throw error;
	return { outcome: 'unverified', output: unverifiedResult(job, error), unverified: error };
}

/** Returns the last reading. The watcher passes results on untyped; ends that it decides itself (gone, out of time) have none. */
function lastReading({ outcome, result }: EndedId): JobReading {
	if (result !== undefined) return result as JobReading;
	return { state: outcome === 'gone' ? 'gone' : 'outstanding' };
}

function failureForOutcome(outcome: string, { seenOutstanding, trouble }: EndedId): ServiceFailure {
	const before = seenOutstanding ? 'It was outstanding before.' : 'It was never seen before.';
	const messages: Record<string, [message: string, advice: string]> = {
		cancelled: ['The scope job was canceled', 'The person denied it, or it was canceled.'],
		timedOut: ['The scope job timed out', "The person didn't answer in time. Issue a new job."],
		gone: [
			'The scope job is gone: the identity issuer no longer knows it',
			`It was canceled, it timed out, or it never existed. ${before}`,
		],
		stillOutstanding: [
			'The scope job was still outstanding when the wait was over',
			trouble
				? `The last check failed: ${trouble}`
				: "Raise 'Max Wait for Answer', or use the trigger for longer waits.",
		],
	};
	const [message, advice] = messages[outcome] ?? [`The scope job ended as ${outcome}`, before];
	return new ServiceFailure(message, { advice });
}
