import { settingChoices } from '../../../sandbox/passwordlessIdentity/settings';
import type { PasswordlessIdentitySettings } from '../../../sandbox/passwordlessIdentity/settings';
import { useAcceleratedTime } from '../../support/fakeClock';
import { openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

useAcceleratedTime();

type End = (rig: IdentityRig, job: string) => unknown;

/** Waits for a job of its own issuer that responds in one form. The job ends after the first poll. */
async function waitForEnd(setting: keyof PasswordlessIdentitySettings, form: unknown, end: End) {
	const rig = await openIdentityRig();
	try {
		rig.changeSettings({ [setting]: form });
		const job = await rig.issueJob();
		rig.onFirstPoll(() => end(rig, job));
		const output = await rig.getOutput('scopeJob', 'waitUntilFinished', {
			job,
			expectedSubject: rig.sandbox.demo.user.fingerprint,
			waitLimit: 20,
			options: { checkEvery: 1 },
		});
		expect(rig.sandbox.internalErrors).toEqual([]);
		expect(output).toMatchObject({ id: job, seenOutstanding: true });
		return { form, outcome: output.outcome, verified: output.verified };
	} finally {
		await rig.close();
	}
}

const approve: End = async (rig, job) => await rig.approve(job);
const deny: End = (rig, job) => rig.sandbox.control('passwordlessIdentity', 'deny', { job });
const expire: End = (rig) => rig.sandbox.clock.advance(301_000);

/** Tests all forms of one setting concurrently, since each takes a second. */
const waitForEndInAllForms = async (setting: keyof PasswordlessIdentitySettings, end: End) =>
	await Promise.all(
		settingChoices[setting]!.map(async (form) => await waitForEnd(setting, form, end)),
	);
const isMissing = (form: unknown) => form === '404' || form === '410';

it.each([['scopeOutstanding'], ['scopeCompleted']] as const)(
	'a job ends as completed in every form of %s that can be verified',
	async (setting) => {
		expect(await waitForEndInAllForms(setting, approve)).toEqual(
			settingChoices[setting]!.map((form) => {
				const verified = form !== 'claims';
				const outcome = verified ? 'completed' : 'unverified';
				return { form, outcome, verified };
			}),
		);
	},
);

it.each([
	['scopeCancelled', 'cancelled', deny],
	['scopeTimedOut', 'timedOut', expire],
] as const)('a job ends with the same outcome in every form of %s', async (setting, word, end) => {
	expect(await waitForEndInAllForms(setting, end)).toEqual(
		settingChoices[setting]!.map((form) => {
			const outcome = isMissing(form) ? 'gone' : word;
			return { form, outcome, verified: undefined };
		}),
	);
});
