// Protects users who restore n8n's database: with Start From Now, earlier changes start nothing, and each later one once.
import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../../support/fakeClock';
import { locateById } from '../../../support/locators';
import { useListTrigger } from '../support/listTrigger';
import { backUpDatabase, setStartFromNow } from '../support/restoreBackup';

useAcceleratedTime();

const TWO_HOURS_MS = 2 * 3_600_000;
const numbers = Array.from({ length: 10 }, (_, index) => index);

describe('a list that the service filters by change', () => {
	const EVENT = '1004';
	const { createTriggerHost, performDeskAction, startedItems, expectStarts, waitTwoPolls } =
		useListTrigger('eventRegistration', { eventId: locateById(EVENT) });
	const register = async (name: string) => ({
		eventId: EVENT,
		registrationId: (
			await performDeskAction('register', {
				eventId: EVENT,
				FirstName: name,
				LastName: 'Lovelace',
				Email: `${name}@email.example`,
			})
		).RegistrationId,
	});

	/** Publishes the trigger, copies the database, lets 30 changes start the workflow, and restores the copy. */
	async function restoreAfterChanges() {
		const host = createTriggerHost(['registrationCreated', 'registrationUpdated']);
		const known = [];
		for (const number of numbers) known.push(await register(`known${number}`));
		await delay(60_000);
		await host.start();
		const restore = backUpDatabase(host);
		for (const number of numbers) await register(`new${number}`);
		for (const number of numbers) await register(`newer${number}`);
		for (const one of known)
			await performDeskAction('changeRegistration', { ...one, MobilePhone: '+4512345678' });
		await expectStarts(30);
		expect(host.failedExecutions).toEqual([]);
		await restore();
		return host;
	}

	it('starts the workflow for none of 30 changes before Start From Now, and once for each later one', async () => {
		const host = await restoreAfterChanges();
		setStartFromNow(host);
		await host.start();
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		expect(host.failedExecutions).toHaveLength(1);
		expect(host.failedExecutions[0]!.message).toContain('30 changes');
		await register('ada');
		await expectStarts(1);
		expect(startedItems()).toMatchObject([{ change: 'created', FirstName: 'ada' }]);
		await host.restartProcess();
		const edith = await register('edith');
		await host.start('init');
		await expectStarts(2);
		await performDeskAction('changeRegistration', { ...edith, MobilePhone: '+4587654321' });
		await expectStarts(3);
		expect(host.failedExecutions).toHaveLength(1);
	});

	it('reports once, without the option, that the workflow starts for old changes', async () => {
		const host = await restoreAfterChanges();
		await delay(TWO_HOURS_MS);
		await host.start('init');
		await expectStarts(30);
		expect(host.failedExecutions).toHaveLength(1);
		expect(host.failedExecutions[0]).toMatchObject({
			message: expect.stringContaining('30 changes') as string,
			description: expect.stringMatching(/Start From Now/) as string,
		});
		await host.restartProcess();
		await host.start('init');
		await waitTwoPolls();
		expect(host.failedExecutions).toHaveLength(1);
	});
});

describe('a list that the trigger compares', () => {
	const EVENT = 'evt_1004';
	const { createTriggerHost, performDeskAction, startedItems, expectStarts, waitTwoPolls } =
		useListTrigger('eventData', { eventId: locateById(EVENT) });
	const addAttendee = async (firstName: string) =>
		await performDeskAction('addAttendee', {
			eventId: EVENT,
			firstName,
			lastName: 'Lovelace',
			email: `${firstName}@email.example`,
		});

	it('starts the workflow for none of 30 changes before Start From Now, dated or not', async () => {
		const host = createTriggerHost([
			'attendeeCreated',
			'attendeeCheckedIn',
			'attendeeStatusChanged',
		]);
		const known = [];
		for (const number of numbers) known.push(await addAttendee(`known${number}`));
		const toCancel = [];
		for (const number of numbers) toCancel.push(await addAttendee(`cancel${number}`));
		await delay(60_000);
		await host.start();
		const restore = backUpDatabase(host);
		for (const number of numbers) await addAttendee(`new${number}`);
		for (const { id: attendeeId } of toCancel)
			await performDeskAction('changeAttendee', { attendeeId, status: 'cancelled' });
		for (const { id: attendeeId } of known) await performDeskAction('checkIn', { attendeeId });
		await expectStarts(30);
		await restore();
		setStartFromNow(host);
		await host.start();
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		expect(host.failedExecutions).toHaveLength(1);
		await host.restartProcess();
		const { id: attendeeId } = toCancel[0]!;
		await performDeskAction('changeAttendee', { attendeeId, status: 'registered' });
		await host.start('init');
		await addAttendee('ada');
		await expectStarts(2);
		expect(startedItems()).toMatchObject([
			{ change: 'statusChanged', id: attendeeId },
			{ change: 'created', firstName: 'ada' },
		]);
		expect(host.failedExecutions).toHaveLength(1);
	});
});
