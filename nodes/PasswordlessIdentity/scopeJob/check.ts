import { ServiceFailure } from '../../engine/errors';
import { isHtml } from '../../engine/http/failures';
import { isNotFound } from '../../engine/http/statuses';
import { operation } from '../../engine/operation';
import { job } from '../fields';
import { UNRECOGNIZED_RESPONSE } from '../jobResult';
import { isJobResponse, readJob } from '../jobState';
import { jobRequest } from './waiting';

/**
 * Checks whether a job is finished. A response to HEAD has no body, any server answers 404 to a wrong path, and some issuers
 * answer 202 for an outstanding job. So only 200 and 204 count at once; the response to a GET decides everything else.
 */
export const check = operation({
	name: 'Check',
	action: 'Check whether a scope job is finished',
	description: 'Check whether a scope job is finished, without fetching its result',
	request: 'HEAD /scope/{job}',
	fields: { job },
	idempotent: true,
	accept: (response) => isNotFound(response) && !isHtml(response),
	output: async ({ status }, { job: id }, call) => {
		if (status === 200) return { id, finished: true };
		if (status === 204) return { id, finished: false, outcome: 'outstanding' };
		const response = await call.send({ ...jobRequest(id), accept: isJobResponse });
		const { state, trouble } = readJob(response);
		if (trouble) call.hint(`${trouble}.`);
		if (state === 'unrecognized') throw new ServiceFailure(UNRECOGNIZED_RESPONSE);
		// The result is not verified here, so the job does not count as completed.
		if (state === 'completed') return { id, finished: true };
		return { id, finished: state !== 'outstanding', outcome: state };
	},
	outputSchema: { id: 'string', finished: 'boolean', outcome: 'string' },
});
