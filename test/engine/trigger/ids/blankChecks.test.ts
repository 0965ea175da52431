// Protects checks that users set: the trigger does not start with a blank one, and its webhook rejects an ID with one.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { deriveDemoKey } from '../../../../sandbox/demoIdentities';
import { passwordlessIdentity } from '../../../../sandbox/passwordlessIdentity';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ services: [passwordlessIdentity] });
const { fingerprint } = deriveDemoKey('somebody');
let host: TriggerHost;
afterEach(async () => await host.close());

function createHost(parameters: INodeParameters): TriggerHost {
	host = new TriggerHost(sandbox, [{ type: 'passwordlessIdentityTrigger', parameters }]);
	return host;
}

describe('a blank check', () => {
	it.each<[string, IDataObject]>([
		["'Expected Audience' was set but is blank", { expectedAudience: '' }],
		["'Expected Audience' was set but is blank", { expectedAudience: '={{ $vars.nothing }}' }],
		["'Expected Issuer' was set but is blank", { expectedIssuer: '  ' }],
		["'Max Age of Answer (Minutes)' was set but is blank", { oldestAnswer: '={{ null }}' }],
		["'Max Age of Answer (Minutes)' was set but is blank", { oldestAnswer: '' }],
	])('prevents the start of the trigger: %s (%j)', async (message, options) => {
		const parameters = { ids: { rows: [{ ids: 'a' }] }, options } as INodeParameters;
		await expect(createHost(parameters).start()).rejects.toThrow(message);
	});

	it.each<[unknown]>([
		[{ rows: [{ ids: 'a', subject: '={{ $vars.nothing }}' }] }],
		[{ rows: [{ ids: 'a', subject: '=' }] }],
		[{ rows: [{ ids: 'a', subject: '  ' }] }],
		[
			{
				rows: [
					{ ids: 'a', subject: fingerprint },
					{ ids: 'b', subject: '={{ "" }}' },
				],
			},
		],
		[{ rows: [{ ids: '={{ [{ id: "a", subject: null }] }}' }] }],
		[{ rows: [{ ids: '={{ [{ id: "a", subject: "" }] }}', subject: fingerprint }] }],
	])(
		'prevents the start of the trigger if it is an expected subject that evaluates to nothing: %j',
		async (ids) => {
			await expect(createHost({ ids } as INodeParameters).start()).rejects.toThrow(
				/subject.* is blank/i,
			);
		},
	);
});

it.each<[unknown]>([
	[{ rows: [{ ids: 'a' }] }],
	[{ rows: [{ ids: 'a', subject: '' }] }],
	[{ rows: [{ ids: 'a', subject: `={{ "${fingerprint}" }}` }] }],
	[{ rows: [{ ids: '={{ [{ id: "a" }] }}' }] }],
])('the trigger starts if the expected subject is not set or has a value: %j', async (ids) => {
	await createHost({ ids } as INodeParameters).start();
});

describe('the webhook', () => {
	const webhookParameters = { acceptNewIds: true, acceptFromAnybody: true };

	it.each([[null], [''], ['  ']])('rejects an ID with the subject %j', async (subject) => {
		await createHost(webhookParameters).start();
		for (const body of [{ id: 'a', subject }, { ids: ['b', { id: 'a', subject }] }]) {
			const { status, body: responseBody } = await host.post(body);
			expect(status).toBe(400);
			expect(responseBody.message).toMatch(/subject is blank.*leave "subject" out/i);
		}
		expect(host.savedIds()).toEqual([]);
	});

	it('accepts an ID with a subject, or without one', async () => {
		await createHost(webhookParameters).start();
		const body = { ids: ['b', { id: 'a', subject: fingerprint }] };
		expect(await host.post(body)).toMatchObject({ status: 200, body: { added: 2 } });
	});
});
