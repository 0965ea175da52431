import type { IDataObject } from 'n8n-workflow';

import type { ExampleRun, Scenario } from './exampleRun';
import { readRows } from './readBack';

/** Returns a function that changes records of an event at the service itself, like the staff at the desk. */
const openDesk =
	({ lab }: ExampleRun, eventId: number) =>
	async (action: string, input: IDataObject) =>
		(await lab.sandbox.control('eventRegistration', action, {
			eventId,
			...input,
		})) as IDataObject;

const PHONE_NUMBERS = ['+1 202 555 0143', '+1 202 555 0171', '+1 202 555 0172', '+1 202 555 0173'];
const createGuest = (index: number) => ({
	FirstName: `Guest${index}`,
	LastName: 'Okafor',
	Email: `guest${index}@example.com`,
	MobilePhone: PHONE_NUMBERS[index]!,
});

/** Scenarios of the examples that follow events, by file: for one person, and for three at once. */
export const following: Record<string, Scenario> = {
	'11-greet-who-registers.json': {
		does: 'greets each person once',
		async play(run) {
			const { lab, user, triggerRun, triggerRuns } = run;
			const performAtDesk = openDesk(run, 1014);
			const textCount = user.readTexts().length;
			const firstRun = await triggerRun(
				async () => void (await performAtDesk('register', createGuest(0))),
			);
			expect(user.readTexts()).toHaveLength(textCount + 1);
			const otherRuns = await triggerRuns(3, async () => {
				for (const index of [1, 2, 3]) await performAtDesk('register', createGuest(index));
			});
			const rows = await readRows(lab.rest, firstRun, 'Make the table');
			expect(rows.map(({ email }) => email).sort()).toEqual(
				[0, 1, 2, 3].map((index) => createGuest(index).Email),
			);
			expect(rows[0]).toMatchObject({ event: 'Lagos Cloud Conference', codeSent: true });
			const runWithoutPhone = await triggerRun(
				async () => void (await performAtDesk('register', { ...createGuest(0), MobilePhone: '' })),
			);
			expect(runWithoutPhone.ran('Send a code')).toBe(false);
			expect(otherRuns.every((otherRun) => otherRun.ran('Write a row'))).toBe(true);
		},
	},
	'12-vip-at-the-door.json': {
		does: 'notifies the host about speakers only',
		async play(run) {
			const { lab, manager, triggerRun, triggerRuns } = run;
			const performAtDesk = openDesk(run, 1010);
			const types = await run.serviceClient.readAll('/events/1010/registrationtypes');
			const speakerTypeId = types.find(({ Name }) => Name === 'Speaker')!
				.RegistrationTypeId as number;
			const registerAndCheckIn = async (index: number, type?: number) => {
				const { RegistrationId: registrationId } = await performAtDesk('register', {
					...createGuest(index),
					...(type !== undefined && { RegistrationTypeId: type }),
				});
				await performAtDesk('checkIn', { registrationId });
			};
			const speakerRun = await triggerRun(async () => await registerAndCheckIn(0, speakerTypeId));
			expect(speakerRun.ran('Tell the host')).toBe(true);
			const approvalRequest = await manager.waitForApproval();
			expect(approvalRequest).toMatchObject({
				message: 'Guest0 Okafor is at the door. Will you welcome them?',
				details: { Event: 'European Identity Week', 'Comes as': 'Speaker' },
			});
			await manager.decide('approved', approvalRequest);
			const threeRuns = await triggerRuns(3, async () => {
				await registerAndCheckIn(1, speakerTypeId);
				await registerAndCheckIn(2);
				await registerAndCheckIn(3, speakerTypeId);
			});
			expect(threeRuns.filter((endedRun) => endedRun.ran('Tell the host'))).toHaveLength(2);
			expect(threeRuns.filter((endedRun) => endedRun.ran('Comes in'))).toHaveLength(1);
			const rows = await readRows(lab.rest, speakerRun, 'Make the table');
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
			const { lab, triggerRun, triggerRuns } = run;
			const performAtDesk = openDesk(run, 1016);
			const groups = await run.serviceClient.readAll('/events/1016/registrationoptiongroups');
			const groupId = groups[0]!.RegistrationOptionGroupId as number;
			const options = await run.serviceClient.readAll(
				`/events/1016/registrationoptiongroups/${groupId}`,
			);
			const paidOption = options.find(({ Price }) => (Price as number) > 0)!;
			const { RegistrationId: registrationId } = await performAtDesk('register', createGuest(0));
			const orderRun = await triggerRun(async () => {
				await performAtDesk('order', {
					registrationId,
					RegistrationOptions: [
						{
							RegistrationOptionId: paidOption.RegistrationOptionId,
							RegistrationOptionGroupId: groupId,
							Quantity: 1,
						},
					],
				});
			});
			const [payment] = orderRun.json('When money moves');
			expect(payment).toMatchObject({
				change: 'recorded',
				EventName: 'Applied Research Symposium',
			});
			const orderId = payment!.OrderId as number;
			await triggerRuns(3, async () => {
				for (const amount of [1, 2, 3]) await performAtDesk('refund', { orderId, amount });
			});
			const rows = await readRows(lab.rest, orderRun, 'Make the table');
			const amounts = rows.filter((row) => row.orderId === orderId).map(({ amount }) => amount);
			expect(amounts).toEqual(expect.arrayContaining([-1, -2, -3]));
			expect(amounts).toHaveLength(4);
			expect(new Set(rows.map(({ transactionId }) => transactionId)).size).toBe(rows.length);
		},
	},
};
