import type { Operation } from '../../engine/operation';
import { missing } from '../../engine/http/path';
import { waitLimit } from '../../engine/wait/wait';
import { expectedSubject, job, readFingerprint } from '../fields';
import { waitForJobs, waitOptions, waitYields } from './waiting';

/** Waits for a job that was issued before, up to a limit. Every way it can end is an outcome. */
export const waitUntilFinished: Operation = {
	name: 'Wait Until Finished',
	action: 'Wait until a scope job is finished',
	description:
		'Wait until a person has answered a scope job, and put out the outcome (completed with the verified claims, unverified, cancelled, timedOut, gone or stillOutstanding)',
	fields: [{ ...job, target: undefined }, expectedSubject, waitLimit],
	options: waitOptions,
	reads: true,
	yields: waitYields,
	together: async (batch) =>
		await waitForJobs(batch, async (call) => {
			const id = `${call.field('job') ?? ''}`.trim();
			if (id === '') throw missing('Job ID');
			const subject = readFingerprint('Expected Subject', call.field('expectedSubject'));
			return { output: {}, wait: { id, subject } };
		}),
};
