import type { INodeProperties } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import type { ServiceResponse } from '../../engine/http/types';
import { toProperty } from '../../engine/panel/properties';
import { commonOutcomes, idTriggerFields } from '../../engine/trigger/ids/idTriggerDefinition';
import type {
	PollContext,
	IdTriggerDefinition,
} from '../../engine/trigger/ids/idTriggerDefinition';
import { idTriggerProperties } from '../../engine/trigger/ids/properties';
import type { PollResult } from '../../engine/watch';
import { expectedSubject, readFingerprint } from '../fields';
import {
	decodeUnverifiedClaims,
	unverifiedResult,
	verifyJobResult,
	waitedJobShape,
} from '../jobResult';
import { readJob } from '../jobState';
import { jobRequest, toPollResult, SCOPE_JOBS_FIELD } from '../scopeJob/waiting';
import { service } from '../service';
import { readTokenPolicy, tokenOptions } from '../tokenOptions';
import { UnverifiedError } from '../verification';

const noun = 'scope job';

/** Scope jobs for the trigger. Each ends with verified claims, or with the reason why there are none. */
export const definition: IdTriggerDefinition = {
	service,
	noun,
	createdBy: 'Scope Job: Issue',
	shape: waitedJobShape(idTriggerFields),
	request: jobRequest,
	interpret: readScopeJob,
	outcomes: [
		{
			name: 'Canceled',
			value: 'cancelled',
			action: 'On scope job canceled',
			description: 'It was canceled or denied',
		},
		{
			name: 'Completed',
			value: 'completed',
			action: 'On scope job completed',
			description: 'The person has answered',
		},
		...commonOutcomes(noun),
		{
			name: 'Timed Out',
			value: 'timedOut',
			action: 'On scope job timed out',
			description: 'The issuer gave up waiting',
		},
		{
			name: 'Unverified',
			value: 'unverified',
			action: 'On scope job unverified',
			description: "Answered, but verification failed; 'message' says why",
		},
	],
	endedAt: signedAt,
	readSubject: (raw) => readFingerprint('The subject', raw),
	validateOptions: (options) => void readTokenPolicy(options),
};

/** Returns when the answer was signed, also of a token that has expired since. */
function signedAt(_: unknown, response: ServiceResponse): number | undefined {
	const { iat } = decodeUnverifiedClaims(readJob(response).token ?? '');
	return typeof iat === 'number' ? 1000 * iat : undefined;
}

/** Reads a poll. A job is finished only once its token is verified; until the key can be fetched, the job is polled again. */
async function readScopeJob(response: ServiceResponse, context: PollContext): Promise<PollResult> {
	const { watched, client, options } = context;
	const { id: job, subject } = watched;
	const policy = readTokenPolicy(options);
	const reading = readJob(response);
	const pollResult = toPollResult(reading, policy.verify);
	if (reading.state === 'gone' || reading.state === 'unstated') return pollResult;
	const expectation = { job, subject, ...policy };
	return await verifyJobResult(reading, expectation, client).then(
		(result) =>
			pollResult.kind === 'pending' ? { ...pollResult, note: result } : { ...pollResult, result },
		(error: unknown) => toErrorResult(error, pollResult, job),
	);
}

function toErrorResult(error: unknown, pollResult: PollResult, job: string): PollResult {
	if (error instanceof UnverifiedError) {
		const end = { outcome: 'unverified', result: unverifiedResult(job, error) };
		return { ...pollResult, ...end };
	}
	// The issuer answered the poll, so only the request for this key failed: the issuer does not count as unavailable.
	if (!(error instanceof ServiceFailure)) throw error;
	return { kind: 'failed', message: error.message, failure: error };
}

const jobsProperty: INodeProperties = {
	displayName: SCOPE_JOBS_FIELD,
	name: 'ids',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add scope job',
	default: {},
	description: 'Jobs to watch besides those that arrive by webhook',
	options: [
		{
			displayName: 'Scope Job',
			name: 'rows',
			values: [
				{
					displayName: 'Job IDs',
					name: 'ids',
					type: 'string',
					default: '',
					placeholder: 'e.g. Zk3fT9aQw1LmX7cVb2Ns',
					description:
						'Issue returns it. Separate several with commas; an expression can give a list.',
				},
				toProperty({ ...expectedSubject, name: 'subject' }),
			],
		},
	],
};

/** n8n expression: whether any job ID is entered. */
export const enteredJobsExpression =
	'[$parameter["ids"].rows ?? $parameter["ids"]].flat().some((row) => `${ row?.ids ?? row?.id ?? (typeof row === "object" ? "" : row) }`.trim() !== "")';

export const scopeJobProperties = idTriggerProperties(
	definition,
	jobsProperty,
	Object.values(tokenOptions).map(toProperty),
);
