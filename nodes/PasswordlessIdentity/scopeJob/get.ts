import { operation } from '../../engine/operation';
import { expectedSubject, job } from '../fields';
import { jobResult, jobYields } from '../jobResult';
import { isJobAnswer, readJob } from '../jobState';
import { tokenOptions, tokenWishes } from '../tokenOptions';

/** Reads the present state of a job, and its verified result if it is completed. */
export const get = operation({
	name: 'Get',
	action: 'Get a scope job',
	description:
		'Look up the present state of a scope job: outstanding, completed, cancelled, timedOut or gone. A completed job brings its verified claims; a result that cannot be verified is an error.',
	request: 'GET /scope/{job}',
	fields: { job, expectedSubject },
	options: tokenOptions,
	repeatable: true,
	accept: isJobAnswer,
	run: async ({ job: id, expectedSubject: subject, ...options }, call) => {
		const look = { job: id, subject, ...tokenWishes(options) };
		const answer = await call.send(await call.request());
		return await jobResult(readJob(answer), look, call.client);
	},
	yields: jobYields,
});
