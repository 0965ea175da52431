// Protects changes around a restart of n8n: none is lost, not even the return to a status that the record had before.
import type { GenericValue, IDataObject } from 'n8n-workflow';

import { useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById } from '../../support/locators';

useAcceleratedTime();

const EVENT = 'evt_1004';
/** With this length, executions are still running when n8n stops. */
const LONG_RUN_MS = 20 * 60_000;
const {
	createTriggerHost,
	performDeskAction,
	startedItems,
	expectStarts,
	waitTwoPolls,
	waitUntil,
} = useListTrigger('eventData', {
	eventId: locateById(EVENT),
});

const addAttendee = async () => {
	const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@email.example' };
	return (await performDeskAction('addAttendee', { eventId: EVENT, ...ada })).id;
};
const changeAttendee = async (attendeeId: GenericValue, changes: IDataObject) =>
	await performDeskAction('changeAttendee', { attendeeId, ...changes });
const readStartedStatuses = () => startedItems().map(({ status }) => status);

describe.each([
	['stopped', 'stop'],
	['killed', 'restartProcess'],
] as const)('after n8n was %s during executions and restarted', (_, endMethod) => {
	it('the workflow starts again for a status that the attendee had before', async () => {
		const host = createTriggerHost('attendeeStatusChanged');
		const id = await addAttendee();
		await host.start();
		await waitTwoPolls();
		host.executionMs = LONG_RUN_MS;
		await changeAttendee(id, { status: 'confirmed' });
		await expectStarts(1);
		await changeAttendee(id, { status: 'registered' });
		await expectStarts(2);
		await host[endMethod]();
		await host.start('init');
		await expectStarts(2);
		await changeAttendee(id, { status: 'confirmed' });
		await expectStarts(3);
		expect(readStartedStatuses()).toEqual(['confirmed', 'registered', 'confirmed']);
	});

	it('the workflow starts for statuses that changed while n8n was not running', async () => {
		const host = createTriggerHost('attendeeStatusChanged');
		const [first, second] = [await addAttendee(), await addAttendee()];
		await host.start();
		await waitTwoPolls();
		host.executionMs = LONG_RUN_MS;
		await changeAttendee(first, { status: 'confirmed' });
		await changeAttendee(second, { status: 'cancelled' });
		await expectStarts(2);
		await changeAttendee(first, { status: 'registered' });
		await expectStarts(3);
		await host[endMethod]();
		await changeAttendee(first, { status: 'confirmed' });
		await changeAttendee(second, { status: 'registered' });
		await host.start('init');
		await expectStarts(5);
		expect(readStartedStatuses().slice(3)).toEqual(['confirmed', 'registered']);
	});
});

describe('after n8n was killed before it created the execution', () => {
	/** Kills n8n after the trigger has requested the start for a change, before n8n creates the execution. Returns the change's result. */
	async function crashDuring<T>(
		host: ReturnType<typeof createTriggerHost>,
		makeChange: () => Promise<T>,
	): Promise<T> {
		await host.start();
		await waitTwoPolls();
		host.crashesBeforeNextStart = true;
		const changeResult = await makeChange();
		await waitUntil(() => host.emitCalls === 1);
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		await host.restartProcess();
		host.crashesBeforeNextStart = false;
		return changeResult;
	}

	it.each([
		['a new status', 'attendeeStatusChanged', { status: 'confirmed' }],
		['a check-in', 'attendeeCheckedIn', undefined],
	])(
		'the workflow starts for %s, and once more for a field that changed before the restart',
		async (_, triggerOn, changes) => {
			const host = createTriggerHost([triggerOn, 'attendeeUpdated']);
			const id = await addAttendee();
			await crashDuring(host, async () => {
				if (changes) await changeAttendee(id, changes);
				else await performDeskAction('checkIn', { attendeeId: id });
			});
			await changeAttendee(id, { company: 'Analytical Engines' });
			await host.start('init');
			await expectStarts(2);
			// The trigger does not know whether the first change was started. It reports the second separately, or it could be lost.
			expect(startedItems()).toMatchObject([
				{ change: changes ? 'statusChanged' : 'checkedIn', company: 'Analytical Engines' },
				{ change: 'updated', company: 'Analytical Engines' },
			]);
		},
	);

	it('the workflow starts for a new record with its current data, and once even if n8n is killed again', async () => {
		const host = createTriggerHost('attendeeCreated');
		const id = await crashDuring(host, addAttendee);
		await changeAttendee(id, { company: 'Analytical Engines' });
		await host.start('init');
		await expectStarts(1);
		await host.restartProcess();
		await host.start('init');
		await expectStarts(1);
		expect(startedItems()).toMatchObject([{ change: 'created', company: 'Analytical Engines' }]);
	});
});
