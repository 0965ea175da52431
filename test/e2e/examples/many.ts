import type { IDataObject } from 'n8n-workflow';

import type { ExampleRun } from './exampleRun';
import { fileOf, readCsv, rowsOf } from './readBack';

/** Runs an example with three people at once: none is dropped, none is mistaken for another. */
export type ThreeItemScenario = (run: ExampleRun) => Promise<void>;

const THREE = [0, 1, 2];
const emails = THREE.map((place) => `three.${place}@example.com`);
const phones = THREE.map((place) => `+1 202 555 017${place + 1}`);
const plain = (phone: string) => phone.replaceAll(' ', '');

/** Three people with keys and addresses of their own. */
const peopleOf = ({ lab }: ExampleRun, name: string) =>
	THREE.map((place) => {
		const email = `${name}.${place}@example.com`;
		const user = { name: `${name} Person${place}`, email };
		const { fingerprint } = lab.sandbox.control('passwordlessIdentity', 'addUser', user) as {
			fingerprint: string;
		};
		return { fingerprint, email };
	});

/** Answers the open jobs of three people: yes, no, yes. */
const answerAll = async ({ lab, user }: ExampleRun, people: Array<{ fingerprint: string }>) => {
	for (const [place, { fingerprint }] of people.entries()) {
		const job = await user.job(fingerprint);
		await user.answer(place === 1 ? 'deny' : 'approve', job);
	}
	expect(lab.sandbox.internalErrors).toEqual([]);
};

/** Three visitors who fill in a form at the same time, with phones of their own. */
const visitors = async (run: ExampleRun, form: string, heading: string) => {
	const codeOf = (phone: string) => {
		const messages = run.lab.sandbox.control('twoFactor', 'messages', { phone: plain(phone) });
		return (messages as Array<{ code: string }>).at(-1)!.code;
	};
	return await run.allStartedBy(3, async () => {
		const pages = await Promise.all(
			THREE.map(async (place) => {
				const [phone, email] = [phones[place]!, emails[place]!];
				const answers = { 'Mobile phone': phone, Email: email };
				return await run.fillIn(form, () => codeOf(phone), heading, answers);
			}),
		);
		expect(new Set(pages).size).toBe(3);
	});
};

/** By file. */
export const threeItemBasics: Record<string, ThreeItemScenario> = {
	async '01-sign-in-by-phone.json'(run) {
		const people = peopleOf(run, 'signer');
		const input = people.map(({ fingerprint }) => ({ fingerprint }));
		const ended = await run.runWith(
			'Who signs in',
			input,
			async () => await answerAll(run, people),
		);
		expect(ended.json('Let them in').map(({ email }) => email)).toEqual([
			people[0]!.email,
			people[2]!.email,
		]);
		expect(ended.json('Turn them away')).toEqual([
			{ message: 'Not signed in', reason: 'cancelled' },
		]);
	},
	async '02-two-factor-login.json'(run) {
		const runs = await visitors(run, 'gatehouse-login', 'You are in');
		const ids = runs.map((one) => one.json('Verify the code')[0]);
		expect(new Set(ids.map((id) => id!.twofactor_id)).size).toBe(3);
	},
	async '03-approval-before-refund.json'(run) {
		const { ask, manager } = run;
		const due: IDataObject[] = [];
		for (const { RegistrationId } of await ask.all('/events/1001/registrations')) {
			const options = await ask.all(
				`/events/1001/registrations/${RegistrationId as number}/options`,
			);
			const [workshop, ...otherWorkshops] = options.filter(
				({ RegistrationOptionGroupName: group, Total }) =>
					group === 'Workshops' && (Total as number) > 0,
			);
			if (!workshop || otherWorkshops.length > 0) continue;
			const pass = options.find(({ RegistrationOptionGroupName: name }) => name === 'Admission')!;
			due.push({
				registrationId: RegistrationId as number,
				canceled: workshop.RegistrationOptionName as string,
				keeps: pass.RegistrationOptionId as number,
				total: workshop.Total as number,
			});
			if (due.length === 3) break;
		}
		const { email: managerEmail, phone: managerPhone } = run.lab.sandbox.demo.manager;
		const input = due.map((one) => ({ ...one, managerEmail, managerPhone }));
		const ended = await run.runWith('Refund to make', input, async () => {
			const approvals = await manager.approvals(3);
			expect(approvals.map(({ details }) => Number(details.Registration))).toEqual(
				due.map(({ registrationId }) => registrationId),
			);
			expect(approvals.map(({ details }) => Number(details.Amount))).toEqual(
				due.map(({ total }) => total),
			);
			await manager.decide('approved', approvals[0]!);
			await manager.decide('denied', approvals[1]!);
			await manager.decide('approved', approvals[2]!);
		});
		expect(ended.json('Refunded')).toHaveLength(2);
		expect(ended.json('Not refunded')).toHaveLength(1);
		const remainingOptions = await Promise.all(
			due.map(
				async ({ registrationId }) =>
					await ask.all(`/events/1001/registrations/${registrationId as number}/options`),
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
		const input = THREE.map((place) => ({
			purchase: `PO-3-${place}`,
			question: `Buy lot ${place}?`,
			supplier: 'Northlight',
			approverEmail,
			approverPhone,
		}));
		const runs = await run.allStartedBy(3, async () => {
			await run.runWith('What to buy', input);
			for (const approval of await manager.approvals(3)) await manager.decide('approved', approval);
		});
		const rows = await rowsOf(run.lab.rest, runs[0]!, 'Make the table');
		const newRows = rows.filter(({ purchase }) => `${purchase as string}`.startsWith('PO-3-'));
		expect(newRows.map(({ purchase, question }) => [purchase, question]).sort()).toEqual(
			input.map(({ purchase, question }) => [purchase, question]),
		);
	},
	async '05-newsletter-by-phone.json'(run) {
		const people = peopleOf(run, 'reader');
		const input = people.map(({ fingerprint }) => ({ fingerprint }));
		await run.allStartedBy(3, async () => {
			await run.runWith('Who is asked', input);
			await answerAll(run, people);
		});
		const saved = await Promise.all(
			people.map(
				async ({ email }) => (await run.ask.withEmail('/contactlists/7001/contacts', email)).length,
			),
		);
		expect(saved).toEqual([1, 0, 1]);
	},
	async '06-nightly-sync.json'(run) {
		const ended = await run.runWith('Start here', [{}, {}, {}]);
		const ids = ended.json('What changed since').map(({ RegistrationId }) => RegistrationId);
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
		const more = { company: 'Halcyra Group', country: 'United States' };
		const people = input.map((person) => ({ ...person, ...more }));
		const ended = await run.runWith('The person', people);
		expect(ended.json('Newly registered').map(({ message }) => message)).toEqual([
			'Ada Three is registered',
			'Bo Three is registered',
		]);
		expect(ended.json('Already registered')).toHaveLength(1);
		for (const person of people) {
			const registrations = await run.ask.withEmail('/events/1012/registrations', person.email);
			expect(registrations.map(({ FirstName }) => FirstName)).toEqual([person.firstName]);
		}
	},
	async '08-attendance-report.json'(run) {
		const events = ['1001', '1002', '1003'];
		const input = events.map((eventId) => ({ eventId, event: `Event ${eventId}` }));
		const ended = await run.runWith('Events to report', input);
		const { text } = await fileOf(run.lab.rest, ended, 'Make a CSV file');
		const rows = readCsv(text.replace(/^\uFEFF/, ''));
		for (const { eventId, event } of input) {
			const visits = await run.ask.all(`/events/${eventId}/attendance`);
			const reported = rows.filter((row) => row.Event === event).map((row) => row.Email);
			expect(reported.sort()).toEqual(visits.map(({ Email }) => Email as string).sort());
		}
	},
	async '09-welcome-new-contacts.json'(run) {
		const input = emails.map((Email, place) => ({
			FirstName: `Card${place}`,
			LastName: 'Three',
			Email: place === 1 ? 'not an address' : Email,
		}));
		const ended = await run.runWith('One item each', input);
		expect(ended.json('Send it').map(({ to }) => to)).toEqual([emails[0], emails[2]]);
		expect(ended.json('To be corrected').map(({ email }) => email)).toEqual(['not an address']);
	},
	async '10-verify-phone-before-registering.json'(run) {
		await visitors(run, 'gatehouse-registration', 'You are registered');
		for (const [place, email] of emails.entries()) {
			const [found, ...others] = await run.ask.withEmail('/events/1013/registrations', email);
			expect(others).toEqual([]);
			expect(`${found!.MobilePhone as string}`.replaceAll(/[^+\d]/g, '')).toBe(
				plain(phones[place]!),
			);
		}
	},
	async '11-greet-who-registers.json'(run) {
		const start = 'When someone registers';
		const input = THREE.map((place) => ({
			RegistrationId: 9_000_001 + place,
			FirstName: `Greeted${place}`,
			LastName: 'Three',
			Email: emails[place]!,
			MobilePhone: place === 1 ? '' : phones[place]!,
			EventName: 'Lagos Cloud Conference',
		}));
		const ended = await run.runWith(start, input, undefined, start);
		const rows = await rowsOf(run.lab.rest, ended, 'Make the table');
		const newRows = rows.filter(({ registrationId: id }) => (id as number) > 9_000_000);
		expect(newRows.map(({ name, phone }) => [name, phone])).toEqual(
			[input[0]!, input[2]!].map((one) => [`${one.FirstName} Three`, one.MobilePhone]),
		);
		expect(ended.json('No phone number')).toHaveLength(1);
	},
	async '12-vip-at-the-door.json'(run) {
		const start = 'When someone checks in';
		const input = THREE.map((place) => ({
			CheckInLogId: 99_000_001 + place,
			FirstName: `Vip${place}`,
			LastName: 'Three',
			RegistrationType: place === 1 ? 'Attendee' : 'Speaker',
			EventName: 'European Identity Week',
			CheckInDateTime: '2026-01-01T09:00:00Z',
		}));
		const ended = await run.runWith(start, input, undefined, start);
		const approvals = await run.manager.approvals(2);
		expect(approvals.map(({ message }) => message.split(' ')[0])).toEqual(['Vip0', 'Vip2']);
		const rows = await rowsOf(run.lab.rest, ended, 'Make the table');
		const newRows = rows.filter(({ checkInId: id }) => (id as number) > 99_000_000);
		expect(newRows.map(({ name, askedHost }) => [name, askedHost])).toEqual(
			approvals.map(({ message, uuid }) => [message.split(' is at')[0], uuid]),
		);
	},
	async '13-payments-to-table.json'(run) {
		const start = 'When money moves';
		const input = THREE.map((place) => ({
			TransactionId: 9_000_001 + place,
			EventName: 'Open Data Forum',
			OrderId: 80_000 + place,
			TransactionAmount: 10 * place,
			Currency: 'EUR',
			TransactionType: 'Payment',
			TransactionDate: '2026-01-01T09:00:00Z',
		}));
		const ended = await run.runWith(start, input, undefined, start);
		const rows = await rowsOf(run.lab.rest, ended, 'Make the table');
		const newRows = rows.filter(({ transactionId: id }) => (id as number) > 9_000_000);
		expect(newRows.map(({ orderId, amount }) => [orderId, amount])).toEqual(
			input.map(({ OrderId, TransactionAmount }) => [OrderId, TransactionAmount]),
		);
	},
	async '15-sign-off-a-payment.json'(run) {
		const { manager } = run;
		const input = THREE.map((place) => ({
			payments: [{ invoice: `INV-3-${place}`, payee: `Payee ${place}`, amount: place }],
		}));
		const ended = await run.runWith('Payments due', input, async () => {
			const approvals = await manager.approvals(3);
			expect(approvals.map(({ details }) => details.Invoice)).toEqual(
				THREE.map((place) => `INV-3-${place}`),
			);
			await manager.decide('denied', approvals[0]!);
			await manager.decide('approved', approvals[1]!);
			await manager.decide('approved', approvals[2]!);
		});
		const rows = await rowsOf(run.lab.rest, ended, 'Make the table');
		const newRows = rows.filter(({ invoice }) => `${invoice as string}`.startsWith('INV-3-'));
		expect(newRows.map(({ invoice }) => invoice)).toEqual(['INV-3-1', 'INV-3-2']);
		expect(ended.json('Not paid')).toEqual([{ message: 'Not paid: INV-3-0 was denied' }]);
	},
};
