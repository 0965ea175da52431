// Protects triggers for all current events: their lists count as discovered, so a failing one does not stop the others.
import type { ITriggerFunctions } from 'n8n-workflow';

import { Client, connectionOf } from '../../../nodes/engine/http/client';
import { service } from '../../../nodes/EventRegistration/service';
import { definition } from '../../../nodes/EventRegistration/trigger/definition';

/** Every request gets two events, without HTTP. */
const makeEvent = (EventId: number) => ({
	EventId,
	EventName: `Event ${EventId}`,
	Status: 'Active',
});

const discoverLists = async (parameters: Record<string, unknown>) => {
	const context = {
		getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
		getNode: () => ({ name: 'Trigger', parameters }),
		getActivationMode: () => 'activate',
	} as unknown as ITriggerFunctions;
	const body = JSON.stringify([makeEvent(1), makeEvent(2)]);
	const credential = { baseUrl: 'http://localhost', apiKey: 'key', firstPage: '1' };
	const connection = connectionOf(service, credential, async () => {
		const headers = { 'content-type': 'application/json' };
		return await Promise.resolve({ statusCode: 200, headers, body });
	});
	const client = new Client(connection, { maxAttempts: 1, maxRetryDelayMs: 0, timeoutMs: 1000 });
	return (await definition.plan(context, {}).discover(client)).lists;
};

it('lists of all current events count as discovered, each under its kind', async () => {
	const lists = await discoverLists({
		triggerOn: ['registrationCreated', 'checkedIn'],
		where: 'allCurrentEvents',
	});
	expect(lists.map(({ key, discoveredAs }) => [key, discoveredAs])).toEqual([
		['registrations 1', 'registrations'],
		['attendance 1', 'attendance'],
		['registrations 2', 'registrations'],
		['attendance 2', 'attendance'],
	]);
});

it('lists of a chosen event do not count as discovered', async () => {
	const parameters = { triggerOn: ['registrationCreated'], where: 'oneEvent', eventId: '1' };
	const lists = await discoverLists(parameters);
	expect(lists.map(({ key, discoveredAs }) => [key, discoveredAs])).toEqual([
		['registrations 1', undefined],
	]);
});
