// Protects waits while the issuer is unavailable: polls resume after the requested delay, and the output names the trouble.
import { useAcceleratedTime } from '../../support/fakeClock';
import { useIdentityRig } from './identityRig';

useAcceleratedTime();

const rig = useIdentityRig();

const SHORT_INTERVAL = { checkEvery: 1 };
const waitForJob: typeof rig.waitForJob = async (...args) => await rig.waitForJob(...args);

describe('an unavailable service', () => {
	it.each(['429', '503', 'drop', 'html', 'truncate'] as const)(
		'is polled again after the fault %s, and the job ends as completed',
		async (kind) => {
			const job = await rig.issueJob();
			await rig.approve(job);
			rig.sandbox.faultRules.add({
				service: 'passwordlessIdentity',
				operation: 'getScopeJob',
				kind,
				times: 1,
			});
			const output = await waitForJob(job, { verify: kind !== 'truncate' });
			expect(output).toMatchObject({ outcome: 'completed' });
			expect(rig.count('getScopeJob')).toBe(2);
		},
	);

	it('is not polled again before Retry-After has passed', async () => {
		const job = await rig.issueJob();
		await rig.approve(job);
		const rule = {
			service: 'passwordlessIdentity',
			operation: 'getScopeJob',
			kind: '429',
		} as const;
		rig.sandbox.faultRules.add({ ...rule, retryAfter: 3, times: 1 });
		await waitForJob(job);
		const [firstPollMs, secondPollMs] = rig.sandbox.requestLog
			.entries({ operationId: 'getScopeJob' })
			.map(({ at }) => at) as [number, number];
		expect(secondPollMs - firstPollMs).toBeGreaterThanOrEqual(2990);
	});

	it('is named in the output if the time limit passes first', async () => {
		const job = await rig.issueJob();
		rig.sandbox.faultRules.add({
			service: 'passwordlessIdentity',
			operation: 'getScopeJob',
			kind: '503',
		});
		const output = await waitForJob(job, {}, { waitLimit: 2 });
		expect(output).toMatchObject({ outcome: 'stillOutstanding', seenOutstanding: false });
		expect(output.trouble).toMatch(/^Identity issuer: /);
	});
});

it('Wait Until Finished fails only the items whose job ID is invalid', async () => {
	const job = await rig.issueJob();
	await rig.approve(job);
	const { outputItems, errorItems } = await rig.operate(
		'scopeJob',
		'waitUntilFinished',
		{ job: '={{ $json.id }}', waitLimit: 20, options: SHORT_INTERVAL },
		[{ id: 'not/a/job' }, { id: job }, { id: '' }, { id: 'x'.repeat(129) }],
		{ onError: 'continueErrorOutput' },
	);
	expect(outputItems).toMatchObject([{ id: job, outcome: 'completed' }]);
	expect(errorItems.map(({ json }) => `${json.error}`)).toEqual([
		expect.stringMatching(/^Row 1 of 4: 'Job ID' must be 20 characters .*, not "not\/a\/job"/),
		expect.stringMatching(/^Row 3 of 4: 'Job ID' is missing/),
		expect.stringMatching(/^Row 4 of 4: 'Job ID' must be 20 characters /),
	]);
});
