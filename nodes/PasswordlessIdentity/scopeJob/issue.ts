import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import { asOutput } from '../../engine/run/execute';
import type { Begun } from '../../engine/wait/beginAndWait';
import { handOver, handOverOptions } from '../../engine/wait/handOver';
import type { Call, Operation } from '../../engine/operation';
import { boolean } from '../../engine/values/convert';
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
import { claimOf } from '../signing';
import { scopes } from './scopes';
import { waitForJobs, waitOptions, waitYields } from './waiting';
import type { Job } from './waiting';

/** Asks a person for claims; on request waits for the answer, or hands the job to a trigger. */
export const issue: Operation = {
	name: 'Issue',
	action: 'Issue a scope job',
	description:
		'Ask a person for information such as an email address: the request appears on the phone that holds their key. Can wait for the answer.',
	request: { method: 'POST', path: '/scope', body: 'jwt' },
	fields: [
		...signedFields([
			{
				displayName: 'Subject',
				name: 'subject',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
				description: 'The fingerprint of the person who is asked: 43 characters',
				target: { in: 'claim', as: 'sub', value: fingerprintText('Subject') },
			},
			scopes,
			additionalClaims([
				email,
				phone,
				{
					displayName: 'Type',
					name: 'type',
					type: 'string',
					default: '',
					placeholder: 'e.g. registration',
					description: 'The kind of job, as the issuer knows it',
					target: { in: 'claim', value: text },
				},
			]),
			ownIssuer,
		]),
		{
			displayName: 'Wait Until Finished',
			name: 'wait',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				'Whether to wait for the answer of the person and put out the verified result. The jobs of all items are issued first and then waited for together.',
		},
		{ ...waitLimit, displayOptions: { show: { wait: [true] } } },
	],
	options: [
		...waitOptions,
		...handOverOptions,
		{
			displayName: 'Test Job',
			name: 'test',
			type: 'boolean',
			default: false,
			description: 'Whether this is only a test, so that nobody is disturbed',
			target: { in: 'query', value: (given) => (boolean('Test Job')(given) ? 1 : undefined) },
		},
	],
	yields: { ...waitYields, status: 'string', subject: 'string', handedOver: 'boolean' },
	together: async (batch) => await waitForJobs(batch, issueOne),
};

async function issueOne(call: Call): Promise<Begun<Job>> {
	const request = await call.request();
	const body = asOutput(await call.send(request)) as IDataObject;
	const job = [body.job, body.job_id, body.id].find(
		(id) => (typeof id === 'string' && id !== '') || typeof id === 'number',
	);
	if (job === undefined) {
		throw new ServiceFailure('The identity issuer took the request but did not name the job', {
			advice: 'The person may have been asked all the same: check before you repeat it.',
		});
	}
	const id = `${job}`;
	const subject = claimOf(request.token, 'sub');
	const handed = await handOver(call, { id, subject });
	const output = { ...restOf(body), job: id, state: 'outstanding', subject, ...handed };
	const done = `The job ${id} was issued`;
	return call.field('wait') === true ? { output, wait: { id, subject, done } } : { output };
}
