import { ServiceFailure } from '../../engine/errors';
import { field, shownIf } from '../../engine/field';
import { operation } from '../../engine/operation';
import type { Call } from '../../engine/operation';
import { asRecord } from '../../engine/run/output';
import { boolean, isOn } from '../../engine/values/convert';
import type { Begun } from '../../engine/wait/beginAndWait';
import { handOver, handOverOptions } from '../../engine/wait/handOver';
import type { HandOverValues } from '../../engine/wait/handOver';
import { waitLimit } from '../../engine/wait/wait';
import {
	additionalClaims,
	email,
	fingerprintText,
	ownIssuer,
	phone,
	signedFields,
	text,
} from '../fields';
import { restOf } from '../jobState';
import { claimOf, tokenFor } from '../signing';
import { scopes } from './scopes';
import { waitForJobs, waitOptions, waitYields } from './waiting';
import type { Job } from './waiting';

const subject = field({
	displayName: 'Subject',
	name: 'subject',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
	description: 'The fingerprint of the person who is asked: 43 characters',
	read: fingerprintText,
	target: { in: 'claim', as: 'sub' },
});

const type = field({
	displayName: 'Type',
	name: 'type',
	type: 'string',
	default: '',
	placeholder: 'e.g. registration',
	description: 'The kind of job, as the issuer knows it',
	read: text,
	target: { in: 'claim' },
});

const wait = field({
	displayName: 'Wait Until Finished',
	name: 'wait',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to wait for the answer of the person and put out the verified result. The jobs of all items are issued first and then waited for together.',
	read: isOn,
});

const test = field({
	displayName: 'Test Job',
	name: 'test',
	type: 'boolean',
	default: false,
	description: 'Whether this is only a test, so that nobody is disturbed',
	read: (given) => (boolean('Test Job')(given) ? 1 : undefined),
	target: { in: 'query' },
});

/** Asks a person for claims; on request waits for the answer, or hands the job to a trigger. */
export const issue = operation({
	name: 'Issue',
	action: 'Issue a scope job',
	description:
		'Ask a person for information such as an email address: the request appears on the phone that holds their key. Can wait for the answer.',
	request: 'POST /scope',
	sign: tokenFor,
	fields: {
		...signedFields({
			subject,
			scopes,
			additionalClaims: additionalClaims(email, phone, type),
			issuer: ownIssuer,
		}),
		wait,
		waitLimit: shownIf(waitLimit, { wait: [true] }),
	},
	options: { ...waitOptions, ...handOverOptions, test },
	once: 'the person was asked',
	yields: { ...waitYields, status: 'string', subject: 'string', handedOver: 'boolean' },
	together: async (batch) => await waitForJobs(batch, issueOne),
});

async function issueOne(
	values: HandOverValues & { wait?: boolean },
	call: Call,
): Promise<Begun<Job>> {
	const request = await call.request();
	const body = asRecord(await call.send(request));
	const job = [body.job, body.job_id, body.id].find(
		(id) => (typeof id === 'string' && id !== '') || typeof id === 'number',
	);
	if (job === undefined) {
		throw new ServiceFailure('The identity issuer took the request but did not name the job', {
			advice: 'The person may have been asked all the same: check before you repeat it.',
		});
	}
	const id = `${job}`;
	const asked = claimOf(request.token, 'sub');
	const handed = await handOver(values, call, { id, subject: asked });
	const output = { ...restOf(body), job: id, state: 'outstanding', subject: asked, ...handed };
	const done = `The job ${id} was issued`;
	return values.wait ? { output, wait: { id, subject: asked, done } } : { output };
}
