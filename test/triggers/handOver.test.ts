import { setTimeout as delay } from 'node:timers/promises';

import { openHouse } from '../support/house';
import type { House } from '../support/house';
import { Host, until } from './host';
import type { TriggerName } from './host';
import { decide } from './things';

let house: House;
let host: Host;
beforeAll(async () => {
	house = await openHouse({ registrations: 1 });
});
afterAll(async () => await house.close());
afterEach(async () => await host.close());

async function openTrigger(type: TriggerName): Promise<string> {
	const parameters = { acceptNewIds: true, options: { checkEvery: 1 } };
	host = new Host(house.sandbox, [{ type, parameters }]);
	await host.start();
	return `${await host.url()}/0`;
}

const create = async (options: object) => {
	const { out } = await house.run('twoFactor', {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '100002',
		message: 'Let me in?',
		options: options as never,
	});
	return out[0]!;
};

it('a new approval request starts the other workflow once it is decided', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	const { uuid, handedOver } = await create({ triggerUrl, triggerData: '{"order": 1042}' });
	expect(handedOver).toBe(true);
	decide(house.sandbox, `${uuid as string}`, 'approved');
	await until(() => host.executions.length === 1);
	expect(host.items().get(uuid)).toMatchObject({ outcome: 'approved', data: { order: 1042 } });
});

it('a new scope job does so with the person who was asked, so that nobody else can answer', async () => {
	const triggerUrl = await openTrigger('passwordlessIdentityTrigger');
	const { fingerprint } = house.sandbox.demo.user;
	const { out } = await house.run('passwordlessIdentity', {
		resource: 'scopeJob',
		operation: 'issue',
		subject: fingerprint,
		options: { triggerUrl },
	});
	const [{ job, handedOver }] = out as [{ job: string; handedOver: boolean }];
	expect(handedOver).toBe(true);
	await house.sandbox.control('identity', 'approve', { job });
	await until(() => host.executions.length === 1);
	expect(host.items().get(job)).toMatchObject({
		outcome: 'completed',
		subjectChecked: true,
		expectedSubject: fingerprint,
	});
});

it('the secret of the credential opens the trigger that has the same credential', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	host.secrets.twoFactorApi!.triggerSecret = 'Sesame-1234';
	await host.stop();
	await host.start();
	const { handedOver, handOverReason } = await create({ triggerUrl });
	expect(handedOver).toBe(false);
	expect(handOverReason).toMatch(/X-Gatehouse-Secret.*403/);

	const { kit } = house;
	kit.secrets.twoFactorApi!.triggerSecret = 'Sesame-1234';
	expect(await create({ triggerUrl })).toMatchObject({ handedOver: true });
	// One that is given for this trigger goes first, and appears in no message.
	const other = await create({ triggerUrl, triggerSecret: 'Another-5678' });
	expect(other.handedOver).toBe(false);
	expect(JSON.stringify(other)).not.toContain('Another-5678');
	delete kit.secrets.twoFactorApi!.triggerSecret;
});

it('a trigger that is just starting gets the ID a little later', async () => {
	const triggerUrl = await openTrigger('twoFactorTrigger');
	await host.stop();
	const created = create({ triggerUrl });
	await delay(500);
	await host.start('init');
	expect(await created).toMatchObject({ handedOver: true });
});
