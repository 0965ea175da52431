import { ServiceFailure } from '../../engine/errors';
import { field, shownIf } from '../../engine/field';
import { operation } from '../../engine/operation';
import type { ItemCall } from '../../engine/operation';
import type { BegunItem } from '../../engine/park/beginAndWait';
import { toRecord } from '../../engine/run/output';
import { waitAndTriggerNotice, submitOptions } from '../../engine/submit/options';
import type { SubmitValues } from '../../engine/submit/options';
import { prepareSubmit } from '../../engine/submit/submitId';
import { booleanReader, isOn } from '../../engine/values/convert';
import { waitLimit } from '../../engine/wait/wait';
import {
	additionalClaims,
	email,
	optionalFingerprint,
	optionalText,
	ownIssuer,
	phone,
	signedFields,
	FINGERPRINT_EXAMPLE,
} from '../fields';
import { waitedJobShape } from '../jobResult';
import { withoutReservedFields } from '../jobState';
import { obtainToken, readClaim, signersOf } from '../signing';
import { scopes } from './scopes';
import { SCOPE_JOBS_FIELD, waitForJobs, waitOptions } from './waiting';
import type { AwaitedJob } from './waiting';

const subject = field({
	displayName: "Person's Key Fingerprint",
	name: 'subject',
	type: 'string',
	default: '',
	required: true,
	placeholder: FINGERPRINT_EXAMPLE,
	description: 'Who is asked: 43 characters, returned when their key was registered',
	read: optionalFingerprint,
	target: { in: 'claim', as: 'sub' },
});

const type = field({
	displayName: 'Type',
	name: 'type',
	type: 'string',
	default: '',
	placeholder: 'e.g. registration',
	description: 'Kind of job, as defined by the issuer',
	read: optionalText,
	target: { in: 'claim' },
});

const wait = field({
	displayName: 'Wait Until Finished',
	name: 'wait',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		"Whether to wait for the person's answer and return the verified result. All items' jobs are issued first, then awaited together.",
	read: isOn,
});

const test = field({
	displayName: 'Test Job',
	name: 'test',
	type: 'boolean',
	default: false,
	description: 'Whether to mark the job as a test for the issuer',
	read: (raw) => (booleanReader('Test Job')(raw) ? 1 : undefined),
	target: { in: 'query' },
});

/** Asks a person for claims. If the user chose so, waits for the answer or submits the job ID to a trigger. */
export const issue = operation({
	name: 'Issue',
	action: 'Issue a scope job',
	description: 'Ask a person for information on their phone, and optionally wait',
	request: 'POST /scope',
	sign: obtainToken,
	fields: {
		...signedFields({
			subject,
			scopes,
			additionalClaims: additionalClaims(email, phone, type),
			issuer: ownIssuer,
		}),
		wait,
		waitLimit: shownIf(waitLimit('Answer'), { wait: [true] }),
		bothHappen: waitAndTriggerNotice,
	},
	options: { ...waitOptions, ...submitOptions, test },
	effect: 'the person was asked',
	identify: ({ job, job_id, id }) => job ?? job_id ?? id,
	...waitedJobShape({ subject: 'string', handedOver: 'boolean', handOverReason: 'string' }),
	runBatch: async (batch) => await waitForJobs(batch, issueOne),
});

async function issueOne(
	values: SubmitValues & { wait?: boolean },
	call: ItemCall,
): Promise<BegunItem<AwaitedJob>> {
	const request = await call.buildRequest();
	const submit = await prepareSubmit(values, call);
	const body = toRecord(await call.send(request));
	const job = [body.job, body.job_id, body.id].find(
		(id) => (typeof id === 'string' && id !== '') || typeof id === 'number',
	);
	if (job === undefined) {
		throw new ServiceFailure('The identity issuer accepted the request but returned no job ID', {
			advice: 'The person may have been asked anyway. Check before running again.',
		});
	}
	const id = `${job}`;
	const fingerprint = readClaim(request.token, 'sub');
	const createdStatement = `The job ${id} was issued`;
	const submitted = await submit(
		{ id, subject: fingerprint },
		{ createdStatement, field: SCOPE_JOBS_FIELD },
	);
	const output = {
		...withoutReservedFields(body),
		job: id,
		state: 'outstanding',
		subject: fingerprint,
		...submitted,
	};
	return values.wait
		? {
				output,
				wait: {
					id,
					subject: fingerprint,
					requestSigners: signersOf(request.token),
					sentStatement: createdStatement,
				},
			}
		: { output };
}
