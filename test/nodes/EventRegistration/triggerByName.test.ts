// Protects triggers with names: a renamed event or type is still polled after a restart, and a missing name is reported.
import { setTimeout as delay } from 'node:timers/promises';

import { useListTrigger } from '../../engine/trigger/support/listTrigger';
import { createRegistrar } from '../../support/createRegistrar';
import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById, locateByName } from '../../support/locators';

useAcceleratedTime();

// Event 1004 of the sandbox is the Northern Platform Days.
const EVENT = '1004';
const ATTENDEE_TYPE = 2031;
const SPEAKER_TYPE = 2032;
const MINUTE_MS = 60_000;
const {
	sandbox,
	createTriggerHost,
	performDeskAction,
	startedItems,
	expectStarts,
	waitTwoPolls,
	interceptRequests,
	waitUntil,
	testRun,
} = useListTrigger('eventRegistration', { eventId: locateByName('northern  PLATFORM days') });
const registerAs = createRegistrar(performDeskAction, EVENT);
const register = async (FirstName: string, typeId = SPEAKER_TYPE) =>
	await registerAs(FirstName, typeId);
const startedNames = () => startedItems().map(({ FirstName }) => FirstName);
const countEventListRequests = () => sandbox.requestLog.count('eventRegistration', 'getManyEvents');
const isEventListRequest = (url: string) => /\/events(\?|$)/.test(url);
const makeEventResponse = (EventName: string, id = EVENT) => ({
	status: 200,
	body: [{ EventId: Number(id), EventName, StartDate: '2026-06-01T08:00:00Z' }],
});

describe('a trigger with names', () => {
	it('polls the event and the type with these names, and reads the events once', async () => {
		const host = createTriggerHost('registrationCreated', {
			registrationTypeId: locateByName('Spéaker'),
		});
		await host.start();
		const requestsOfOneReading = countEventListRequests();
		// One page, page 1 to learn how the pages are counted, and the page after it, which is empty.
		expect(requestsOfOneReading).toBe(3);
		await register('Ada');
		await register('Grace', ATTENDEE_TYPE);
		await expectStarts(1);
		await waitTwoPolls();
		expect(startedNames()).toEqual(['Ada']);
		expect(countEventListRequests()).toBe(requestsOfOneReading);
		expect([host.failedExecutions, host.emittedErrors]).toEqual([[], []]);
	});

	it('polls orders, whose requests contain the ID of the event', async () => {
		const host = createTriggerHost('orderPlaced');
		await host.start();
		expect(host.failedExecutions).toEqual([]);
		expect(sandbox.requestLog.count('eventRegistration', 'searchOrders')).toBeGreaterThan(0);
	});

	it('polls the contact list with this name', async () => {
		const host = createTriggerHost('contactAdded', { contactListId: locateByName(' SPEAKERS') });
		await host.start();
		await performDeskAction('addContact', {
			contactListId: 7003,
			FirstName: 'Ada',
			LastName: 'Lovelace',
			Email: 'ada@email.example',
		});
		await expectStarts(1);
		expect(startedItems()).toMatchObject([{ ContactListId: 7003, FirstName: 'Ada' }]);
	});

	it('shows the newest record of the event in a test run', async () => {
		createTriggerHost('registrationCreated', { registrationTypeId: locateByName('speaker') });
		await register('Ada');
		expect((await testRun()).item).toMatchObject({ EventId: 1004, FirstName: 'Ada' });
	});

	it.each([
		[{ eventId: locateByName('Nowhere') }, 'No event is named "Nowhere". These events exist: '],
		[
			{ registrationTypeId: locateByName('VIP') },
			'No registration type is named "VIP". These registration types exist: Attendee, Speaker',
		],
	])(
		'fails on activation and in a test run if a name does not exist: %j',
		async (parameters, message) => {
			const host = createTriggerHost('registrationCreated', parameters);
			await expect(host.start()).rejects.toThrow(message);
			expect((await testRun()).error?.message).toContain(message);
		},
	);

	it('reports a missing event before it looks up its types', async () => {
		const parameters = { eventId: locateById('9999'), registrationTypeId: locateByName('VIP') };
		await expect(createTriggerHost('registrationCreated', parameters).start()).rejects.toThrow(
			"Event 9999 doesn't exist",
		);
	});

	it('fails on activation if the name is blank', async () => {
		await expect(
			createTriggerHost('registrationCreated', { eventId: locateByName(' ') }).start(),
		).rejects.toThrow("'Event' is empty");
	});

	it('still polls an event that is renamed', async () => {
		const host = createTriggerHost('registrationCreated');
		let name = 'Northern Platform Days';
		await interceptRequests(({ url }) =>
			isEventListRequest(url) ? makeEventResponse(name) : undefined,
		);
		await host.start();
		name = 'Southern Platform Days';
		await delay(20 * MINUTE_MS);
		await register('Ada');
		await expectStarts(1);
		expect(host.failedExecutions).toEqual([]);
	});

	it('waits for a service that is unavailable when it starts', async () => {
		const host = createTriggerHost('registrationCreated');
		let isDown = false;
		await interceptRequests(() => (isDown ? { status: 503, body: {} } : undefined));
		await host.start();
		await host.stop();
		isDown = true;
		await host.start('init');
		await register('Ada');
		await waitTwoPolls();
		isDown = false;
		await expectStarts(1);
		expect(startedNames()).toEqual(['Ada']);
	});

	it('keeps its state when the ID is replaced by the name, so no execution starts twice', async () => {
		const host = createTriggerHost('registrationCreated', { eventId: locateById(EVENT) });
		await host.start();
		await register('Ada');
		await expectStarts(1);
		await host.stop();
		const { parameters } = host.nodes[0]!;
		host.nodes[0]!.parameters = { ...parameters, eventId: locateByName('Northern Platform Days') };
		await register('Grace');
		await host.start();
		await expectStarts(2);
		expect(startedNames()).toEqual(['Ada', 'Grace']);
	});
});

describe('a trigger with names after a restart', () => {
	const OTHER_EVENT = '1001';

	it.each(['init', 'activate'] as const)(
		'an event and a type that were renamed are still polled (%s)',
		async (activation) => {
			const host = createTriggerHost('registrationCreated', {
				registrationTypeId: locateByName('Speaker'),
			});
			let isRenamed = false;
			await interceptRequests(({ url }) => {
				if (!isRenamed) return undefined;
				if (isEventListRequest(url)) return makeEventResponse('Southern Platform Days');
				return url.includes('/registrationtypes')
					? { status: 200, body: [{ RegistrationTypeId: SPEAKER_TYPE, Name: 'Keynote' }] }
					: undefined;
			});
			await host.start();
			await host.restartProcess();
			isRenamed = true;
			await register('Ada');
			await register('Grace', ATTENDEE_TYPE);
			await host.start(activation);
			await expectStarts(1);
			expect(startedNames()).toEqual(['Ada']);
			expect(host.failedExecutions).toEqual([]);
		},
	);

	it('the ID of a name is kept through restarts in which the service is unavailable', async () => {
		const host = createTriggerHost('registrationCreated');
		let isDown = false;
		let name = 'Northern Platform Days';
		await interceptRequests(({ url }) => {
			if (isDown) return { status: 503, body: {} };
			return isEventListRequest(url) ? makeEventResponse(name) : undefined;
		});
		await host.start();
		name = 'Southern Platform Days';
		isDown = true;
		await host.restartProcess();
		await host.start('init');
		await host.restartProcess();
		isDown = false;
		await register('Ada');
		await host.start('init');
		await expectStarts(1);
		expect(host.failedExecutions).toEqual([]);
	});

	it.each([
		['init', EVENT],
		['activate', OTHER_EVENT],
	] as const)(
		'with activation mode %s, a name that another event has taken resolves to event %s',
		async (activation, expectedEventId) => {
			const host = createTriggerHost('registrationCreated');
			let id = EVENT;
			const { requests } = await interceptRequests(({ url }) =>
				isEventListRequest(url) ? makeEventResponse('Northern Platform Days', id) : undefined,
			);
			await host.start();
			await host.restartProcess();
			id = OTHER_EVENT;
			requests.length = 0;
			await host.start(activation);
			await waitTwoPolls();
			const polledEventIds = requests.flatMap(
				({ url }) => /events\/(\d+)\/registrations/.exec(url)?.[1] ?? [],
			);
			expect(new Set(polledEventIds)).toEqual(new Set([expectedEventId]));
		},
	);

	it('a name that was changed in the node is reported once as missing, and polled when an event has it', async () => {
		const host = createTriggerHost('registrationCreated');
		let name = 'Northern Platform Days';
		await interceptRequests(({ url }) =>
			isEventListRequest(url) ? makeEventResponse(name) : undefined,
		);
		await host.start();
		await host.stop();
		const { parameters } = host.nodes[0]!;
		host.nodes[0]!.parameters = { ...parameters, eventId: locateByName('Southern Platform Days') };
		await register('Ada');
		await host.start('init');
		await waitUntil(() => host.failedExecutions.length > 0);
		await delay(30 * MINUTE_MS);
		expect(host.failedExecutions).toMatchObject([
			{
				message:
					'No event is named "Southern Platform Days". These events exist: Northern Platform Days. Use one of these names, or choose the event from the list.',
				description:
					'Until you publish the change, the trigger follows nothing. It checks from time to time whether the name exists again, and then catches up. This is reported once.',
			},
		]);
		expect(startedItems()).toEqual([]);
		name = 'Southern Platform Days';
		await expectStarts(1);
		expect(startedNames()).toEqual(['Ada']);
	});
});
