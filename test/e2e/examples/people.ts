import type { Scenario } from './exampleRun';
import { readRows } from './readBack';
import type { EndedExecution } from './runs';

/** Scenarios of the examples about people and their phones, by file. */
export const people: Record<string, Scenario> = {
	'01-sign-in-by-phone.json': {
		does: 'lets in only people who approve',
		async play({ lab, user, run }) {
			const { demo, settings } = lab.sandbox;
			const { email, fingerprint } = demo.user;
			const approvedRun = await run(async (execution) => {
				const job = await user.waitForJob();
				expect(job.scope).toBe('email~r profile');
				await execution.waitForStatus('waiting');
				await user.answer('approve', job);
			});
			expect(approvedRun.json('Let them in')).toEqual([
				{ message: `Welcome, ${email}`, email, fingerprint },
			]);
			expect(approvedRun.ran('Turn them away')).toBe(false);

			const deniedRun = await run(async () => await user.answer('deny', await user.waitForJob()));
			expect(deniedRun.json('Turn them away')).toEqual([
				{ message: 'Not signed in', reason: 'cancelled' },
			]);
			expect(deniedRun.ran('Let them in')).toBe(false);

			// An answer without a signature.
			settings.passwordlessIdentity.scopeCompleted = 'claims';
			try {
				const unsignedRun = await run(
					async () => await user.answer('approve', await user.waitForJob()),
				);
				expect(unsignedRun.json('Turn them away')).toEqual([
					{ message: 'Not signed in', reason: 'unverified' },
				]);
				expect(unsignedRun.ran('Let them in')).toBe(false);
			} finally {
				settings.passwordlessIdentity.scopeCompleted = 'jwt';
			}
		},
	},
	'02-two-factor-login.json': {
		does: 'lets a person in only with the right code',
		async play({ lab, serviceClient, user, triggerRun, fillIn }) {
			const { email } = lab.sandbox.demo.user;
			const textCount = user.readTexts().length;
			const rightCodeRun = await triggerRun(async () => {
				const message = await fillIn(
					'gatehouse-login',
					() => user.readTexts().at(-1)!.code,
					'You are in',
				);
				expect(message).toContain(`Welcome, ${email}.`);
			});
			expect(user.readTexts()).toHaveLength(textCount + 1);
			expect(rightCodeRun.json('Verify the code')).toEqual([
				expect.objectContaining({ valid: true }),
			]);
			const { twofactor_id: id } = rightCodeRun.json('Enroll the user')[0]!;
			expect(await serviceClient.readUserStatus(id)).toMatchObject({ confirmed: true });

			const wrongCodeRun = await triggerRun(async () => {
				const pickWrongCode = () =>
					user.readTexts().at(-1)!.code === '1234567' ? '7654321' : '1234567';
				await fillIn('gatehouse-login', pickWrongCode, 'That code was not right');
			});
			expect(wrongCodeRun.json('Verify the code')).toEqual([
				expect.objectContaining({ twofactor_id: id, valid: false, reason: 'wrong' }),
			]);
			expect(wrongCodeRun.ran('Welcome')).toBe(false);
		},
	},
	'03-approval-before-refund.json': {
		does: 'makes a refund once, and only after an approval',
		async play({ serviceClient, manager, run }) {
			const registration = '/events/1001/registrations/5000001';
			const optionsBefore = await serviceClient.readAll(`${registration}/options`);
			const { FirstName, LastName, Email } = await serviceClient.get(registration);
			const workshop = optionsBefore.find(
				(item) => item.RegistrationOptionGroupName === 'Workshops',
			)!;
			const readRefunds = async () =>
				(await serviceClient.readTransactions(1001)).filter(
					({ Memo }) => Memo === `Replaces order ${workshop.OrderId}`,
				);
			const question = `Refund ${workshop.Total} to ${FirstName} ${LastName}?`;

			const deniedRun = await run(async (execution) => {
				const approval = await manager.waitForApproval();
				expect(approval.message).toBe(question);
				await execution.waitForStatus('waiting');
				await manager.decide('denied', approval);
			});
			expect(deniedRun.json('Not refunded')[0]!.message).toMatch(/denied$/);
			expect(await serviceClient.readAll(`${registration}/options`)).toEqual(optionsBefore);

			const approvedRun = await run(
				async () => await manager.decide('approved', await manager.waitForApproval()),
			);
			expect(approvedRun.json('Refunded')[0]!.message).toBe(
				`Refunded ${workshop.Total} to ${Email}`,
			);
			expect(await readRefunds()).toEqual([
				expect.objectContaining({
					TransactionType: 'Refund',
					TransactionAmount: -(workshop.Total as number),
				}),
			]);
			const names = (await serviceClient.readAll(`${registration}/options`)).map(
				(option) => option.RegistrationOptionName,
			);
			expect(names).toEqual(['Full pass']);

			const secondRun = await run();
			expect(secondRun.ran('Ask the manager')).toBe(false);
			expect(await readRefunds()).toHaveLength(1);
		},
	},
	'04-decisions-to-table.json': {
		does: 'writes each decision once',
		async play({ lab, manager, run, triggerRun }) {
			const { rest } = lab;
			const writtenRows: unknown[] = [];
			let lastRun: EndedExecution | undefined;
			for (const outcome of ['approved', 'denied'] as const) {
				const askingRun = await run();
				const [{ id, handedOver } = {}] = askingRun.json('Ask for approval');
				expect(handedOver).toBe(true);
				const approval = await manager.waitForApproval();
				expect(approval.uuid).toBe(id);
				lastRun = await triggerRun(async () => await manager.decide(outcome, approval));
				expect(lastRun.mode).toBe('trigger');
				writtenRows.push({
					purchase: approval.details.Purchase,
					outcome,
					question: approval.message,
					approvalId: id,
				});
			}
			const rows = await readRows(rest, lastRun!, 'Make the table');
			expect(rows).toEqual(writtenRows.map((row) => expect.objectContaining(row)));
		},
	},
	'05-newsletter-by-phone.json': {
		does: 'saves a contact only after a verified approval',
		async play({ lab, serviceClient, user, run, triggerRun }) {
			const { email, name } = lab.sandbox.demo.user;
			const findContacts = async () =>
				await serviceClient.findByEmail('/contactlists/7001/contacts', email);
			const askOnPhone = async () => {
				const [{ id, handedOver } = {}] = (await run()).json('Ask on the phone');
				expect(handedOver).toBe(true);
				expect((await user.waitForJob()).job).toBe(id);
			};
			await askOnPhone();
			const deniedRun = await triggerRun(
				async () => await user.answer('deny', await user.waitForJob()),
			);
			expect(deniedRun.json('Nothing saved')[0]!.message).toMatch(/cancelled$/);
			expect(await findContacts()).toEqual([]);

			await askOnPhone();
			const approvedRun = await triggerRun(
				async () => await user.answer('approve', await user.waitForJob()),
			);
			expect(approvedRun.mode).toBe('trigger');
			const [FirstName, LastName] = name.split(' ');
			expect(await findContacts()).toEqual([
				expect.objectContaining({
					FirstName,
					LastName,
					CustomFields: [{ Name: 'LeadSource', Value: 'Website' }],
				}),
			]);
		},
	},
};
