import { operation } from '../../engine/operation';
import { job } from '../fields';
import { isAbsent } from '../keyRecord';

/** Checks whether a job is finished, without fetching its result. */
export const check = operation({
	name: 'Check',
	action: 'Check whether a scope job is finished',
	description: 'Check whether a scope job is finished, without fetching its result',
	request: 'HEAD /scope/{job}',
	fields: { job },
	idempotent: true,
	accept: isAbsent,
	output: (response, { job: id }) => {
		if (isAbsent(response)) return { id, finished: true, outcome: 'gone' };
		if (response.status === 204) return { id, finished: false, outcome: 'outstanding' };
		return { id, finished: true };
	},
	outputSchema: { id: 'string', finished: 'boolean', outcome: 'string' },
});
