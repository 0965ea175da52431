// Protects changes right after the activation of a trigger: they start the workflow even if n8n is killed first.
import type { WorkflowActivateMode } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById } from '../../support/locators';

useAcceleratedTime();

const EVENT = 'evt_1004';
const { createTriggerHost, performDeskAction, expectStarts, startedItems } = useListTrigger(
	'eventData',
	{
		where: 'oneEvent',
		eventId: locateById(EVENT),
	},
);

// n8n saves the static data when a trigger has started, and again only when it starts a workflow.
it.each<WorkflowActivateMode>(['activate', 'init', 'leadershipChange'])(
	'after the activation mode %s, changes made before a kill of n8n start the workflow after its restart',
	async (mode) => {
		const session = { eventId: EVENT, title: 'Keynote', startTime: '2026-12-01T09:00:00Z' };
		const { id: sessionId } = await performDeskAction('addSession', {
			...session,
			endTime: '2026-12-01T10:00:00Z',
		});
		const { id: attendeeId } = await performDeskAction('addAttendee', {
			eventId: EVENT,
			firstName: 'Ada',
			lastName: 'Lovelace',
			email: 'ada@email.example',
		});
		const host = createTriggerHost(['attendeeStatusChanged', 'sessionUpdated']);
		await host.start(mode);
		await performDeskAction('changeAttendee', { attendeeId, status: 'cancelled' });
		await performDeskAction('changeSession', { sessionId, title: 'Closing' });
		await host.restartProcess();
		await host.start('init');
		await expectStarts(2);
		expect(startedItems().map(({ change, record }) => [record, change])).toEqual(
			expect.arrayContaining([
				['attendee', 'statusChanged'],
				['session', 'updated'],
			]),
		);
	},
);

it('a failed activation does not count: the trigger reports changes only from the next activation on', async () => {
	const host = createTriggerHost('attendeeCreated', { eventId: locateById('evt_9999') });
	await expect(host.start()).rejects.toThrow("Event evt_9999 doesn't exist");
	const person = { eventId: EVENT, lastName: 'Lovelace', email: 'ada@email.example' };
	await performDeskAction('addAttendee', { ...person, firstName: 'Before' });
	await delay(60_000);
	host.nodes[0]!.parameters = { ...host.nodes[0]!.parameters, eventId: locateById(EVENT) };
	await host.start();
	await delay(2000);
	await performDeskAction('addAttendee', { ...person, firstName: 'After' });
	await expectStarts(1);
	expect(startedItems()).toMatchObject([{ firstName: 'After' }]);
});
