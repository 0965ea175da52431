// Protects workflows from answers for another job or audience, of another issuer or age: they end the job as unverified.
import type { IDataObject } from 'n8n-workflow';

import { createJobs } from '../../../../lab/drive/approvalsAndJobs';
import { passwordlessIdentity } from '../../../../sandbox/passwordlessIdentity';
import { PasswordlessIdentityClient } from '../../../sandbox/passwordlessIdentity.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ services: [passwordlessIdentity] });
const issuer = new PasswordlessIdentityClient(sandbox);
let host: TriggerHost;
afterEach(async () => await host.close());

/** Creates a trigger that polls these jobs. */
function createHost(ids: string, options: IDataObject): TriggerHost {
	const parameters = { ids: { rows: [{ ids }] }, options: { checkEvery: 1, ...options } };
	host = new TriggerHost(sandbox, [{ type: 'passwordlessIdentityTrigger', parameters }] as never);
	return host;
}

/** Has a job answered with these claims, and returns the item with which the trigger starts the workflow. */
async function runJob(claims: object, options: IDataObject = {}): Promise<IDataObject> {
	const [job] = await createJobs(issuer, 1);
	expect((await issuer.completeJob(job!, issuer.signAnswer(claims))).status).toBe(200);
	await createHost(job!, options).start();
	await waitUntil(() => host.executions.length === 1);
	return host.startedItemsById().get(job)!;
}

it.each<[string, string, object, IDataObject]>([
	['is for another job', 'anotherJob', { job: 'Zk3fT9aQw1LmX7cVb2Ns' }, {}],
	[
		'is for another audience',
		'anotherAudience',
		{ aud: 'https://other.example' },
		{ expectedAudience: 'https://us.example' },
	],
	['is of another issuer', 'anotherIssuer', { iss: 'somebody' }, { expectedIssuer: 'wallet' }],
	['was issued long ago', 'tooOld', { iat: 1 }, { oldestAnswer: 60 }],
	['has no time of issue', 'tooOld', {}, { oldestAnswer: 60 }],
	['is issued ahead', 'issuedAhead', { iat: Math.floor(Date.now() / 1000) + 3600 }, {}],
])(
	'a job whose answer %s ends as unverified with the reason %s',
	async (_, reason, claims, options) => {
		const ended = await runJob(claims, options);
		expect(ended).toMatchObject({ outcome: 'unverified', verified: false, reason });
		expect(ended).not.toHaveProperty('claims');
	},
);

it('a job ends as completed if all expectations are met', async () => {
	const claims = { iss: 'wallet', aud: ['us', 'them'], iat: Math.floor(Date.now() / 1000) };
	const options = { expectedAudience: 'us', expectedIssuer: 'wallet', oldestAnswer: 5 };
	expect(await runJob(claims, options)).toMatchObject({ outcome: 'completed', verified: true });
});

it.each(['soon', -1])(
	'the trigger does not start with an invalid maximum age: %s',
	async (oldestAnswer) => {
		await expect(createHost('a', { oldestAnswer }).start()).rejects.toThrow(
			/'Max Age of Answer' must be/,
		);
	},
);
