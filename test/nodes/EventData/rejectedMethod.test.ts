// Protects users whose service rejects the HTTP method of an update: the error names the option that changes the method.
import type { NodeApiError } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { openRig } from '../../support/sandboxRig';
import type { Rig } from '../../support/sandboxRig';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';

let rig: Rig;
let server: ToyServer;
beforeAll(async () => {
	rig = await openRig({ registrations: 1 });
	server = await startToyServer();
	rig.kit.credentialData.eventDataApi!.baseUrl = server.url;
});
afterAll(async () => {
	await server.close();
	await rig.close();
});

it("the error for a rejected HTTP method names the option 'Update Method'", async () => {
	server.respondWith(({ method }, response) =>
		method === 'GET'
			? sendJson(response, 200, {
					id: 'a1',
					eventId: 'e1',
					firstName: 'Zoe',
					lastName: 'Lind',
					email: 'zoe@example.com',
				})
			: sendJson(response, 405, {}),
	);
	const { error } = await rig.run('eventData', {
		resource: 'attendee',
		operation: 'update',
		attendeeId: locateById('a1'),
		changes: { firstName: 'Zoë' },
	});
	expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
	expect(error?.message).toBe('The event data service answered with status 405');
	expect((error as NodeApiError).description).toMatch(/For an update, change 'Update Method'/);
});
