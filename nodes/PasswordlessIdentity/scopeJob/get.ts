import { operation } from '../../engine/operation';
import { expectedSubject, job } from '../fields';
import { jobShape, verifyJobResult } from '../jobResult';
import { identifyResult, isJobResponse, readJob } from '../jobState';
import { tokenOptions, toTokenPolicy } from '../tokenOptions';

/** Returns the current state of a job and, once it is completed, its result: verified, unless the user turned that off. */
export const get = operation({
	name: 'Get',
	action: 'Get a scope job',
	description: 'Get the current state of a scope job, with verified claims if completed',
	request: 'GET /scope/{job}',
	fields: { job, expectedSubject },
	options: tokenOptions,
	idempotent: true,
	accept: isJobResponse,
	identify: identifyResult,
	run: async ({ job: id, expectedSubject: subject, ...options }, call) => {
		const expectation = { job: id, subject, ...toTokenPolicy(options) };
		const response = await call.send(await call.buildRequest());
		const reading = readJob(response);
		if (reading.trouble) call.hint(`${reading.trouble}.`);
		return await verifyJobResult(reading, expectation, call.client);
	},
	...jobShape,
});
