import type { IDataObject } from 'n8n-workflow';

import { asOutput } from '../../engine/run/execute';
import type { Operation } from '../../engine/operation';
import { job } from '../fields';
import { restOf } from '../jobState';

/** Withdraws a job that nobody has answered yet. */
export const cancel: Operation = {
	name: 'Cancel',
	action: 'Cancel a scope job',
	description:
		'Withdraw a scope job that is still outstanding, so that it can no longer be answered',
	request: { method: 'DELETE', path: '/scope/{job}' },
	fields: [job],
	repeatable: true,
	output: (answer, call) => ({
		...restOf(asOutput(answer) as IDataObject),
		job: `${call.field('job')}`.trim(),
		state: 'cancelled',
	}),
	yields: { job: 'string', status: 'string', state: 'string' },
};
