// Protects starts of the workflow from the lookup of type names: a failed lookup prevents none, a new name causes none.
import { setTimeout as delay } from 'node:timers/promises';

import { useListTrigger } from '../../engine/trigger/support/listTrigger';
import { createRegistrar } from '../../support/createRegistrar';
import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById } from '../../support/locators';

useAcceleratedTime();

const EVENT = '1004';
const SPEAKER_TYPE = 2032;
const MINUTE_MS = 60_000;
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
const register = async (FirstName: string) => await registerAs(FirstName, SPEAKER_TYPE);
const startedTypes = () => startedItems().map(({ RegistrationType }) => RegistrationType);
const isTypeListRequest = (url: string) => url.includes('/registrationtypes');
const makeTypeResponse = (RegistrationTypeName: string) => ({
	status: 200,
	body: { RegistrationTypes: [{ RegistrationTypeId: SPEAKER_TYPE, RegistrationTypeName }] },
});

describe('the name of the registration type', () => {
	it('the record of a test run contains the type name', async () => {
		const host = createTriggerHost('registrationCreated');
		await register('Ada');
		expect((await testRun()).item).toMatchObject({
			FirstName: 'Ada',
			RegistrationType: expect.stringMatching(/\w/) as string,
		});
		expect(host.failedExecutions).toEqual([]);
	});

	it.each([
		['has status 500', { status: 500, body: { Message: 'no' } }],
		['has status 404', { status: 404, body: { Message: 'no' } }],
		['returns no list', { status: 200, body: { Message: 'hello' } }],
		['returns no JSON', { status: 200, body: '<html>' }],
	])('the workflow starts without the type name if the lookup %s', async (_, response) => {
		const host = createTriggerHost('registrationCreated');
		await interceptRequests(({ url }) => (isTypeListRequest(url) ? response : undefined));
		await host.start();
		await register('Ada');
		await expectStarts(1);
		expect(startedTypes()).toEqual([undefined]);
		expect([host.failedExecutions, host.emittedErrors]).toEqual([[], []]);
	});

	it('a changed type name does not start the workflow, and is current after ten minutes', async () => {
		const host = createTriggerHost(['registrationCreated', 'registrationUpdated']);
		let name = 'Guest';
		await interceptRequests(({ url }) =>
			isTypeListRequest(url) ? makeTypeResponse(name) : undefined,
		);
		await host.start();
		await register('Ada');
		await expectStarts(1);
		name = 'VIP';
		await waitTwoPolls();
		await expectStarts(1);
		await delay(10 * MINUTE_MS);
		await register('Grace');
		await expectStarts(2);
		expect(startedTypes()).toEqual(['Guest', 'VIP']);
		expect(host.failedExecutions).toEqual([]);
	});

	it('the type name from an earlier lookup is used if a later lookup returns no list', async () => {
		const host = createTriggerHost('registrationCreated');
		let body: object = makeTypeResponse('VIP').body;
		await interceptRequests(({ url }) =>
			isTypeListRequest(url) ? { status: 200, body } : undefined,
		);
		await host.start();
		await register('Ada');
		await expectStarts(1);
		body = {};
		await delay(10 * MINUTE_MS);
		await register('Grace');
		await expectStarts(2);
		expect(startedTypes()).toEqual(['VIP', 'VIP']);
	});

	it('type names are read at most once a minute, even if the service does not list the type', async () => {
		const host = createTriggerHost('registrationCreated');
		let reads = 0;
		await interceptRequests(({ url }) => {
			if (!isTypeListRequest(url)) return undefined;
			reads++;
			return { status: 200, body: { RegistrationTypes: [] } };
		});
		await host.start();
		const readsBefore = reads;
		await register('Ada');
		await register('Grace');
		await expectStarts(2);
		expect(reads - readsBefore).toBeLessThanOrEqual(1);
		expect(startedTypes()).toEqual([undefined, undefined]);
	});
});
