import type { INodeParameters } from 'n8n-workflow';

import { demoKey } from '../../../sandbox/demo';
import type { Job } from '../../../sandbox/passwordlessIdentity/jobs';
import type { Sandbox } from '../../../sandbox/server';
import type { House } from '../house';
import type { Sample } from './sample';

const sample = (
	resource: string,
	operation: string,
	shows: Sample['shows'],
	parameters: Sample['parameters'],
	more: Partial<Sample> = {},
): Sample => ({ node: 'passwordlessIdentity', resource, operation, shows, parameters, ...more });

const user = ({ sandbox }: House) => sandbox.demo.user;
const jobs = (sandbox: Sandbox) =>
	sandbox.control('passwordlessIdentity', 'jobs', { state: 'outstanding' }) as Job[];
const approve = async (sandbox: Sandbox, job: string) =>
	await sandbox.control('passwordlessIdentity', 'approve', { job });

/** Runs one operation directly, past anything that fails on the way. */
async function run(house: House, parameters: INodeParameters): Promise<void> {
	const { error } = await house.run('passwordlessIdentity', parameters);
	if (error) throw error;
}

/** Asks the user for something. */
async function issued(house: House): Promise<Job> {
	const { fingerprint } = user(house);
	await run(house, { resource: 'scopeJob', operation: 'issue', subject: fingerprint });
	return jobs(house.sandbox).at(-1)!;
}

/** The same, answered. */
async function answered(house: House): Promise<INodeParameters> {
	const { job } = await issued(house);
	await approve(house.sandbox, job);
	return { job, expectedSubject: user(house).fingerprint };
}

const contact = (house: House) => ({ email: user(house).email, phone: user(house).phone });
const ownKey = ({ sandbox }: House) => ({ fingerprint: sandbox.demo.application.fingerprint });
const wait = { waitLimit: 8, options: { checkEvery: 1 } };

/** Every operation of the identity node; issuing and waiting at once, and both steps of revoking, among them. */
export const passwordlessIdentitySamples: Sample[] = [
	sample('key', 'check', { exists: true }, (house) => ({ fingerprint: user(house).fingerprint })),
	sample('key', 'get', 'since', (house) => ({ fingerprint: user(house).fingerprint })),
	sample('key', 'register', 'secret', () => ({}), {
		credential: () => ({ privateKey: demoKey('somebody new').privatePem }),
	}),
	sample('key', 'replace', { status: 'confirmed' }, (house) => ({
		...ownKey(house),
		additionalClaims: { email: 'desk@example.com' },
	})),
	sample('key', 'revoke', { revoked: true }, (house) => {
		const { fingerprint } = user(house);
		const keys = house.sandbox.control('passwordlessIdentity', 'keys');
		const all = keys as Array<{ fingerprint: string; secret: string }>;
		const { secret } = all.find((key) => key.fingerprint === fingerprint)!;
		return { fingerprint, secret };
	}),
	sample('key', 'revokeByContact', { codeSent: true }, contact, { variant: 'step 1' }),
	sample(
		'key',
		'revokeByContact',
		{ revoked: true },
		async (house) => {
			const first = { resource: 'key', operation: 'revokeByContact', ...contact(house) };
			await run(house, first);
			const mails = house.sandbox.world.phone.items({ email: user(house).email });
			const code = mails.flatMap((item) => (item.kind === 'mail' ? item.code! : [])).at(-1)!;
			return { ...contact(house), step: 'revoke', code };
		},
		{ variant: 'step 2' },
	),
	sample('key', 'update', { status: 'confirmed' }, (house) => ({
		...ownKey(house),
		additionalClaims: { devtoken: 'push-0123' },
	})),
	sample('login', 'complete', { verified: true }, () => ({
		callback: 'https://app.example.com/login/callback',
	})),
	sample('scopeJob', 'cancel', { state: 'cancelled' }, async (house) => ({
		job: (await issued(house)).job,
	})),
	sample('scopeJob', 'check', { finished: true }, answered),
	sample('scopeJob', 'confirm', { status: 'confirmed' }, async (house) => {
		house.sandbox.settings.passwordlessIdentity.scopeConfirmation = 'always';
		const { job, code } = await issued(house);
		return { job, code: code! };
	}),
	sample('scopeJob', 'get', { state: 'completed', verified: true }, answered),
	sample(
		'scopeJob',
		'get',
		{ state: 'outstanding' },
		async (house) => ({ job: (await issued(house)).job }),
		{ variant: 'outstanding' },
	),
	sample('scopeJob', 'issue', { state: 'outstanding' }, (house) => ({
		subject: user(house).fingerprint,
	})),
	sample(
		'scopeJob',
		'issue',
		{ outcome: 'completed', verified: true },
		(house) => ({ subject: user(house).fingerprint, wait: true, ...wait }),
		{
			variant: 'and wait',
			waits: true,
			meanwhile: async (sandbox) => {
				for (const { job } of jobs(sandbox)) await approve(sandbox, job);
			},
		},
	),
	sample(
		'scopeJob',
		'updateStatus',
		{ status: 'ready' },
		async (house) => ({ job: (await issued(house)).job, useToken: false }),
		{ credential: (house) => ({ privateKey: user(house).privatePem }) },
	),
	sample(
		'scopeJob',
		'waitUntilFinished',
		{ outcome: 'completed', verified: true },
		async (house) => ({ ...(await answered(house)), ...wait }),
		{ waits: true },
	),
];
