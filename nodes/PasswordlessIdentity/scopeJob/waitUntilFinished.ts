import { operation } from '../../engine/operation';
import { waitLimit } from '../../engine/wait/wait';
import { expectedSubject, job } from '../fields';
import { waitedJobShape } from '../jobResult';
import { waitForJobs, waitOptions } from './waiting';

/** Waits for a job that was issued earlier, up to a limit. Every end is an outcome, not an error, unless the user chose so. */
export const waitUntilFinished = operation({
	name: 'Wait Until Finished',
	action: 'Wait until a scope job is finished',
	description: "Wait for a person's answer and return the outcome with verified claims",
	fields: { job, expectedSubject, waitLimit: waitLimit('Answer') },
	options: waitOptions,
	idempotent: true,
	...waitedJobShape({}),
	runBatch: async (batch) =>
		await waitForJobs(batch, async ({ job: id, expectedSubject: subject }) => ({
			output: {},
			wait: { id, subject },
		})),
});
