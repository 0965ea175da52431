// Protects test runs of list triggers: they output an item as a live start does, or a clear error, and store nothing.
import { UserError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { operationsOf, readContract } from '../../../../contracts/read';
import services from '../../../../contracts/services.json';
import { definition as eventData } from '../../../../nodes/EventData/trigger/definition';
import { definition as eventRegistration } from '../../../../nodes/EventRegistration/trigger/definition';
import { createTriggerSchema } from '../../../../scripts/schemas';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { locateById } from '../../../support/locators';
import { useListTrigger } from '../support/listTrigger';

useAcceleratedTime();

describe.each([
	{
		service: 'eventData',
		definition: eventData,
		event: 'evt_1004',
		emptyEvent: 'evt_1005',
		kinds: ['attendeeCreated', 'attendeeCheckedIn'] as [string, string],
		person: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@email.example' },
		toDeskIds: ({ attendee }: IDataObject) => ({ attendeeId: (attendee as IDataObject).id }),
	},
	{
		service: 'eventRegistration',
		definition: eventRegistration,
		event: '1004',
		emptyEvent: '1005',
		kinds: ['registrationCreated', 'checkedIn'] as [string, string],
		person: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@email.example' },
		toDeskIds: ({ RegistrationId }: IDataObject) => ({
			eventId: '1004',
			registrationId: RegistrationId,
		}),
	},
] as const)(
	'Execute step of $service',
	({ service, definition, event, emptyEvent, kinds, person, toDeskIds }) => {
		const {
			sandbox,
			createTriggerHost,
			performDeskAction,
			startedItems,
			expectStarts,
			interceptRequests,
			testRun,
			waitUntil,
		} = useListTrigger(service, {
			eventId: locateById(event),
		});
		const register = async (eventId: string = event) =>
			await performDeskAction('register', { eventId, ...person });

		it('outputs the newest record at once, and stores nothing', async () => {
			const host = createTriggerHost([...kinds]);
			await register();
			const { item } = await testRun();
			expect(item).toMatchObject({ change: 'created', ...person });
			expect(host.staticDataJson).toBe('{}');
			expect(host.executions).toEqual([]);
		});

		it("outputs its own 'change' and 'record' even if the service has fields of these names", async () => {
			createTriggerHost(kinds[0], { simplify: false });
			await register();
			const { item } = await testRun();
			const record = { ...item, change: 'of the service', record: 'of the service' };
			await interceptRequests(({ url }) =>
				/\/(attendees|registrations)/.test(url) ? { body: [record] } : undefined,
			);
			const { item: itemWithSameNames } = await testRun();
			expect(itemWithSameNames).toEqual(item);
			expect(Object.keys(itemWithSameNames!).slice(0, 2)).toEqual(['change', 'record']);
		});

		it('outputs the same item as a live execution', async () => {
			const host = createTriggerHost(kinds[0]);
			await host.start();
			await register();
			await expectStarts(1);
			const staticDataBefore = host.staticDataJson;
			expect((await testRun()).item).toEqual(startedItems()[0]);
			expect(host.staticDataJson).toBe(staticDataBefore);
			await expectStarts(1);
		});

		it('outputs only fields that the output schema contains', async () => {
			const contract = operationsOf(readContract(services[service].contract));
			const { properties } = createTriggerSchema(definition.outputSchema, contract);
			createTriggerHost(kinds[0]);
			await register();
			const { item } = await testRun();
			expect(Object.keys(item!).filter((name) => !(name in properties))).toEqual([]);
			expect(Object.keys(item!).length).toBeGreaterThan(8);
		});

		it('outputs a record of the chosen kind', async () => {
			createTriggerHost(kinds[1]);
			await performDeskAction('checkIn', toDeskIds(await register()));
			await register();
			expect((await testRun()).item).toMatchObject({ change: 'checkedIn', ...person });
		});

		it('fails with advice if there is no record', async () => {
			createTriggerHost(kinds[0], { eventId: locateById(emptyEvent) });
			expect((await testRun()).error).toMatchObject({
				message: expect.stringContaining('There is nothing to show yet') as string,
				description: expect.stringContaining('Add one in the service') as string,
			});
		});

		it('fails with a message if the event does not exist', async () => {
			createTriggerHost(kinds[0], { eventId: locateById('99') });
			expect((await testRun()).error).toMatchObject({
				message: "Event 99 doesn't exist, or this key can't see it",
				description: 'Choose another event.',
			});
		});

		it('fails with a message without the credential if the credential is rejected', async () => {
			const host = createTriggerHost(kinds[0]);
			host.credentialData[`${service}Api`]!.apiKey = 'wrong-key-0123456789';
			const { error } = await testRun();
			expect(error!.description).toContain('Check the credential');
			expect(JSON.stringify(error)).not.toContain('wrong-key');
		});

		it('fails with a message if the credential was deleted while the trigger ran', async () => {
			const host = createTriggerHost(kinds[0]);
			await host.start();
			// n8n's error for a deleted credential; n8n exports no class for it.
			class CredentialNotFoundError extends UserError {}
			host.credentialReadError = new CredentialNotFoundError('Credential "1" does not exist');
			await waitUntil(() => host.emittedErrors.length === 1);
			await host.stop();
			expect((await testRun()).error).toMatchObject({
				message: expect.stringContaining(
					'The credential of this trigger no longer exists',
				) as string,
				description: expect.stringContaining('Check the credential') as string,
			});
		});

		it('fails with a message if the service is unavailable', async () => {
			createTriggerHost(kinds[0]);
			sandbox.faultRules.add({ service, kind: '503' });
			expect((await testRun()).error!.message).toMatch(
				/^Event (data|registration) service: Down for maintenance$/,
			);
		});

		it('fails if the response is not a list', async () => {
			createTriggerHost(kinds[0]);
			await interceptRequests(({ url }) =>
				/\/(attendees|registrations)/.test(url) ? { body: {} } : undefined,
			);
			expect((await testRun()).error!.message).toContain('neither a record nor a list');
		});
	},
);
