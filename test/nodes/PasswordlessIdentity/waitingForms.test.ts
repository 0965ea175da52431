// Protects waits at issuers that report jobs in other forms: each form ends with the same outcome, or as gone or unverified.
import { settingChoices } from '../../../sandbox/passwordlessIdentity/settings';
import type { PasswordlessIdentitySettings } from '../../../sandbox/passwordlessIdentity/settings';
import { useAcceleratedTime } from '../../support/fakeClock';
import { openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

useAcceleratedTime();

/** Ends a job in the sandbox. */
type EndJob = (rig: IdentityRig, job: string) => unknown;

/** Waits for a job at a new issuer that responds in one form. The job ends after the first poll. */
async function waitForEnd(
	setting: keyof PasswordlessIdentitySettings,
	form: unknown,
	endJob: EndJob,
) {
	const rig = await openIdentityRig();
	try {
		rig.changeSettings({ [setting]: form });
		const job = await rig.issueJob();
		rig.onFirstPoll(() => endJob(rig, job));
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

const approve: EndJob = async (rig, job) => await rig.approve(job);
const deny: EndJob = (rig, job) => rig.sandbox.control('passwordlessIdentity', 'deny', { job });
const expire: EndJob = (rig) => rig.sandbox.clock.advance(301_000);

/** Waits for a job in each form of a setting. The waits are concurrent, since each takes a second. */
const waitForEndInAllForms = async (setting: keyof PasswordlessIdentitySettings, endJob: EndJob) =>
	await Promise.all(
		settingChoices[setting]!.map(async (form) => await waitForEnd(setting, form, endJob)),
	);
const isGone = (form: unknown) => form === '404' || form === '410';

it.each([['scopeOutstanding'], ['scopeCompleted']] as const)(
	'an approved job ends as completed in every form of %s, except as unverified for unsigned claims',
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
] as const)(
	'a job ends in every form of %s with the outcome %s, or as gone for a 404 or 410',
	async (setting, expectedOutcome, endJob) => {
		expect(await waitForEndInAllForms(setting, endJob)).toEqual(
			settingChoices[setting]!.map((form) => {
				const outcome = isGone(form) ? 'gone' : expectedOutcome;
				return { form, outcome, verified: undefined };
			}),
		);
	},
);
