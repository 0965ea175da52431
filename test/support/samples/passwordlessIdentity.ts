import type { INodeParameters } from 'n8n-workflow';

import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import type { Job } from '../../../sandbox/passwordlessIdentity/jobs';
import type { Sandbox } from '../../../sandbox/server';
import type { Rig } from '../sandboxRig';
import { NO_CHANGES, samplesOf } from './sample';
import type { Changes, Sample } from './sample';

const sample = samplesOf('passwordlessIdentity');

const getUser = ({ sandbox }: Rig) => sandbox.demo.user;
const listOutstandingJobs = (sandbox: Sandbox) =>
	sandbox.control('passwordlessIdentity', 'jobs', { state: 'outstanding' }) as Job[];
const approve = async (sandbox: Sandbox, job: string) =>
	await sandbox.control('passwordlessIdentity', 'approve', { job });

/** Runs one operation of the node and throws its error; the request bypasses injected faults. */
async function runNode(rig: Rig, parameters: INodeParameters): Promise<void> {
	const { error } = await rig.run('passwordlessIdentity', parameters);
	if (error) throw error;
}

/** Issues a job to the user. */
async function issueJob(rig: Rig): Promise<Job> {
	const { fingerprint } = getUser(rig);
	await runNode(rig, { resource: 'scopeJob', operation: 'issue', subject: fingerprint });
	return listOutstandingJobs(rig.sandbox).at(-1)!;
}

/** Issues a job, approves it and returns its parameters. */
async function issueApprovedJob(rig: Rig): Promise<INodeParameters> {
	const { job } = await issueJob(rig);
	await approve(rig.sandbox, job);
	return { job, expectedSubject: getUser(rig).fingerprint };
}

const getContact = (rig: Rig) => ({ email: getUser(rig).email, phone: getUser(rig).phone });
const getOwnKey = ({ sandbox }: Rig) => ({ fingerprint: sandbox.demo.application.fingerprint });
const waitParameters = { waitLimit: 8, options: { checkEvery: 1 } };
const newcomer = deriveDemoKey('somebody new');
const stranger = deriveDemoKey('a stranger').fingerprint;

const noKey = {
	parameters: { fingerprint: stranger },
	expected: /No key with this fingerprint is registered/,
};
const noJob = {
	parameters: { job: 'no-such-job-01234567' },
	expected: /No job with this identifier is outstanding/,
};
const noPerson = {
	parameters: { email: 'nobody@example.com' },
	expected: /No key belongs to this email address and phone number/,
};

/** Changes when a job ends, in the service and on the user's phone. */
const endedJob = (
	job: unknown,
	state: 'completed' | 'cancelled',
	otherFields: object = {},
): Changes => ({
	changed: {
		jobs: { [job as string]: { state, finishedAt: expect.any(Number), ...otherFields } },
		phone: { [`scopeJob ${job as string}`]: { status: state } },
	},
});
const signedAnswer = { token: expect.stringMatching(/^ey/), claims: expect.any(Object) };

/** Changes when a job is issued to the user. */
const issuedJob =
	(state: 'outstanding' | 'completed') =>
	({ sandbox }: Rig): Changes => {
		const { application, user: person } = sandbox.demo;
		const status = state === 'completed' ? state : 'waiting';
		const parties = { iss: application.fingerprint, sub: person.fingerprint };
		return {
			added: {
				jobs: [expect.objectContaining({ ...parties, state })],
				phone: [expect.objectContaining({ kind: 'scopeJob', from: parties.iss, status })],
			},
		};
	};

/** A sample for every operation of the node, including issue-and-wait and both steps of revoking. */
export const passwordlessIdentitySamples: Sample[] = [
	sample('key', 'check', { exists: true }, (rig) => ({ fingerprint: getUser(rig).fingerprint }), {
		needsNoKey: true,
		changes: NO_CHANGES,
		missingRecord: { ...noKey, expected: { exists: false } },
	}),
	sample('key', 'get', 'since', (rig) => ({ fingerprint: getUser(rig).fingerprint }), {
		needsNoKey: true,
		changes: NO_CHANGES,
		missingRecord: noKey,
	}),
	sample('key', 'register', 'secret', () => ({}), {
		needsNoKey: true,
		credential: () => ({ privateKey: newcomer.privatePem }),
		changes: () => ({
			added: { keys: [expect.objectContaining({ fingerprint: newcomer.fingerprint })] },
		}),
		missingRecord: 'takes no id',
		effect: 'the key was registered',
	}),
	sample(
		'key',
		'replace',
		{ status: 'confirmed' },
		(rig) => ({ ...getOwnKey(rig), additionalClaims: { email: 'desk@example.com' } }),
		{
			changes: (rig) => ({
				changed: { keys: { [getOwnKey(rig).fingerprint]: { email: 'desk@example.com' } } },
			}),
			missingRecord: noKey,
		},
	),
	sample(
		'key',
		'revoke',
		{ revoked: true },
		(rig) => {
			const { fingerprint } = getUser(rig);
			const keys = rig.sandbox.control('passwordlessIdentity', 'keys');
			const keyRecords = keys as Array<{ fingerprint: string; secret: string }>;
			const { secret } = keyRecords.find((key) => key.fingerprint === fingerprint)!;
			return { fingerprint, secret };
		},
		{
			needsNoKey: true,
			changes: (rig) => ({ changed: { keys: { [getUser(rig).fingerprint]: { revoked: true } } } }),
			missingRecord: noKey,
		},
	),
	sample('key', 'revokeByContact', { codeSent: true }, getContact, {
		variant: 'step 1',
		needsNoKey: true,
		changes: (rig) => ({
			added: {
				codes: [expect.stringMatching(/^\d{6}$/)],
				phone: [expect.objectContaining({ kind: 'mail', to: { email: getUser(rig).email } })],
			},
		}),
		missingRecord: noPerson,
		effect: 'the code was emailed, or the key revoked',
	}),
	sample(
		'key',
		'revokeByContact',
		{ revoked: true },
		async (rig) => {
			const requestCode = { resource: 'key', operation: 'revokeByContact', ...getContact(rig) };
			await runNode(rig, requestCode);
			const mails = rig.sandbox.world.phone.items({ email: getUser(rig).email });
			const code = mails.flatMap((item) => (item.kind === 'mail' ? item.code! : [])).at(-1)!;
			return { ...getContact(rig), step: 'revoke', code };
		},
		{
			variant: 'step 2',
			needsNoKey: true,
			changes: (rig) => ({
				removed: { codes: [getUser(rig).fingerprint] },
				changed: { keys: { [getUser(rig).fingerprint]: { revoked: true } } },
			}),
			missingRecord: noPerson,
			effect: 'the code was emailed, or the key revoked',
		},
	),
	sample(
		'key',
		'update',
		{ status: 'confirmed' },
		(rig) => ({ ...getOwnKey(rig), additionalClaims: { devtoken: 'push-0123' } }),
		{
			changes: (rig) => ({
				changed: { keys: { [getOwnKey(rig).fingerprint]: { devtoken: 'push-0123' } } },
			}),
			missingRecord: noKey,
			effect: 'the key was changed',
		},
	),
	sample(
		'login',
		'complete',
		{ verified: true },
		() => ({ callback: 'https://app.example.com/login/callback' }),
		{ changes: NO_CHANGES, missingRecord: 'takes no id', effect: 'the person was logged in' },
	),
	sample(
		'scopeJob',
		'cancel',
		{ outcome: 'cancelled' },
		async (rig) => ({ job: (await issueJob(rig)).job }),
		{ needsNoKey: true, changes: (_, { job }) => endedJob(job, 'cancelled'), missingRecord: noJob },
	),
	sample('scopeJob', 'check', { finished: true }, issueApprovedJob, {
		needsNoKey: true,
		changes: NO_CHANGES,
		missingRecord: { ...noJob, expected: { finished: true, outcome: 'gone' } },
	}),
	sample(
		'scopeJob',
		'confirm',
		{ status: 'confirmed' },
		async (rig) => {
			rig.sandbox.settings.passwordlessIdentity.scopeConfirmation = 'always';
			const { job, code } = await issueJob(rig);
			return { job, code: code! };
		},
		{
			needsNoKey: true,
			changes: (_, { job }) => ({ changed: { jobs: { [job as string]: { confirmed: true } } } }),
			missingRecord: noJob,
			effect: 'the job was confirmed',
		},
	),
	sample('scopeJob', 'get', { outcome: 'completed', verified: true }, issueApprovedJob, {
		needsNoKey: true,
		changes: NO_CHANGES,
		missingRecord: { ...noJob, expected: { outcome: 'gone' } },
	}),
	sample(
		'scopeJob',
		'get',
		{ outcome: 'outstanding' },
		async (rig) => ({ job: (await issueJob(rig)).job }),
		{
			variant: 'outstanding',
			needsNoKey: true,
			changes: NO_CHANGES,
			missingRecord: { ...noJob, expected: { outcome: 'gone' } },
		},
	),
	sample(
		'scopeJob',
		'issue',
		{ outcome: 'outstanding' },
		(rig) => ({ subject: getUser(rig).fingerprint }),
		{
			changes: issuedJob('outstanding'),
			effect: 'the person was asked',
			missingRecord: { ...noKey, parameters: { subject: stranger } },
		},
	),
	sample(
		'scopeJob',
		'issue',
		{ outcome: 'completed', verified: true },
		(rig) => ({ subject: getUser(rig).fingerprint, wait: true, ...waitParameters }),
		{
			variant: 'and wait',
			waitsForPerson: true,
			actMeanwhile: async (sandbox) => {
				for (const { job } of listOutstandingJobs(sandbox)) await approve(sandbox, job);
			},
			changes: issuedJob('completed'),
			effect: 'the person was asked',
			missingRecord: { ...noKey, parameters: { subject: stranger } },
		},
	),
	sample(
		'scopeJob',
		'updateStatus',
		{ status: 'ready' },
		async (rig) => ({ job: (await issueJob(rig)).job, useToken: false }),
		{
			credential: (rig) => ({ privateKey: getUser(rig).privatePem }),
			changes: (_, { job }) => endedJob(job, 'completed', signedAnswer),
			missingRecord: noJob,
		},
	),
	sample(
		'scopeJob',
		'waitUntilFinished',
		{ outcome: 'completed', verified: true },
		async (rig) => ({ ...(await issueApprovedJob(rig)), ...waitParameters }),
		{
			waitsForPerson: true,
			needsNoKey: true,
			changes: NO_CHANGES,
			missingRecord: { ...noJob, expected: { outcome: 'gone' } },
		},
	),
];
