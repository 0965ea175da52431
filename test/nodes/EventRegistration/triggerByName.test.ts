import { setTimeout as delay } from 'node:timers/promises';

import { locateById, useListTrigger } from '../../engine/trigger/support/listTrigger';
import { createRegistrar } from '../../support/createRegistrar';
import { useAcceleratedTime } from '../../support/fakeClock';
import { byName } from './samples';

useAcceleratedTime();

// Event 1004 of the sandbox is the Northern Platform Days; 2031 is its type Attendee, 2032 Speaker.
const EVENT = '1004';
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
} = useListTrigger('eventRegistration', { eventId: byName('northern  PLATFORM days') });
const registerAs = createRegistrar(performDeskAction, EVENT);
const register = async (FirstName: string, typeId = 2032) => await registerAs(FirstName, typeId);
const people = () => startedItems().map(({ FirstName }) => FirstName);
const eventLists = () => sandbox.requestLog.count('eventRegistration', 'getManyEvents');
const readsEvents = (url: string) => /\/events(\?|$)/.test(url);
const named = (EventName: string, id = EVENT) => ({
	status: 200,
	body: [{ EventId: Number(id), EventName, StartDate: '2026-06-01T08:00:00Z' }],
});

describe('a trigger with names', () => {
	it('polls the event and the type with these names, and looks them up once', async () => {
		const host = createTriggerHost('registrationCreated', {
			registrationTypeId: byName('Spéaker'),
		});
		await host.start();
		expect(eventLists()).toBe(1);
		await register('Ada');
		await register('Grace', 2031);
		await expectStarts(1);
		await waitTwoPolls();
		expect(people()).toEqual(['Ada']);
		expect(eventLists()).toBe(1);
		expect([host.failedExecutions, host.emittedErrors]).toEqual([[], []]);
	});

	it('polls orders, whose requests contain the ID of the event', async () => {
		const host = createTriggerHost('orderPlaced');
		await host.start();
		expect(host.failedExecutions).toEqual([]);
		expect(sandbox.requestLog.count('eventRegistration', 'searchOrders')).toBeGreaterThan(0);
	});

	it('shows the newest record of the event in a test run', async () => {
		createTriggerHost('registrationCreated', { registrationTypeId: byName('speaker') });
		await register('Ada');
		expect((await testRun()).item).toMatchObject({ EventId: 1004, FirstName: 'Ada' });
	});

	it.each([
		[{ eventId: byName('Nowhere') }, 'No event is named "Nowhere". These events exist: '],
		[
			{ registrationTypeId: byName('VIP') },
			'No registration type is named "VIP". These registration types exist: Attendee, Speaker',
		],
	])('is not published with a name that does not exist: %j', async (parameters, message) => {
		const host = createTriggerHost('registrationCreated', parameters);
		await expect(host.start()).rejects.toThrow(message);
		expect((await testRun()).error?.message).toContain(message);
	});

	it('reports that an event does not exist before it looks up its types', async () => {
		const parameters = { eventId: locateById('9999'), registrationTypeId: byName('VIP') };
		await expect(createTriggerHost('registrationCreated', parameters).start()).rejects.toThrow(
			"Event 9999 doesn't exist",
		);
	});

	it('reports a missing ID in the same way', async () => {
		await expect(
			createTriggerHost('registrationCreated', { eventId: byName(' ') }).start(),
		).rejects.toThrow("'Event' is empty");
	});

	it('still polls an event that is renamed', async () => {
		const host = createTriggerHost('registrationCreated');
		let name = 'Northern Platform Days';
		await interceptRequests(({ url }) => (readsEvents(url) ? named(name) : undefined));
		await host.start();
		name = 'Southern Platform Days';
		await delay(20 * 60_000);
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
		expect(people()).toEqual(['Ada']);
	});

	it('is the same trigger as one with the ID: changing to the name starts nothing again', async () => {
		const host = createTriggerHost('registrationCreated', { eventId: locateById(EVENT) });
		await host.start();
		await register('Ada');
		await expectStarts(1);
		await host.stop();
		const { parameters } = host.nodes[0]!;
		host.nodes[0]!.parameters = { ...parameters, eventId: byName('Northern Platform Days') };
		await register('Grace');
		await host.start();
		await expectStarts(2);
		expect(people()).toEqual(['Ada', 'Grace']);
	});
});

describe('after a restart', () => {
	const OTHER_EVENT = '1001';

	it.each(['init', 'activate'] as const)(
		'still polls an event and a type that were renamed (%s)',
		async (activation) => {
			const host = createTriggerHost('registrationCreated', {
				registrationTypeId: byName('Speaker'),
			});
			let isRenamed = false;
			await interceptRequests(({ url }) => {
				if (!isRenamed) return undefined;
				if (readsEvents(url)) return named('Southern Platform Days');
				return url.includes('/registrationtypes')
					? { status: 200, body: [{ RegistrationTypeId: 2032, Name: 'Keynote' }] }
					: undefined;
			});
			await host.start();
			await host.restartProcess();
			isRenamed = true;
			await register('Ada');
			await register('Grace', 2031);
			await host.start(activation);
			await expectStarts(1);
			expect(people()).toEqual(['Ada']);
			expect(host.failedExecutions).toEqual([]);
		},
	);

	it('keeps the ID of a name through restarts in which the service is unavailable', async () => {
		const host = createTriggerHost('registrationCreated');
		let isDown = false;
		let name = 'Northern Platform Days';
		await interceptRequests(({ url }) => {
			if (isDown) return { status: 503, body: {} };
			return readsEvents(url) ? named(name) : undefined;
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
		'with %s, a name that another event has now stands for %s',
		async (mode, expected) => {
			const host = createTriggerHost('registrationCreated');
			let id = EVENT;
			const { requests } = await interceptRequests(({ url }) =>
				readsEvents(url) ? named('Northern Platform Days', id) : undefined,
			);
			await host.start();
			await host.restartProcess();
			id = OTHER_EVENT;
			requests.length = 0;
			await host.start(mode);
			await waitTwoPolls();
			const read = requests.flatMap(
				({ url }) => /events\/(\d+)\/registrations/.exec(url)?.[1] ?? [],
			);
			expect(new Set(read)).toEqual(new Set([expected]));
		},
	);

	it('looks another name up, reports once that no event has it, and catches up when one has', async () => {
		const host = createTriggerHost('registrationCreated');
		let name = 'Northern Platform Days';
		await interceptRequests(({ url }) => (readsEvents(url) ? named(name) : undefined));
		await host.start();
		await host.stop();
		const { parameters } = host.nodes[0]!;
		host.nodes[0]!.parameters = { ...parameters, eventId: byName('Southern Platform Days') };
		await register('Ada');
		await host.start('init');
		await waitUntil(() => host.failedExecutions.length > 0);
		await delay(30 * 60_000);
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
		expect(people()).toEqual(['Ada']);
	});
});
