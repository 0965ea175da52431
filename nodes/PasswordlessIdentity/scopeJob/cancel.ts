import { operation } from '../../engine/operation';
import { job } from '../fields';

/** Cancels a job that the person has not answered yet. */
export const cancel = operation({
	name: 'Cancel',
	action: 'Cancel a scope job',
	description: 'Cancel an outstanding scope job, so that it can no longer be answered',
	request: 'DELETE /scope/{job}',
	fields: { job },
	idempotent: true,
	output: (_, { job: id }) => ({ id, outcome: 'cancelled' }),
	outputSchema: { id: 'string', outcome: 'string' },
});
