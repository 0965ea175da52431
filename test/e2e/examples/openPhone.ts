import type { Lab } from '../../../lab/lab';
import type { DemoPerson } from '../../../sandbox/demoIdentities';
import { pollUntil } from './runs';

type Json = Record<string, unknown>;

/** Acts as a person with a phone, through the sandbox's control API. */
export function openPhone({ sandbox }: Lab, { fingerprint, phone: number }: DemoPerson) {
	type Job = { job: string; scope: string };
	type Approval = { uuid: string; status: string; message: string; details: Json };
	const findFirst = <T>(
		service: 'passwordlessIdentity' | 'twoFactor',
		action: string,
		input: Json,
	) => (sandbox.control(service, action, input) as T[])[0];
	const listApprovals = () =>
		sandbox.control('twoFactor', 'approvals', { phone: number }) as Approval[];
	// Requests that were sent before this example began and are still open.
	const earlierIds = new Set(listApprovals().map(({ uuid }) => uuid));
	const listPending = () =>
		listApprovals().filter(({ uuid, status }) => status === 'pending' && !earlierIds.has(uuid));
	return {
		/** Waits for a scope job that needs an answer, and returns it. */
		waitForJob: async (holder = fingerprint) =>
			await pollUntil('A scope job', () =>
				findFirst<Job>('passwordlessIdentity', 'jobs', {
					fingerprint: holder,
					state: 'outstanding',
				}),
			),
		answer: async (action: 'approve' | 'deny', { job }: Job) => {
			await sandbox.control('passwordlessIdentity', action, { job });
		},
		/** Waits for an approval request that needs a decision, and returns it. */
		waitForApproval: async () => await pollUntil('An approval request', () => listPending()[0]),
		/** Returns the pending requests, oldest first, as soon as there are this many. */
		waitForApprovals: async (count: number) =>
			await pollUntil(`${count} approval requests`, () => {
				const pendingApprovals = listPending();
				return pendingApprovals.length >= count ? pendingApprovals : undefined;
			}),
		decide: async (decision: 'approved' | 'denied', { uuid }: Approval) => {
			await sandbox.control('twoFactor', 'decide', { uuid, decision });
		},
		/** Returns the text messages so far, oldest first. */
		readTexts: () =>
			sandbox.control('twoFactor', 'messages', { phone: number }) as Array<{ code: string }>,
		/** Returns the mails so far. */
		readMails: (email: string) => sandbox.world.phone.items({ email }),
	};
}
