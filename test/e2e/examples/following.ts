import type { IDataObject } from 'n8n-workflow';

import type { ExampleRun, Scenario } from './exampleRun';
import { rowsOf } from './readBack';

/** Changes records at the service itself, like the staff at the desk. */
const deskOf =
	({ lab }: ExampleRun, eventId: number) =>
	async (action: string, input: IDataObject) =>
		(await lab.sandbox.control('eventRegistration', action, {
			eventId,
			...input,
		})) as IDataObject;

const NUMBERS = ['+1 202 555 0143', '+1 202 555 0171', '+1 202 555 0172', '+1 202 555 0173'];
const person = (index: number) => ({
	FirstName: `Guest${index}`,
	LastName: 'Okafor',
	Email: `guest${index}@example.com`,
	MobilePhone: NUMBERS[index]!,
});

/** Scenarios of the examples that follow events, by file: for one person, and for three at once. */
export const following: Record<string, Scenario> = {
	'11-greet-who-registers.json': {
		does: 'greets each person once',
		async play(run) {
			const { lab, user, startedBy, allStartedBy } = run;
			const desk = deskOf(run, 1014);
			const texts = user.texts().length;
			const first = await startedBy(async () => void (await desk('register', person(0))));
			expect(user.texts()).toHaveLength(texts + 1);
			const others = await allStartedBy(3, async () => {
				for (const index of [1, 2, 3]) await desk('register', person(index));
			});
			const rows = await rowsOf(lab.rest, first, 'Make the table');
			expect(rows.map(({ email }) => email).sort()).toEqual(
				[0, 1, 2, 3].map((index) => person(index).Email),
			);
			expect(rows[0]).toMatchObject({ event: 'Lagos Cloud Conference', codeSent: true });
			const silent = await startedBy(
				async () => void (await desk('register', { ...person(0), MobilePhone: '' })),
			);
			expect(silent.ran('Send a code')).toBe(false);
			expect(others.every((one) => one.ran('Write a row'))).toBe(true);
		},
	},
	'12-vip-at-the-door.json': {
		does: 'notifies the host about speakers only',
		async play(run) {
			const { lab, manager, startedBy, allStartedBy } = run;
			const desk = deskOf(run, 1010);
			const types = await run.ask.all('/events/1010/registrationtypes');
			const speaker = types.find(({ Name }) => Name === 'Speaker')!.RegistrationTypeId as number;
			const arrive = async (index: number, type?: number) => {
				const { RegistrationId: registrationId } = await desk('register', {
					...person(index),
					...(type !== undefined && { RegistrationTypeId: type }),
				});
				await desk('checkIn', { registrationId });
			};
			const vip = await startedBy(async () => await arrive(0, speaker));
			expect(vip.ran('Tell the host')).toBe(true);
			const shown = await manager.approval();
			expect(shown).toMatchObject({
				message: 'Guest0 Okafor is at the door. Will you welcome them?',
				details: { Event: 'European Identity Week', 'Comes as': 'Speaker' },
			});
			await manager.decide('approved', shown);
			const three = await allStartedBy(3, async () => {
				await arrive(1, speaker);
				await arrive(2);
				await arrive(3, speaker);
			});
			expect(three.filter((one) => one.ran('Tell the host'))).toHaveLength(2);
			expect(three.filter((one) => one.ran('Comes in'))).toHaveLength(1);
			const rows = await rowsOf(lab.rest, vip, 'Make the table');
			expect(rows.map(({ name }) => name).sort()).toEqual([
				'Guest0 Okafor',
				'Guest1 Okafor',
				'Guest3 Okafor',
			]);
		},
	},
	'13-payments-to-table.json': {
		does: 'writes each payment and refund once',
		async play(run) {
			const { lab, startedBy, allStartedBy } = run;
			const desk = deskOf(run, 1016);
			const groups = await run.ask.all('/events/1016/registrationoptiongroups');
			const group = groups[0]!.RegistrationOptionGroupId as number;
			const options = await run.ask.all(`/events/1016/registrationoptiongroups/${group}`);
			const paid = options.find(({ Price }) => (Price as number) > 0)!;
			const { RegistrationId: registrationId } = await desk('register', person(0));
			const bought = await startedBy(async () => {
				await desk('order', {
					registrationId,
					RegistrationOptions: [
						{
							RegistrationOptionId: paid.RegistrationOptionId,
							RegistrationOptionGroupId: group,
							Quantity: 1,
						},
					],
				});
			});
			const [payment] = bought.json('When money moves');
			expect(payment).toMatchObject({
				change: 'recorded',
				EventName: 'Applied Research Symposium',
			});
			const orderId = payment!.OrderId as number;
			await allStartedBy(3, async () => {
				for (const amount of [1, 2, 3]) await desk('refund', { orderId, amount });
			});
			const rows = await rowsOf(lab.rest, bought, 'Make the table');
			const amounts = rows.filter((row) => row.orderId === orderId).map(({ amount }) => amount);
			expect(amounts).toEqual(expect.arrayContaining([-1, -2, -3]));
			expect(amounts).toHaveLength(4);
			expect(new Set(rows.map(({ transactionId }) => transactionId)).size).toBe(rows.length);
		},
	},
};
