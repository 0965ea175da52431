// Protects triggers that follow lists when the pack is updated: the new version can read the static data that n8n saved.
import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { useListTrigger } from '../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../support/fakeClock';
import { locateById } from '../support/locators';
import { expectFrozen } from './frozen';
import { shapeLines } from './lines';

useAcceleratedTime();

const { createTriggerHost, performDeskAction, waitUntil } = useListTrigger('eventData', {
	eventId: locateById('evt_1004'),
});
const parseNodeState = (json: string) =>
	jsonParse<{ global: { 'node-0': Record<'lists' | 'pendingStarts', string[]> } }>(json).global[
		'node-0'
	];
const parseAll = (texts: string[]) => texts.map((text) => jsonParse<IDataObject>(text));

it('eventDataTrigger saves its lists and pending starts in the shape of the snapshot', async () => {
	const host = createTriggerHost('attendeeCreated');
	await host.start();
	// n8n rejects the start, so it stays pending.
	host.startsToReject = 1000;
	await performDeskAction('addAttendee', {
		eventId: 'evt_1004',
		firstName: 'Ada',
		lastName: 'Lovelace',
		email: 'ada@email.example',
	});
	await waitUntil(
		() =>
			host.staticDataJson !== '{}' && parseNodeState(host.staticDataJson).pendingStarts.length > 0,
	);
	const { lists, pendingStarts } = parseNodeState(host.staticDataJson);
	expectFrozen([
		...shapeLines(jsonParse(host.staticDataJson), 'staticData'),
		// The static data contains them as JSON texts.
		...shapeLines(parseAll(lists), 'lists'),
		...shapeLines(parseAll(pendingStarts), 'pendingStarts'),
	]);
});
