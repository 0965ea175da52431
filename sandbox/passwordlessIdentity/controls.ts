import { deriveDemoKey } from '../demoIdentities';
import type { World } from '../service';
import type { Job, Jobs, JobState } from './jobs';
import type { KeyStore } from './keys';
import { signToken } from './tokens';

type Input = Record<string, unknown>;

/** Control actions of the identity service. Input is checked before anything is signed. */
export function passwordlessIdentityControls(world: World, keys: KeyStore, jobs: Jobs) {
	const requireOutstanding = ({ job }: Input): Job => {
		const existing = typeof job === 'string' ? jobs.find(job) : undefined;
		if (!existing) throw new Error(`There is no job '${String(job)}'`);
		if (existing.state !== 'outstanding') throw new Error(`The job is ${existing.state} already`);
		return existing;
	};

	return {
		/** `{ fingerprint?, state? }`: jobs, oldest first, with codes and tokens. */
		jobs: ({ fingerprint, state }: Input): Job[] =>
			jobs
				.list()
				.filter(
					(job) =>
						(fingerprint === undefined || job.sub === fingerprint) &&
						(state === undefined || job.state === (state as JobState)),
				),

		/** `{ job, claims? }`: signs the requested claims with the user's key, if the sandbox has it. */
		approve: (input: Input): Promise<{ job: string; state: JobState; token: string }> => {
			const job = requireOutstanding(input);
			const key = keys.findPrivateKey(job.sub);
			if (!key) throw new Error('The sandbox does not hold the private key of this user');
			const record = keys.find(job.sub);
			if (!record) throw new Error('The key of this user was revoked');
			const { claims: claimOverrides = {} } = input;
			if (typeof claimOverrides !== 'object') throw new Error('The claims must be an object');
			const claims = {
				...selectRequestedClaims(job, { ...record, name: key.name }),
				...claimOverrides,
				iss: job.sub,
				sub: job.sub,
				aud: job.iss,
				job: job.job,
			};
			return signToken(claims, key).then((token) => {
				if (job.state === 'outstanding') jobs.complete(job, token, claims);
				return { job: job.job, state: job.state, token: job.token ?? token };
			});
		},

		/** `{ job }`: denies the job, as the user's Deny button does. */
		deny: (input: Input) => {
			const job = requireOutstanding(input);
			jobs.cancel(job);
			return { job: job.job, state: job.state };
		},

		/** `{ job }`: ends the job as if its time had run out. */
		expire: (input: Input) => {
			const job = requireOutstanding(input);
			jobs.expire(job);
			return { job: job.job, state: job.state };
		},

		/** `{}`: every key, with the secret that revokes it and whether the sandbox has its private half. */
		keys: () =>
			keys.list().map((record) => ({ ...record, held: !!keys.findPrivateKey(record.fingerprint) })),

		/** `{ name, email?, phone? }`: adds a user whose key the sandbox has; the same name gives the same key. */
		addUser: ({ name, email, phone }: Input) => {
			if (typeof name !== 'string' || name === '') throw new Error('A user needs a name');
			const key = deriveDemoKey(`user ${name}`);
			const contact = JSON.parse(JSON.stringify({ email, phone })) as object;
			keys.addWithPrivateKey({ ...key, name }, contact, world.random.text(32));
			return key;
		},
	};
}

/** Returns the demo user's values for exactly the requested claims. */
function selectRequestedClaims(
	{ scope }: Job,
	user: { name: string; email?: string; phone?: string },
) {
	const claimValues: Record<string, unknown> = {
		email: user.email,
		phone: user.phone,
		name: user.name,
		profile: { name: user.name, locale: 'en' },
		address: { street_address: '1 Gate Lane', locality: 'Bath', country: 'GB' },
	};
	return Object.fromEntries(
		scope
			.split(/\s+/)
			.map((entry) => entry.split('~')[0]!)
			.filter((name) => claimValues[name] !== undefined)
			.map((name) => [name, claimValues[name]]),
	);
}
