import type { NodeApiError } from 'n8n-workflow';

import { openHouse } from '../../support/house';
import type { House } from '../../support/house';
import { json, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';

let house: House;
let server: ToyServer;
beforeAll(async () => {
	house = await openHouse({ registrations: 1 });
	server = await startToyServer();
	house.kit.secrets.eventDataApi!.baseUrl = server.url;
});
afterAll(async () => {
	await server.close();
	await house.close();
});

it('a provider that refuses the way to save gets a message that names the option for it', async () => {
	server.answer(({ method }, response) =>
		method === 'GET' ? json(response, 200, { id: 'a1' }) : json(response, 405, {}),
	);
	const { error } = await house.run('eventData', {
		resource: 'attendee',
		operation: 'update',
		attendeeId: { __rl: true, mode: 'id', value: 'a1' },
		changes: { firstName: 'Zoë' },
	});
	expect(server.received.map(({ method }) => method)).toEqual(['GET', 'PUT']);
	expect(error?.message).toBe('The event data service answered with status 405');
	expect((error as NodeApiError).description).toMatch(/For an update, change Save By/);
});
