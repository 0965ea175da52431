import { operation } from '../../engine/operation';
import { waitLimit } from '../../engine/wait/wait';
import { expectedSubject, job } from '../fields';
import { waitForJobs, waitOptions, waitYields } from './waiting';

/** Waits for a job that was issued before, up to a limit. Every way it can end is an outcome. */
export const waitUntilFinished = operation({
	name: 'Wait Until Finished',
	action: 'Wait until a scope job is finished',
	description:
		'Wait until a person has answered a scope job, and put out the outcome (completed with the verified claims, unverified, cancelled, timedOut, gone or stillOutstanding)',
	fields: { job, expectedSubject, waitLimit },
	options: waitOptions,
	repeatable: true,
	yields: waitYields,
	together: async (batch) =>
		await waitForJobs(batch, async ({ job: id, expectedSubject: subject }) => ({
			output: {},
			wait: { id, subject },
		})),
});
