import type { Scenario } from './exampleRun';
import { fileOf, readCsv, rowsOf } from './readBack';
import type { Ended } from './runs';

/** Scenarios of the examples about events and contacts, by file. */
export const events: Record<string, Scenario> = {
	'06-nightly-sync.json': {
		does: 'copies all, then what changed',
		async play({ lab, ask, run }) {
			const { rest } = lab;
			const list = '/events/1015/registrations';
			const expected = async () =>
				(await ask.all(list)).map((it) => ({
					registrationId: it.RegistrationId,
					firstName: it.FirstName,
					lastName: it.LastName,
					email: it.Email,
					status: it.RegistrationStatus,
					lastUpdated: it.LastUpdated,
				}));
			const copied = async (ended: Ended) =>
				(await rowsOf(rest, ended, 'Make the table')).map(
					({ registrationId, firstName, lastName, email, status, lastUpdated }) => ({
						registrationId,
						firstName,
						lastName,
						email,
						status,
						lastUpdated,
					}),
				);
			const byId = (a: object, b: object) =>
				(a as { registrationId: number }).registrationId -
				(b as { registrationId: number }).registrationId;

			const before = await expected();
			const first = await run();
			expect((await copied(first)).sort(byId)).toEqual(before.sort(byId));

			const changed = before[7]!.registrationId;
			await ask.change(`${list}/${changed as number}`, { LastName: 'Changed-Meanwhile' });
			const newest = Math.max(...before.map((row) => Date.parse(row.lastUpdated as string)));
			const after = await expected();
			const due = after.filter((row) => Date.parse(row.lastUpdated as string) > newest - 60_000);
			const second = await run(undefined, 'Every night');
			const fetched = second.json('What changed since').map(({ RegistrationId }) => RegistrationId);
			expect(fetched.sort()).toEqual(due.map(({ registrationId }) => registrationId).sort());
			expect(fetched).toContain(changed);
			expect(fetched.length).toBeLessThan(before.length / 2);
			expect((await copied(second)).sort(byId)).toEqual(after.sort(byId));
		},
	},
	'07-register-a-person.json': {
		does: 'registers once',
		async play({ lab, ask, user, run }) {
			const { email } = lab.sandbox.demo.user;
			const found = async () => await ask.withEmail('/events/1012/registrations', email);
			expect(await found()).toEqual([]);
			const first = await run();
			const [person = {}] = first.json('The person');
			const [registration = {}] = await found();
			expect(registration).toMatchObject({
				FirstName: person.firstName,
				LastName: person.lastName,
				MobilePhone: person.phone,
				RegistrationTypeId: 2111,
			});
			expect(registration.CustomFields).toEqual(
				expect.arrayContaining([
					{ Name: 'Company', Value: person.company },
					{ Name: 'Country', Value: person.country },
					{ Name: 'Diet', Value: person.diet },
				]),
			);
			const { ConfirmationCode: confirmationCode } = registration;
			expect(first.json('Newly registered')).toEqual([
				expect.objectContaining({ confirmationCode }),
			]);
			const mails = user.mails(email).length;
			expect(mails).toBe(1);

			const second = await run();
			expect(second.json('Already registered')).toEqual([
				expect.objectContaining({ confirmationCode }),
			]);
			expect(await found()).toEqual([registration]);
			expect(user.mails(email)).toHaveLength(mails);
		},
	},
	'08-attendance-report.json': {
		does: 'writes all attendees who checked in to a file',
		async play({ lab, ask, run }) {
			const came = await ask.all('/events/1001/attendance');
			const inBerlin = (time: unknown) =>
				typeof time === 'string'
					? new Date(time)
							.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
							.slice(0, 'yyyy-mm-dd hh:mm'.length)
					: '';
			const expected = came.map((guest) => ({
				Name: `${guest.FirstName as string} ${guest.LastName as string}`,
				Email: guest.Email,
				Type: guest.RegistrationType,
				Arrived: inBerlin(guest.CheckInDateTime),
				Left: inBerlin(guest.CheckOutDateTime),
			}));
			const { fileName, text } = await fileOf(lab.rest, await run(), 'Make a CSV file');
			expect(fileName).toBe('attendance.csv');
			const rows = readCsv(text.replace(/^\uFEFF/, ''));
			expect(rows).toHaveLength(came.length);
			expect(rows.map(({ Arrived }) => Arrived)).toEqual(rows.map(({ Arrived }) => Arrived).sort());
			const byEmail = (a: { Email?: unknown }, b: { Email?: unknown }) =>
				`${a.Email as string}`.localeCompare(`${b.Email as string}`);
			expect(
				rows
					.map(({ Name, Email, Type, Arrived, Left }) => ({ Name, Email, Type, Arrived, Left }))
					.sort(byEmail),
			).toEqual(expected.sort(byEmail));
			for (const { Arrived, Left, Hours } of rows.filter((row) => row.Left)) {
				const hours = (Date.parse(`${Left}Z`) - Date.parse(`${Arrived}Z`)) / 3_600_000;
				expect(Math.abs(Number(Hours) - hours)).toBeLessThan(0.1);
			}
		},
	},
	'09-welcome-new-contacts.json': {
		does: 'welcomes only who is new',
		async play({ ask, run }) {
			const list = '/contactlists/7023';
			const { ContactCount: before } = await ask.get(list);
			const first = await run();
			const cards = first.json('One item each');
			const good = cards.filter(({ Email }) => `${Email as string}`.includes('@'));
			expect(good).toHaveLength(cards.length - 1);
			expect((await ask.get(list)).ContactCount).toBe((before as number) + good.length);
			for (const { Email, FirstName, Organization, Industry } of good) {
				const [contact, ...others] = await ask.withEmail(`${list}/contacts`, Email as string);
				expect(others).toEqual([]);
				expect(contact).toMatchObject({ FirstName, Organization });
				expect(contact!.CustomFields).toContainEqual({ Name: 'Industry', Value: Industry });
			}
			expect(first.json('Send it').map(({ to }) => to)).toEqual(good.map(({ Email }) => Email));
			const rejected = cards.find((card) => !good.includes(card))!;
			expect(first.json('To be corrected')).toEqual([
				{ email: rejected.Email, problem: expect.stringContaining('not a valid email address') },
			]);

			const second = await run();
			expect(second.ran('Send it')).toBe(false);
			expect((await ask.get(list)).ContactCount).toBe((before as number) + good.length);
		},
	},
	'10-verify-phone-before-registering.json': {
		does: 'registers with the code only',
		async play({ lab, ask, user, startedBy, fillIn }) {
			const { email, phone: number } = lab.sandbox.demo.user;
			const found = async () => await ask.withEmail('/events/1013/registrations', email);
			const wrong = await startedBy(async () => {
				const notTheCode = () => (user.texts().at(-1)!.code === '123456' ? '654321' : '123456');
				await fillIn('gatehouse-registration', notTheCode, 'That code was not right');
			});
			expect(wrong.ran('Register')).toBe(false);
			expect(await found()).toEqual([]);

			let message = '';
			await startedBy(async () => {
				const code = () => user.texts().at(-1)!.code;
				message = await fillIn('gatehouse-registration', code, 'You are registered');
			});
			const [registration, ...others] = await found();
			expect(others).toEqual([]);
			expect(message).toContain(
				`Your confirmation code is ${registration!.ConfirmationCode as string}.`,
			);
			expect(`${registration!.MobilePhone as string}`.replaceAll(/[^+\d]/g, '')).toBe(number);
		},
	},
};
