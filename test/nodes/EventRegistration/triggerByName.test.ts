import { setTimeout as delay } from 'node:timers/promises';

import { byId, useFollowing } from '../../engine/trigger/following';
import { useHurry } from '../../support/fakeClock';
import { byName } from './samples';

useHurry();

// Event 1004 of the sandbox is the Northern Platform Days; 2031 is its type Attendee, 2032 Speaker.
const EVENT = '1004';
const { sandbox, trigger, desk, started, starts, aWhile, answer, sees, testRun } = useFollowing(
	'eventRegistration',
	{ eventId: byName('northern  PLATFORM days') },
);
const register = async (FirstName: string, RegistrationTypeId = 2032) =>
	await desk('register', {
		eventId: EVENT,
		FirstName,
		LastName: 'Lovelace',
		Email: `${FirstName.toLowerCase()}@email.example`,
		RegistrationTypeId,
	});
const people = () => started().map(({ FirstName }) => FirstName);
const eventLists = () => sandbox.requestLog.count('eventRegistration', 'getManyEvents');
const readsEvents = (url: string) => /\/events(\?|$)/.test(url);
const named = (EventName: string) => ({
	status: 200,
	body: [{ EventId: Number(EVENT), EventName, StartDate: '2026-06-01T08:00:00Z' }],
});

describe('a trigger with names', () => {
	it('follows the event and the type that have them, and looks them up once', async () => {
		const host = trigger('registrationCreated', { registrationTypeId: byName('Spéaker') });
		await host.start();
		expect(eventLists()).toBe(1);
		await register('Ada');
		await register('Grace', 2031);
		await starts(1);
		await aWhile();
		expect(people()).toEqual(['Ada']);
		expect(eventLists()).toBe(1);
		expect([host.failed, host.stopped]).toEqual([[], []]);
	});

	it('follows orders, whose requests have the number of the event', async () => {
		const host = trigger('orderPlaced');
		await host.start();
		expect(host.failed).toEqual([]);
		expect(sandbox.requestLog.count('eventRegistration', 'searchOrders')).toBeGreaterThan(0);
	});

	it('shows the newest record of the event in a test run', async () => {
		trigger('registrationCreated', { registrationTypeId: byName('speaker') });
		await register('Ada');
		expect((await testRun()).item).toMatchObject({ EventId: 1004, FirstName: 'Ada' });
	});

	it.each([
		[{ eventId: byName('Nowhere') }, 'No event is named "Nowhere". These events exist: '],
		[
			{ registrationTypeId: byName('VIP') },
			'No registration type is named "VIP". These registration types exist: Attendee, Speaker',
		],
	])('is not published with a name that does not exist: %j', async (parameters, said) => {
		const host = trigger('registrationCreated', parameters);
		await expect(host.start()).rejects.toThrow(said);
		expect((await testRun()).error?.message).toContain(said);
	});

	it('says that an event does not exist before it looks for its types', async () => {
		const parameters = { eventId: byId('9999'), registrationTypeId: byName('VIP') };
		await expect(trigger('registrationCreated', parameters).start()).rejects.toThrow(
			"Event 9999 doesn't exist",
		);
	});

	it('says in the same way that an ID is missing', async () => {
		await expect(trigger('registrationCreated', { eventId: byName(' ') }).start()).rejects.toThrow(
			"'Event' is empty",
		);
	});

	it('still follows an event that is renamed', async () => {
		const host = trigger('registrationCreated');
		let name = 'Northern Platform Days';
		await answer(({ url }) => (readsEvents(url) ? named(name) : undefined));
		await host.start();
		name = 'Southern Platform Days';
		await delay(20 * 60_000);
		await register('Ada');
		await starts(1);
		expect(host.failed).toEqual([]);
	});

	it('reports once that the name is gone after a restart, and catches up when it is back', async () => {
		const host = trigger('registrationCreated');
		let name = 'Northern Platform Days';
		await answer(({ url }) => (readsEvents(url) ? named(name) : undefined));
		await host.start();
		await host.stop();
		name = 'Southern Platform Days';
		await register('Ada');
		await host.start('init');
		await sees(() => host.failed.length > 0);
		await delay(30 * 60_000);
		expect(host.failed.map(({ message }) => message)).toEqual([
			expect.stringContaining('No event is named "northern  PLATFORM days". These events exist: S'),
		]);
		expect(started()).toEqual([]);
		name = 'Northern Platform Days';
		await starts(1);
		expect(people()).toEqual(['Ada']);
	});

	it('waits for a service that is out of order when it starts', async () => {
		const host = trigger('registrationCreated');
		let isDown = false;
		await answer(() => (isDown ? { status: 503, body: {} } : undefined));
		await host.start();
		await host.stop();
		isDown = true;
		await host.start('init');
		await register('Ada');
		await aWhile();
		isDown = false;
		await starts(1);
		expect(people()).toEqual(['Ada']);
	});

	it('is the same trigger as one with the ID: changing to the name repeats nothing', async () => {
		const host = trigger('registrationCreated', { eventId: byId(EVENT) });
		await host.start();
		await register('Ada');
		await starts(1);
		await host.stop();
		const { parameters } = host.nodes[0]!;
		host.nodes[0]!.parameters = { ...parameters, eventId: byName('Northern Platform Days') };
		await register('Grace');
		await host.start();
		await starts(2);
		expect(people()).toEqual(['Ada', 'Grace']);
	});
});
