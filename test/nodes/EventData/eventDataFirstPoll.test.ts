import type { WorkflowActivateMode } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { byId, useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';

useAcceleratedTime();

const EVENT = 'evt_1004';
const { trigger, desk, expectStarts, started } = useListTrigger('eventData', {
	where: 'oneEvent',
	eventId: byId(EVENT),
});

// n8n saves once a trigger has started, and then nothing until it starts a workflow.
it.each<WorkflowActivateMode>(['activate', 'init', 'leadershipChange'])(
	'the trigger knows the first state of every list even if n8n is killed before anything has started (%s)',
	async (mode) => {
		const session = { eventId: EVENT, title: 'Keynote', startTime: '2026-12-01T09:00:00Z' };
		const { id: sessionId } = await desk('addSession', {
			...session,
			endTime: '2026-12-01T10:00:00Z',
		});
		const { id: attendeeId } = await desk('addAttendee', {
			eventId: EVENT,
			firstName: 'Ada',
			lastName: 'Lovelace',
			email: 'ada@email.example',
		});
		const host = trigger(['attendeeStatusChanged', 'sessionUpdated']);
		await host.start(mode);
		await desk('changeAttendee', { attendeeId, status: 'cancelled' });
		await desk('changeSession', { sessionId, title: 'Closing' });
		await host.restartProcess();
		await host.start('init');
		await expectStarts(2);
		expect(started().map(({ change, record }) => [record, change])).toEqual(
			expect.arrayContaining([
				['attendee', 'statusChanged'],
				['session', 'updated'],
			]),
		);
	},
);

it('following begins with the activation, unless that failed before', async () => {
	const host = trigger('attendeeCreated', { eventId: byId('evt_9999') });
	await expect(host.start()).rejects.toThrow("Event evt_9999 doesn't exist");
	const person = { eventId: EVENT, lastName: 'Lovelace', email: 'ada@email.example' };
	await desk('addAttendee', { ...person, firstName: 'Before' });
	await delay(60_000);
	host.nodes[0]!.parameters = { ...host.nodes[0]!.parameters, eventId: byId(EVENT) };
	await host.start();
	await delay(2000);
	await desk('addAttendee', { ...person, firstName: 'After' });
	await expectStarts(1);
	expect(started()).toMatchObject([{ firstName: 'After' }]);
});
