import type { IDataObject } from 'n8n-workflow';

import { operationsOf, readContract } from '../../../../contracts/read';
import services from '../../../../contracts/services.json';
import { definition as eventData } from '../../../../nodes/EventData/trigger/definition';
import { definition as eventRegistration } from '../../../../nodes/EventRegistration/trigger/definition';
import { triggerSchema } from '../../../../scripts/schemas';
import { useHurry } from '../../../support/fakeClock';
import { byId, useFollowing } from '../support/following';

useHurry();

describe.each([
	{
		service: 'eventData',
		definition: eventData,
		event: 'evt_1004',
		empty: 'evt_1005',
		kinds: ['attendeeCreated', 'attendeeCheckedIn'] as [string, string],
		person: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@email.example' },
		id: ({ attendee }: IDataObject) => ({ attendeeId: (attendee as IDataObject).id }),
	},
	{
		service: 'eventRegistration',
		definition: eventRegistration,
		event: '1004',
		empty: '1005',
		kinds: ['registrationCreated', 'checkedIn'] as [string, string],
		person: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@email.example' },
		id: ({ RegistrationId }: IDataObject) => ({ eventId: '1004', registrationId: RegistrationId }),
	},
] as const)(
	'Execute step of $service',
	({ service, definition, event, empty, kinds, person, id }) => {
		const { sandbox, trigger, desk, started, starts, answer, testRun } = useFollowing(service, {
			eventId: byId(event),
		});
		const register = async (eventId: string = event) =>
			await desk('register', { eventId, ...person });

		it('gives the newest record at once, in the shape of a live run, and keeps nothing', async () => {
			const host = trigger([...kinds]);
			await register();
			const { item } = await testRun();
			expect(item).toMatchObject({ change: 'created', ...person });
			expect(host.column).toBe('{}');
			expect(host.executions).toEqual([]);
		});

		it('gives just what a live run gives', async () => {
			const host = trigger(kinds[0]);
			await host.start();
			await register();
			await starts(1);
			const before = host.column;
			expect((await testRun()).item).toEqual(started()[0]);
			expect(host.column).toBe(before);
			await starts(1);
		});

		it('gives no field that the preview does not name', async () => {
			const contract = operationsOf(readContract(services[service].contract));
			const { properties } = triggerSchema(definition.outputSchema, contract);
			trigger(kinds[0]);
			await register();
			const { item } = await testRun();
			expect(Object.keys(item!).filter((name) => !(name in properties))).toEqual([]);
			expect(Object.keys(item!).length).toBeGreaterThan(8);
		});

		it('shows the kind that was chosen', async () => {
			trigger(kinds[1]);
			await desk('checkIn', id(await register()));
			await register();
			expect((await testRun()).item).toMatchObject({ change: 'checkedIn', ...person });
		});

		it('says so, and what to do, if there is nothing', async () => {
			trigger(kinds[0], { eventId: byId(empty) });
			expect((await testRun()).error).toMatchObject({
				message: expect.stringContaining('There is nothing to show yet') as string,
				description: expect.stringContaining('Add one in the service') as string,
			});
		});

		it('says that the event is unknown', async () => {
			trigger(kinds[0], { eventId: byId('99') });
			expect((await testRun()).error).toMatchObject({
				message: "Event 99 doesn't exist, or this key can't see it",
				description: 'Choose another event.',
			});
		});

		it('says that the credential is refused, without it', async () => {
			const host = trigger(kinds[0]);
			host.secrets[`${service}Api`]!.apiKey = 'wrong-key-0123456789';
			const { error } = await testRun();
			expect(error!.description).toContain('Check the credential');
			expect(JSON.stringify(error)).not.toContain('wrong-key');
		});

		it('says that the service is down', async () => {
			trigger(kinds[0]);
			sandbox.faultRules.add({ service, kind: '503' });
			expect((await testRun()).error!.message).toContain('service');
		});

		it('takes no answer for a list that is none', async () => {
			trigger(kinds[0]);
			await answer(({ url }) =>
				/\/(attendees|registrations)/.test(url) ? { body: {} } : undefined,
			);
			expect((await testRun()).error!.message).toContain('neither a record nor a list');
		});
	},
);
