import { setTimeout as delay } from 'node:timers/promises';

import { locateById, useListTrigger } from '../../engine/trigger/support/listTrigger';
import { createRegistrar } from '../../support/createRegistrar';
import { useAcceleratedTime } from '../../support/fakeClock';

useAcceleratedTime();

const EVENT = '1004';
const {
	createTriggerHost,
	performDeskAction,
	startedItems,
	expectStarts,
	waitTwoPolls,
	interceptRequests,
	testRun,
} = useListTrigger('eventRegistration', { eventId: locateById(EVENT) });
const registerAs = createRegistrar(performDeskAction, EVENT);
const register = async (FirstName: string) => await registerAs(FirstName, 2032);
const startedTypes = () => startedItems().map(({ RegistrationType }) => RegistrationType);
const requestsTypes = (url: string) => url.includes('/registrationtypes');
const typeResponse = (RegistrationTypeName: string) => ({
	status: 200,
	body: { RegistrationTypes: [{ RegistrationTypeId: 2032, RegistrationTypeName }] },
});

describe('the name of the registration type', () => {
	it('the newest record of a test run contains the type name', async () => {
		const host = createTriggerHost('registrationCreated');
		await register('Ada');
		expect((await testRun()).item).toMatchObject({
			FirstName: 'Ada',
			RegistrationType: expect.stringMatching(/\w/) as string,
		});
		expect(host.failedExecutions).toEqual([]);
	});

	it.each([
		['fails', { status: 500, body: { Message: 'no' } }],
		['is not found', { status: 404, body: { Message: 'no' } }],
		['is not a list', { status: 200, body: { Message: 'hello' } }],
		['is not JSON', { status: 200, body: '<html>' }],
	])('the type name is missing if the lookup %s, and the workflow starts', async (_, response) => {
		const host = createTriggerHost('registrationCreated');
		await interceptRequests(({ url }) => (requestsTypes(url) ? response : undefined));
		await host.start();
		await register('Ada');
		await expectStarts(1);
		expect(startedTypes()).toEqual([undefined]);
		expect([host.failedExecutions, host.emittedErrors]).toEqual([[], []]);
	});

	it('a changed type name does not start the workflow, and is current after ten minutes', async () => {
		const host = createTriggerHost(['registrationCreated', 'registrationUpdated']);
		let name = 'Guest';
		await interceptRequests(({ url }) => (requestsTypes(url) ? typeResponse(name) : undefined));
		await host.start();
		await register('Ada');
		await expectStarts(1);
		name = 'VIP';
		await waitTwoPolls();
		await expectStarts(1);
		await delay(10 * 60_000);
		await register('Grace');
		await expectStarts(2);
		expect(startedTypes()).toEqual(['Guest', 'VIP']);
		expect(host.failedExecutions).toEqual([]);
	});

	it('the type name stays known if a later lookup returns no list', async () => {
		const host = createTriggerHost('registrationCreated');
		let body: object = typeResponse('VIP').body;
		await interceptRequests(({ url }) => (requestsTypes(url) ? { status: 200, body } : undefined));
		await host.start();
		await register('Ada');
		await expectStarts(1);
		body = {};
		await delay(10 * 60_000);
		await register('Grace');
		await expectStarts(2);
		expect(startedTypes()).toEqual(['VIP', 'VIP']);
	});

	it('type names are read at most once a minute, even if the service does not list the type', async () => {
		const host = createTriggerHost('registrationCreated');
		let reads = 0;
		await interceptRequests(({ url }) => {
			if (!requestsTypes(url)) return undefined;
			reads++;
			return { status: 200, body: { RegistrationTypes: [] } };
		});
		await host.start();
		const before = reads;
		await register('Ada');
		await register('Grace');
		await expectStarts(2);
		expect(reads - before).toBeLessThanOrEqual(1);
		expect(startedTypes()).toEqual([undefined, undefined]);
	});
});
