import { choices } from '../../../sandbox/passwordlessIdentity/settings';
import type { PasswordlessIdentitySettings } from '../../../sandbox/passwordlessIdentity/settings';
import { openIdentityHouse } from './identityHouse';
import type { IdentityHouse } from './identityHouse';
import { useHurry } from '../../support/hurry';

useHurry();

type End = (house: IdentityHouse, job: string) => unknown;

/** Waits for a job at an issuer of its own that answers in one form, and is ended while it is outstanding. */
async function endsAs(setting: keyof PasswordlessIdentitySettings, form: unknown, end: End) {
	const house = await openIdentityHouse();
	try {
		house.set({ [setting]: form });
		const job = await house.newJob();
		house.onceLooked(() => end(house, job));
		const out = await house.one('scopeJob', 'waitUntilFinished', {
			job,
			expectedSubject: house.sandbox.demo.user.fingerprint,
			waitLimit: 20,
			options: { checkEvery: 1 },
		});
		expect(house.sandbox.faults).toEqual([]);
		expect(out).toMatchObject({ job, seenOutstanding: true });
		return { form, outcome: out.outcome, state: out.state, verified: out.verified };
	} finally {
		await house.close();
	}
}

const approve: End = async (house, job) => await house.approve(job);
const deny: End = (house, job) => house.sandbox.control('passwordlessIdentity', 'deny', { job });
const runOut: End = (house) => house.sandbox.clock.advance(301_000);

/** All forms of one setting side by side, since each takes its second. */
const all = async (setting: keyof PasswordlessIdentitySettings, end: End) =>
	await Promise.all(choices[setting]!.map(async (form) => await endsAs(setting, form, end)));
const isMissing = (form: unknown) => form === '404' || form === '410';

it.each([['scopeOutstanding'], ['scopeCompleted']] as const)(
	'a job ends as completed in every form of %s that can be verified',
	async (setting) => {
		expect(await all(setting, approve)).toEqual(
			choices[setting]!.map((form) => {
				const verified = form !== 'claims';
				const outcome = verified ? 'completed' : 'unverified';
				return { form, outcome, state: outcome, verified };
			}),
		);
	},
);

it.each([
	['scopeCancelled', 'cancelled', deny],
	['scopeTimedOut', 'timedOut', runOut],
] as const)('a job ends alike in every form of %s', async (setting, word, end) => {
	expect(await all(setting, end)).toEqual(
		choices[setting]!.map((form) => {
			const outcome = isMissing(form) ? 'gone' : word;
			return { form, outcome, state: outcome, verified: undefined };
		}),
	);
});
