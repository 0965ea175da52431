import type { GenericValue, IDataObject } from 'n8n-workflow';

import { locateById, useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';

useAcceleratedTime();

const EVENT = 'evt_1004';
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

const add = async () => {
	const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@email.example' };
	return (await performDeskAction('addAttendee', { eventId: EVENT, ...ada })).id;
};
const changeAttendee = async (attendeeId: GenericValue, changes: IDataObject) =>
	await performDeskAction('changeAttendee', { attendeeId, ...changes });
const startedStatuses = () => startedItems().map(({ status }) => status);

describe.each([
	['started again', 'stop'],
	['killed', 'restartProcess'],
] as const)('an n8n that is %s during executions', (_, end) => {
	it('the workflow starts again for a status that returns later', async () => {
		const host = createTriggerHost('attendeeStatusChanged');
		const id = await add();
		await host.start();
		await waitTwoPolls();
		host.executionMs = LONG_RUN_MS;
		await changeAttendee(id, { status: 'confirmed' });
		await expectStarts(1);
		await changeAttendee(id, { status: 'registered' });
		await expectStarts(2);
		await host[end]();
		await host.start('init');
		await expectStarts(2);
		await changeAttendee(id, { status: 'confirmed' });
		await expectStarts(3);
		expect(startedStatuses()).toEqual(['confirmed', 'registered', 'confirmed']);
	});

	it('the workflow starts for a status that returned or changed meanwhile', async () => {
		const host = createTriggerHost('attendeeStatusChanged');
		const [first, second] = [await add(), await add()];
		await host.start();
		await waitTwoPolls();
		host.executionMs = LONG_RUN_MS;
		await changeAttendee(first, { status: 'confirmed' });
		await changeAttendee(second, { status: 'cancelled' });
		await expectStarts(2);
		await changeAttendee(first, { status: 'registered' });
		await expectStarts(3);
		await host[end]();
		await changeAttendee(first, { status: 'confirmed' });
		await changeAttendee(second, { status: 'registered' });
		await host.start('init');
		await expectStarts(5);
		expect(startedStatuses().slice(3)).toEqual(['confirmed', 'registered']);
	});
});

describe('an n8n that is killed before it creates the execution', () => {
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
		'the workflow starts for %s, even if something else has changed meanwhile',
		async (_, kind, changes) => {
			const host = createTriggerHost([kind, 'attendeeUpdated']);
			const id = await add();
			await crashDuring(host, async () => {
				if (changes) await changeAttendee(id, changes);
				else await performDeskAction('checkIn', { attendeeId: id });
			});
			await changeAttendee(id, { company: 'Analytical Engines' });
			await host.start('init');
			await expectStarts(2);
			// It is unknown whether the first of them was started: the second would be lost if it were reported together with it.
			expect(startedItems()).toMatchObject([
				{ change: changes ? 'statusChanged' : 'checkedIn', company: 'Analytical Engines' },
				{ change: 'updated', company: 'Analytical Engines' },
			]);
		},
	);

	it('the workflow starts for a new record, with its current data', async () => {
		const host = createTriggerHost('attendeeCreated');
		const id = await crashDuring(host, add);
		await changeAttendee(id, { company: 'Analytical Engines' });
		await host.start('init');
		await expectStarts(1);
		expect(startedItems()).toMatchObject([{ change: 'created', company: 'Analytical Engines' }]);
	});
});
