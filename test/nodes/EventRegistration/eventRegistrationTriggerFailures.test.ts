// Protects the Event Registration trigger in failures: no change is lost, each failure is reported once, errors have advice.
import { setTimeout as delay } from 'node:timers/promises';

import { useListTrigger } from '../../engine/trigger/support/listTrigger';
import { createRegistrar } from '../../support/createRegistrar';
import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById } from '../../support/locators';

useAcceleratedTime();

const EVENT = '1004';
const CONTACT_LIST = '7003';
const MINUTE_MS = 60_000;
const KINDS = [
	'registrationCreated',
	'checkedIn',
	'orderPlaced',
	'transactionRecorded',
	'eventUpdated',
];
const {
	sandbox,
	createTriggerHost,
	performDeskAction,
	startedItems,
	expectStarts,
	waitTwoPolls,
	interceptRequests,
	waitUntil,
} = useListTrigger(
	'eventRegistration',
	{ eventId: locateById(EVENT), contactListId: locateById(CONTACT_LIST) },
	{ registrations: 12, contacts: 40 },
);
const register = createRegistrar(performDeskAction, EVENT);
const startedNames = () => startedItems().map(({ FirstName }) => FirstName);

describe('failures of the activation, and missing lists', () => {
	it.each(KINDS)('activation with %s fails if the event does not exist', async (kind) => {
		const host = createTriggerHost(kind, { eventId: locateById('99') });
		await expect(host.start()).rejects.toThrow(
			/^Event 99 doesn't exist, or this key can't see it\. Choose another event\.$/,
		);
	});

	it('activation fails if the contact list does not exist, and the error names the list', async () => {
		const host = createTriggerHost('contactAdded', { contactListId: locateById('99') });
		await expect(host.start()).rejects.toThrow(
			"Contact list 99 doesn't exist, or this key can't see it. Choose another contact list.",
		);
	});

	it('the error message contains the advice, since n8n shows only the message', async () => {
		const host = createTriggerHost('registrationCreated');
		await interceptRequests(({ url }) =>
			url.includes('/registrations') ? { status: 400, body: { Message: 'Not now' } } : undefined,
		);
		await expect(host.start()).rejects.toThrow(/Not now\. Check what is chosen in the node/);
	});

	it('the error for a rejected key advises to check API Key and Prefix', async () => {
		const host = createTriggerHost('registrationCreated');
		host.credentialData.eventRegistrationApi!.apiKey = 'wrong-key-0123456789';
		await expect(host.start()).rejects.toThrow(
			/\. Check the credential: 'API Key', 'Header Name', and 'Prefix'.*publish the workflow again\.$/,
		);
	});

	it('activation fails if the service responds with status 404 and a JSON string', async () => {
		const host = createTriggerHost('registrationCreated');
		await interceptRequests(({ url }) =>
			url.includes(`/events/${EVENT}`) ? { status: 404, body: '"Event not found"' } : undefined,
		);
		await expect(host.start()).rejects.toMatchObject({
			message: expect.stringMatching(/^Event 1004 doesn't exist/) as string,
		});
	});

	it('a deleted contact list is reported once, registrations are still polled, and the list is polled again when it is back', async () => {
		const host = createTriggerHost(['registrationCreated', 'contactAdded']);
		let isDeleted = false;
		await interceptRequests(({ url }) =>
			isDeleted && url.includes('/contactlists/')
				? { status: 404, body: { Message: 'no' } }
				: undefined,
		);
		await host.start();
		await waitTwoPolls();
		isDeleted = true;
		await waitUntil(() => host.failedExecutions.length > 0);
		expect(host.failedExecutions[0]!.message).toMatch(
			/^The contacts of Speakers don't exist, or this key can't see them/,
		);
		await register('Ada');
		await expectStarts(1);
		await delay(5 * MINUTE_MS);
		expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
		isDeleted = false;
		const contact = { FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@email.example' };
		await performDeskAction('addContact', { contactListId: Number(CONTACT_LIST), ...contact });
		await expectStarts(2);
		expect(startedNames()).toEqual(['Ada', 'Grace']);
	});
});

it('no change is lost in an outage that is longer than the overlap', async () => {
	const host = createTriggerHost('registrationCreated');
	await host.start();
	await waitTwoPolls();
	sandbox.faultRules.add({ service: 'eventRegistration', kind: '503' });
	await register('Ada');
	await delay(5 * MINUTE_MS);
	await register('Grace');
	expect(startedItems()).toEqual([]);
	sandbox.faultRules.clear();
	await expectStarts(2);
	expect(startedNames().sort()).toEqual(['Ada', 'Grace']);
	expect(host.failedExecutions).toHaveLength(1);
	expect(host.emittedErrors).toEqual([]);
});

it('no change is lost while the service returns objects in place of lists', async () => {
	const host = createTriggerHost('registrationCreated');
	let returnsObject = false;
	await interceptRequests(({ url }) =>
		returnsObject && url.includes('/registrations') ? { body: {} } : undefined,
	);
	await host.start();
	await waitTwoPolls();
	returnsObject = true;
	await register('Ada');
	await delay(5 * MINUTE_MS);
	returnsObject = false;
	await expectStarts(1);
	expect(host.failedExecutions).toHaveLength(1);
});

it('a rejected credential is reported once, and polling resumes when the credential is valid', async () => {
	const host = createTriggerHost('registrationCreated');
	await host.start();
	await waitTwoPolls();
	sandbox.demo.eventRegistration.apiKey = 'another-key-0123456789';
	await waitUntil(() => host.emittedErrors.length === 1);
	await register('Ada');
	await host.stop();
	await host.start('activate');
	await delay(5 * MINUTE_MS);
	expect(host.emittedErrors).toHaveLength(1);
	expect(host.failedExecutions.length).toBeLessThanOrEqual(1);
	host.credentialData.eventRegistrationApi!.apiKey = 'another-key-0123456789';
	await expectStarts(1);
	expect(JSON.stringify([host.emittedErrors, host.failedExecutions])).not.toContain(
		sandbox.credentials.eventRegistrationApi!.apiKey,
	);
});

describe('a restart of n8n', () => {
	it('an execution that n8n was starting when it was killed starts once after the restart', async () => {
		const host = createTriggerHost('registrationCreated');
		await host.start();
		await waitTwoPolls();
		host.crashesBeforeNextStart = true;
		await register('Ada');
		await waitUntil(() => host.emitCalls === 1);
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		await host.restartProcess();
		host.crashesBeforeNextStart = false;
		await register('Grace');
		await host.start('init');
		await expectStarts(2);
		await host.restartProcess();
		await host.start('init');
		await expectStarts(2);
		expect(startedNames().sort()).toEqual(['Ada', 'Grace']);
	});

	it('changes while the workflow was unpublished start the workflow when it is published again', async () => {
		const host = createTriggerHost('registrationCreated');
		await host.start();
		await register('Ada');
		await expectStarts(1);
		await host.stop();
		await register('Grace');
		await delay(5 * MINUTE_MS);
		await host.restartProcess();
		await host.start('activate');
		await expectStarts(2);
		expect(startedNames()).toEqual(['Ada', 'Grace']);
	});
});
