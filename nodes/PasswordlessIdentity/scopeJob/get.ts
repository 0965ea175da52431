import type { Operation } from '../../engine/operation';
import { expectedSubject, job, readFingerprint } from '../fields';
import { jobResult, jobYields } from '../jobResult';
import { isJobAnswer, readJob } from '../jobState';
import { readTokenOptions, tokenOptions } from '../tokenOptions';

/** Reads the present state of a job, and its verified result if it is completed. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a scope job',
	description:
		'Look up the present state of a scope job: outstanding, completed, cancelled, timedOut or gone. A completed job brings its verified claims; a result that cannot be verified is an error.',
	request: { method: 'GET', path: '/scope/{job}' },
	fields: [job, expectedSubject],
	options: tokenOptions,
	repeatable: true,
	accept: isJobAnswer,
	run: async (call) => {
		const look = {
			job: `${call.field('job')}`.trim(),
			subject: readFingerprint('Expected Subject', call.field('expectedSubject')),
			...readTokenOptions(call.option),
		};
		const answer = await call.send(await call.request());
		return await jobResult(readJob(answer), look, call.client);
	},
	yields: jobYields,
};
