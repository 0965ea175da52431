import type { IDataObject } from 'n8n-workflow';

import type { ExampleRun } from './exampleRun';
import { downloadFile, readCsv, readRows } from './readBack';

/** Runs an example with three items at once: no item is dropped or confused with another. */
export type ThreeItemScenario = (run: ExampleRun) => Promise<void>;

const INDEXES = [0, 1, 2];
const emails = INDEXES.map((index) => `three.${index}@example.com`);
const phones = INDEXES.map((index) => `+1 202 555 017${index + 1}`);
const toE164 = (phone: string) => phone.replaceAll(' ', '');

/** Adds three people, each with a key and an email address. */
const addPeople = ({ lab }: ExampleRun, name: string) =>
	INDEXES.map((index) => {
		const email = `${name}.${index}@example.com`;
		const user = { name: `${name} Person${index}`, email };
		const { fingerprint } = lab.sandbox.control('passwordlessIdentity', 'addUser', user) as {
			fingerprint: string;
		};
		return { fingerprint, email };
	});

/** Answers the open jobs of three people: approves, denies, approves. */
const answerJobs = async ({ lab, user }: ExampleRun, people: Array<{ fingerprint: string }>) => {
	for (const [index, { fingerprint }] of people.entries()) {
		const job = await user.waitForJob(fingerprint);
		await user.answer(index === 1 ? 'deny' : 'approve', job);
	}
	expect(lab.sandbox.internalErrors).toEqual([]);
};

/** Has three visitors, each with a phone, fill in a form at the same time. */
const fillInThreeForms = async (run: ExampleRun, form: string, heading: string) => {
	const readCode = (phone: string) => {
		const messages = run.lab.sandbox.control('twoFactor', 'messages', { phone: toE164(phone) });
		return (messages as Array<{ code: string }>).at(-1)!.code;
	};
	return await run.triggerRuns(3, async () => {
		const pages = await Promise.all(
			INDEXES.map(async (index) => {
				const [phone, email] = [phones[index]!, emails[index]!];
				const answers = { 'Mobile phone': phone, Email: email };
				return await run.fillIn(form, () => readCode(phone), heading, answers);
			}),
		);
		expect(new Set(pages).size).toBe(3);
	});
};

/** Scenarios of the first examples with three items, by file. */
export const threeItemBasics: Record<string, ThreeItemScenario> = {
	async '01-sign-in-by-phone.json'(run) {
		const people = addPeople(run, 'signer');
		const input = people.map(({ fingerprint }) => ({ fingerprint }));
		const endedRun = await run.runWith(
			'Who signs in',
			input,
			async () => await answerJobs(run, people),
		);
		expect(endedRun.json('Let them in').map(({ email }) => email)).toEqual([
			people[0]!.email,
			people[2]!.email,
		]);
		expect(endedRun.json('Turn them away')).toEqual([
			{ message: 'Not signed in', reason: 'cancelled' },
		]);
	},
	async '02-two-factor-login.json'(run) {
		const runs = await fillInThreeForms(run, 'gatehouse-login', 'You are in');
		const verifications = runs.map((endedRun) => endedRun.json('Verify the code')[0]);
		expect(new Set(verifications.map((verification) => verification!.twofactor_id)).size).toBe(3);
	},
	async '03-approval-before-refund.json'(run) {
		const { serviceClient, manager } = run;
		const refunds: IDataObject[] = [];
		for (const { RegistrationId } of await serviceClient.readAll('/events/1001/registrations')) {
			const options = await serviceClient.readAll(
				`/events/1001/registrations/${RegistrationId as number}/options`,
			);
			const [workshop, ...otherWorkshops] = options.filter(
				({ RegistrationOptionGroupName: group, Total }) =>
					group === 'Workshops' && (Total as number) > 0,
			);
			if (!workshop || otherWorkshops.length > 0) continue;
			const pass = options.find(({ RegistrationOptionGroupName: name }) => name === 'Admission')!;
			refunds.push({
				registrationId: RegistrationId as number,
				canceled: workshop.RegistrationOptionName as string,
				keeps: pass.RegistrationOptionId as number,
				total: workshop.Total as number,
			});
			if (refunds.length === 3) break;
		}
		const { email: managerEmail, phone: managerPhone } = run.lab.sandbox.demo.manager;
		const input = refunds.map((refund) => ({ ...refund, managerEmail, managerPhone }));
		const endedRun = await run.runWith('Refund to make', input, async () => {
			const approvals = await manager.waitForApprovals(3);
			expect(approvals.map(({ details }) => Number(details.Registration))).toEqual(
				refunds.map(({ registrationId }) => registrationId),
			);
			expect(approvals.map(({ details }) => Number(details.Amount))).toEqual(
				refunds.map(({ total }) => total),
			);
			await manager.decide('approved', approvals[0]!);
			await manager.decide('denied', approvals[1]!);
			await manager.decide('approved', approvals[2]!);
		});
		expect(endedRun.json('Refunded')).toHaveLength(2);
		expect(endedRun.json('Not refunded')).toHaveLength(1);
		const remainingOptions = await Promise.all(
			refunds.map(
				async ({ registrationId }) =>
					await serviceClient.readAll(
						`/events/1001/registrations/${registrationId as number}/options`,
					),
			),
		);
		const hasWorkshop = remainingOptions.map((options) =>
			options.some(({ RegistrationOptionGroupName: name }) => name === 'Workshops'),
		);
		expect(hasWorkshop).toEqual([false, true, false]);
	},
	async '04-decisions-to-table.json'(run) {
		const { manager } = run;
		const { email: approverEmail, phone: approverPhone } = run.lab.sandbox.demo.manager;
		const input = INDEXES.map((index) => ({
			purchase: `PO-3-${index}`,
			question: `Buy lot ${index}?`,
			supplier: 'Northlight',
			approverEmail,
			approverPhone,
		}));
		const runs = await run.triggerRuns(3, async () => {
			await run.runWith('What to buy', input);
			for (const approval of await manager.waitForApprovals(3))
				await manager.decide('approved', approval);
		});
		const rows = await readRows(run.lab.rest, runs[0]!, 'Make the table');
		const newRows = rows.filter(({ purchase }) => `${purchase as string}`.startsWith('PO-3-'));
		expect(newRows.map(({ purchase, question }) => [purchase, question]).sort()).toEqual(
			input.map(({ purchase, question }) => [purchase, question]),
		);
	},
	async '05-newsletter-by-phone.json'(run) {
		const people = addPeople(run, 'reader');
		const input = people.map(({ fingerprint }) => ({ fingerprint }));
		await run.triggerRuns(3, async () => {
			await run.runWith('Who is asked', input);
			await answerJobs(run, people);
		});
		const contactCounts = await Promise.all(
			people.map(
				async ({ email }) =>
					(await run.serviceClient.findByEmail('/contactlists/7001/contacts', email)).length,
			),
		);
		expect(contactCounts).toEqual([1, 0, 1]);
	},
	async '06-nightly-sync.json'(run) {
		const endedRun = await run.runWith('Start here', [{}, {}, {}]);
		const ids = endedRun.json('What changed since').map(({ RegistrationId }) => RegistrationId);
		expect(ids.length).toBeGreaterThan(0);
		expect(new Set(ids).size).toBe(ids.length);
	},
	async '07-register-a-person.json'(run) {
		const { name, email } = run.lab.sandbox.demo.user;
		const [firstName, lastName] = name.split(' ');
		const input = [
			{ firstName: 'Ada', lastName: 'Three', email: emails[0]! },
			{ firstName: firstName!, lastName: lastName!, email },
			{ firstName: 'Bo', lastName: 'Three', email: emails[2]! },
		];
		const companyFields = { company: 'Halcyra Group', country: 'United States' };
		const people = input.map((person) => ({ ...person, ...companyFields }));
		const endedRun = await run.runWith('The person', people);
		expect(endedRun.json('Newly registered').map(({ message }) => message)).toEqual([
			'Ada Three is registered',
			'Bo Three is registered',
		]);
		expect(endedRun.json('Already registered')).toHaveLength(1);
		for (const person of people) {
			const registrations = await run.serviceClient.findByEmail(
				'/events/1012/registrations',
				person.email,
			);
			expect(registrations.map(({ FirstName }) => FirstName)).toEqual([person.firstName]);
		}
	},
	async '08-attendance-report.json'(run) {
		const events = ['1001', '1002', '1003'];
		const input = events.map((eventId) => ({ eventId, event: `Event ${eventId}` }));
		const endedRun = await run.runWith('Events to report', input);
		const { text } = await downloadFile(run.lab.rest, endedRun, 'Make a CSV file');
		const rows = readCsv(text.replace(/^\uFEFF/, ''));
		for (const { eventId, event } of input) {
			const visits = await run.serviceClient.readAll(`/events/${eventId}/attendance`);
			const reportedEmails = rows.filter((row) => row.Event === event).map((row) => row.Email);
			expect(reportedEmails.sort()).toEqual(visits.map(({ Email }) => Email as string).sort());
		}
	},
	async '09-welcome-new-contacts.json'(run) {
		const input = emails.map((Email, index) => ({
			FirstName: `Card${index}`,
			LastName: 'Three',
			Email: index === 1 ? 'not an address' : Email,
		}));
		const endedRun = await run.runWith('One item each', input);
		expect(endedRun.json('Send it').map(({ to }) => to)).toEqual([emails[0], emails[2]]);
		expect(endedRun.json('To be corrected').map(({ email }) => email)).toEqual(['not an address']);
	},
	async '10-verify-phone-before-registering.json'(run) {
		await fillInThreeForms(run, 'gatehouse-registration', 'You are registered');
		for (const [index, email] of emails.entries()) {
			const [registration, ...others] = await run.serviceClient.findByEmail(
				'/events/1013/registrations',
				email,
			);
			expect(others).toEqual([]);
			expect(`${registration!.MobilePhone as string}`.replaceAll(/[^+\d]/g, '')).toBe(
				toE164(phones[index]!),
			);
		}
	},
	async '11-greet-who-registers.json'(run) {
		const start = 'When someone registers';
		const input = INDEXES.map((index) => ({
			RegistrationId: 9_000_001 + index,
			FirstName: `Greeted${index}`,
			LastName: 'Three',
			Email: emails[index]!,
			MobilePhone: index === 1 ? '' : phones[index]!,
			EventName: 'Lagos Cloud Conference',
		}));
		const endedRun = await run.runWith(start, input, undefined, start);
		const rows = await readRows(run.lab.rest, endedRun, 'Make the table');
		const newRows = rows.filter(({ registrationId: id }) => (id as number) > 9_000_000);
		expect(newRows.map(({ name, phone }) => [name, phone])).toEqual(
			[input[0]!, input[2]!].map((guest) => [`${guest.FirstName} Three`, guest.MobilePhone]),
		);
		expect(endedRun.json('No phone number')).toHaveLength(1);
	},
	async '12-vip-at-the-door.json'(run) {
		const start = 'When someone checks in';
		const input = INDEXES.map((index) => ({
			CheckInLogId: 99_000_001 + index,
			FirstName: `Vip${index}`,
			LastName: 'Three',
			RegistrationType: index === 1 ? 'Attendee' : 'Speaker',
			EventName: 'European Identity Week',
			CheckInDateTime: '2026-01-01T09:00:00Z',
		}));
		const endedRun = await run.runWith(start, input, undefined, start);
		const approvals = await run.manager.waitForApprovals(2);
		expect(approvals.map(({ message }) => message.split(' ')[0])).toEqual(['Vip0', 'Vip2']);
		const rows = await readRows(run.lab.rest, endedRun, 'Make the table');
		const newRows = rows.filter(({ checkInId: id }) => (id as number) > 99_000_000);
		expect(newRows.map(({ name, askedHost }) => [name, askedHost])).toEqual(
			approvals.map(({ message, uuid }) => [message.split(' is at')[0], uuid]),
		);
	},
	async '13-payments-to-table.json'(run) {
		const start = 'When money moves';
		const input = INDEXES.map((index) => ({
			TransactionId: 9_000_001 + index,
			EventName: 'Open Data Forum',
			OrderId: 80_000 + index,
			TransactionAmount: 10 * index,
			Currency: 'EUR',
			TransactionType: 'Payment',
			TransactionDate: '2026-01-01T09:00:00Z',
		}));
		const endedRun = await run.runWith(start, input, undefined, start);
		const rows = await readRows(run.lab.rest, endedRun, 'Make the table');
		const newRows = rows.filter(({ transactionId: id }) => (id as number) > 9_000_000);
		expect(newRows.map(({ orderId, amount }) => [orderId, amount])).toEqual(
			input.map(({ OrderId, TransactionAmount }) => [OrderId, TransactionAmount]),
		);
	},
	async '15-sign-off-a-payment.json'(run) {
		const { manager } = run;
		const input = INDEXES.map((index) => ({
			payments: [{ invoice: `INV-3-${index}`, payee: `Payee ${index}`, amount: index }],
		}));
		const endedRun = await run.runWith('Payments due', input, async () => {
			const approvals = await manager.waitForApprovals(3);
			expect(approvals.map(({ details }) => details.Invoice)).toEqual(
				INDEXES.map((index) => `INV-3-${index}`),
			);
			await manager.decide('denied', approvals[0]!);
			await manager.decide('approved', approvals[1]!);
			await manager.decide('approved', approvals[2]!);
		});
		const rows = await readRows(run.lab.rest, endedRun, 'Make the table');
		const newRows = rows.filter(({ invoice }) => `${invoice as string}`.startsWith('INV-3-'));
		expect(newRows.map(({ invoice }) => invoice)).toEqual(['INV-3-1', 'INV-3-2']);
		expect(endedRun.json('Not paid')).toEqual([{ message: 'Not paid: INV-3-0 was denied' }]);
	},
};
