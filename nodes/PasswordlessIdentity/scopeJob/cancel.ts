import { operation } from '../../engine/operation';
import { asRecord } from '../../engine/run/output';
import { job } from '../fields';
import { restOf } from '../jobState';

/** Withdraws a job that nobody has answered yet. */
export const cancel = operation({
	name: 'Cancel',
	action: 'Cancel a scope job',
	description:
		'Withdraw a scope job that is still outstanding, so that it can no longer be answered',
	request: 'DELETE /scope/{job}',
	fields: { job },
	repeatable: true,
	output: (answer, { job: id }) => ({ ...restOf(asRecord(answer)), job: id, state: 'cancelled' }),
	yields: { job: 'string', status: 'string', state: 'string' },
});
