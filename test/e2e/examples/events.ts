import type { Scenario } from './exampleRun';
import { downloadFile, readCsv, readRows } from './readBack';
import type { EndedExecution } from './runs';

/** Scenarios of the examples about events and contacts, by file. */
export const events: Record<string, Scenario> = {
	'06-nightly-sync.json': {
		does: 'copies all registrations, and then only the changed ones',
		async play({ lab, serviceClient, run }) {
			const { rest } = lab;
			const list = '/events/1015/registrations';
			const readExpectedRows = async () =>
				(await serviceClient.readAll(list)).map((registration) => ({
					registrationId: registration.RegistrationId,
					firstName: registration.FirstName,
					lastName: registration.LastName,
					email: registration.Email,
					status: registration.RegistrationStatus,
					lastUpdated: registration.LastUpdated,
				}));
			const readCopiedRows = async (endedRun: EndedExecution) =>
				(await readRows(rest, endedRun, 'Make the table')).map(
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

			const rowsBefore = await readExpectedRows();
			const firstRun = await run();
			expect((await readCopiedRows(firstRun)).sort(byId)).toEqual(rowsBefore.sort(byId));

			const changedId = rowsBefore[7]!.registrationId;
			await serviceClient.change(`${list}/${changedId as number}`, {
				LastName: 'Changed-Meanwhile',
			});
			const newestUpdateMs = Math.max(
				...rowsBefore.map((row) => Date.parse(row.lastUpdated as string)),
			);
			const rowsAfter = await readExpectedRows();
			const dueRows = rowsAfter.filter(
				(row) => Date.parse(row.lastUpdated as string) > newestUpdateMs - 60_000,
			);
			const secondRun = await run(undefined, 'Every night');
			const fetchedIds = secondRun
				.json('What changed since')
				.map(({ RegistrationId }) => RegistrationId);
			expect(fetchedIds.sort()).toEqual(dueRows.map(({ registrationId }) => registrationId).sort());
			expect(fetchedIds).toContain(changedId);
			expect(fetchedIds.length).toBeLessThan(rowsBefore.length / 2);
			expect((await readCopiedRows(secondRun)).sort(byId)).toEqual(rowsAfter.sort(byId));
		},
	},
	'07-register-a-person.json': {
		does: 'registers a person once',
		async play({ lab, serviceClient, user, run }) {
			const { email } = lab.sandbox.demo.user;
			const findRegistrations = async () =>
				await serviceClient.findByEmail('/events/1012/registrations', email);
			expect(await findRegistrations()).toEqual([]);
			const firstRun = await run();
			const [person = {}] = firstRun.json('The person');
			const [registration = {}] = await findRegistrations();
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
			expect(firstRun.json('Newly registered')).toEqual([
				expect.objectContaining({ confirmationCode }),
			]);
			const mailCount = user.readMails(email).length;
			expect(mailCount).toBe(1);

			const secondRun = await run();
			expect(secondRun.json('Already registered')).toEqual([
				expect.objectContaining({ confirmationCode }),
			]);
			expect(await findRegistrations()).toEqual([registration]);
			expect(user.readMails(email)).toHaveLength(mailCount);
		},
	},
	'08-attendance-report.json': {
		does: 'writes all attendees who checked in to a file',
		async play({ lab, serviceClient, run }) {
			const attendees = await serviceClient.readAll('/events/1001/attendance');
			const formatInBerlin = (time: unknown) =>
				typeof time === 'string'
					? new Date(time)
							.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
							.slice(0, 'yyyy-mm-dd hh:mm'.length)
					: '';
			const expected = attendees.map((guest) => ({
				Name: `${guest.FirstName as string} ${guest.LastName as string}`,
				Email: guest.Email,
				Type: guest.RegistrationType,
				Arrived: formatInBerlin(guest.CheckInDateTime),
				Left: formatInBerlin(guest.CheckOutDateTime),
			}));
			const { fileName, text } = await downloadFile(lab.rest, await run(), 'Make a CSV file');
			expect(fileName).toBe('attendance.csv');
			const rows = readCsv(text.replace(/^\uFEFF/, ''));
			expect(rows).toHaveLength(attendees.length);
			expect(rows.map(({ Arrived }) => Arrived)).toEqual(rows.map(({ Arrived }) => Arrived).sort());
			const byEmail = (a: { Email?: unknown }, b: { Email?: unknown }) =>
				`${a.Email as string}`.localeCompare(`${b.Email as string}`);
			expect(
				rows
					.map(({ Name, Email, Type, Arrived, Left }) => ({ Name, Email, Type, Arrived, Left }))
					.sort(byEmail),
			).toEqual(expected.sort(byEmail));
			for (const { Arrived, Left, Hours } of rows.filter((row) => row.Left)) {
				const visitHours = (Date.parse(`${Left}Z`) - Date.parse(`${Arrived}Z`)) / 3_600_000;
				expect(Math.abs(Number(Hours) - visitHours)).toBeLessThan(0.1);
			}
		},
	},
	'09-welcome-new-contacts.json': {
		does: 'sends a welcome only to new contacts',
		async play({ serviceClient, run }) {
			const list = '/contactlists/7023';
			const { ContactCount: countBefore } = await serviceClient.get(list);
			const firstRun = await run();
			const cards = firstRun.json('One item each');
			const validCards = cards.filter(({ Email }) => `${Email as string}`.includes('@'));
			expect(validCards).toHaveLength(cards.length - 1);
			expect((await serviceClient.get(list)).ContactCount).toBe(
				(countBefore as number) + validCards.length,
			);
			for (const { Email, FirstName, Organization, Industry } of validCards) {
				const [contact, ...others] = await serviceClient.findByEmail(
					`${list}/contacts`,
					Email as string,
				);
				expect(others).toEqual([]);
				expect(contact).toMatchObject({ FirstName, Organization });
				expect(contact!.CustomFields).toContainEqual({ Name: 'Industry', Value: Industry });
			}
			expect(firstRun.json('Send it').map(({ to }) => to)).toEqual(
				validCards.map(({ Email }) => Email),
			);
			const rejected = cards.find((card) => !validCards.includes(card))!;
			expect(firstRun.json('To be corrected')).toEqual([
				{ email: rejected.Email, problem: expect.stringContaining('not a valid email address') },
			]);

			const secondRun = await run();
			expect(secondRun.ran('Send it')).toBe(false);
			expect((await serviceClient.get(list)).ContactCount).toBe(
				(countBefore as number) + validCards.length,
			);
		},
	},
	'10-verify-phone-before-registering.json': {
		does: 'registers a person only with the right code',
		async play({ lab, serviceClient, user, triggerRun, fillIn }) {
			const { email, phone: number } = lab.sandbox.demo.user;
			const findRegistrations = async () =>
				await serviceClient.findByEmail('/events/1013/registrations', email);
			const wrongCodeRun = await triggerRun(async () => {
				const pickWrongCode = () =>
					user.readTexts().at(-1)!.code === '123456' ? '654321' : '123456';
				await fillIn('gatehouse-registration', pickWrongCode, 'That code was not right');
			});
			expect(wrongCodeRun.ran('Register')).toBe(false);
			expect(await findRegistrations()).toEqual([]);

			let message = '';
			await triggerRun(async () => {
				const code = () => user.readTexts().at(-1)!.code;
				message = await fillIn('gatehouse-registration', code, 'You are registered');
			});
			const [registration, ...others] = await findRegistrations();
			expect(others).toEqual([]);
			expect(message).toContain(
				`Your confirmation code is ${registration!.ConfirmationCode as string}.`,
			);
			expect(`${registration!.MobilePhone as string}`.replaceAll(/[^+\d]/g, '')).toBe(number);
		},
	},
};
