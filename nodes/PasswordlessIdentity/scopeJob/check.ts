import { operation } from '../../engine/operation';
import { job } from '../fields';
import { isAbsent } from '../keyRecord';

/** Asks whether a job is finished, without its result. */
export const check = operation({
	name: 'Check',
	action: 'Check whether a scope job is finished',
	description:
		'Ask whether a scope job is finished, without fetching its result. Get tells how it ended.',
	request: 'HEAD /scope/{job}',
	fields: { job },
	repeatable: true,
	accept: isAbsent,
	output: (answer, { job: id }) => {
		if (isAbsent(answer)) return { job: id, finished: true, state: 'gone' };
		if (answer.status === 204) return { job: id, finished: false, state: 'outstanding' };
		return { job: id, finished: true };
	},
	yields: { job: 'string', finished: 'boolean', state: 'string' },
});
