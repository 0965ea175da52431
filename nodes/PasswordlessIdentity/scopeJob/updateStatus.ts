import type { IDataObject } from 'n8n-workflow';

import { asOutput } from '../../engine/execute';
import type { Operation } from '../../engine/operation';
import {
	additionalClaims,
	email,
	job,
	ownIssuer,
	ownSubject,
	phone,
	signedFields,
} from '../fields';

/** Answers a job in the name of the person who is asked, as the phone does. */
export const updateStatus: Operation = {
	name: 'Update Status',
	action: 'Update the status of a scope job',
	description:
		'Complete a scope job with a token that the person who was asked has signed. Normally the phone does this.',
	request: { method: 'PUT', path: '/scope/{job}', body: 'jwt' },
	fields: [job, ...signedFields([ownSubject, additionalClaims([email, phone]), ownIssuer], true)],
	repeatable: true,
	output: (answer, call) => ({
		job: `${call.field('job')}`.trim(),
		...(asOutput(answer) as IDataObject),
	}),
	yields: { job: 'string', status: 'string' },
};
