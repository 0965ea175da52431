import type { ExampleRun, Scenario } from './exampleRun';
import { downloadFile, readCsv } from './readBack';
import type { EndedExecution } from './runs';

type Json = Record<string, unknown>;

const DAY_MS = 86_400_000;
const THREE_EVENTS = ['1001', '1002', '1003'];
const IMPORTED = ['amara.diallo', 'tomas.rivera', 'yusuf.kaya'].map(
	(name) => `${name}@import.example`,
);

const isActive = ({ RegistrationStatus }: Json) => RegistrationStatus !== 'Cancelled';
const sumToAmount = (amountsInCents: number[]) =>
	amountsInCents.reduce((sum, cents) => sum + cents, 0) / 100;

/** Builds the expected message about an event from the services' lists. */
async function computeSummary({ serviceClient }: ExampleRun, eventId: string) {
	const event = await serviceClient.get(`/events/${eventId}`);
	const activeRegistrations = (
		await serviceClient.readAll(`/events/${eventId}/registrations`)
	).filter(isActive);
	const visits = await serviceClient.readAll(`/events/${eventId}/attendance`);
	const codes = new Set(visits.map(({ ConfirmationCode }) => ConfirmationCode));
	const presentRegistrations = activeRegistrations.filter(({ ConfirmationCode }) =>
		codes.has(ConfirmationCode),
	);
	const since = new Date(Date.now() - DAY_MS).toISOString();
	const fresh = activeRegistrations.filter(
		({ RegistrationDate }) => `${RegistrationDate as string}` > since,
	);
	const cents = (await serviceClient.readTransactions(Number(eventId))).map(
		({ TransactionAmount }) => Math.round(100 * (TransactionAmount as number)),
	);
	const [paid, refunded] = [cents.filter((cent) => cent > 0), cents.filter((cent) => cent < 0)];
	return {
		subject: `${event.Name as string}: ${activeRegistrations.length} registered, ${fresh.length} new`,
		numbers: `Checked in: ${presentRegistrations.length}. Missing: ${activeRegistrations.length - presentRegistrations.length}.`,
		money: `${sumToAmount(paid).toFixed(2)} EUR paid, ${(-sumToAmount(refunded)).toFixed(2)} refunded`,
		fresh: fresh.length,
	};
}

/** Downloads the calendar files of a run. Returns the file name and the event's properties of each. */
async function readInvitations({ lab }: ExampleRun, endedRun: EndedExecution) {
	const count = endedRun.items('Make the invitation').length;
	const files = [];
	for (let index = 0; index < count; index++) {
		const { fileName, mimeType, text } = await downloadFile(
			lab.rest,
			endedRun,
			'Make the invitation',
			index,
		);
		expect(mimeType).toBe('text/calendar');
		const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
		const readProperty = (name: string) =>
			lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
		files.push({
			fileName,
			title: readProperty('SUMMARY')?.replaceAll(/\\(.)/g, '$1'),
			start: readProperty('DTSTART'),
			end: readProperty('DTEND'),
			uid: readProperty('UID'),
		});
	}
	return files;
}

const readExpectedInvitations = async ({ serviceClient }: ExampleRun, eventId: string) => {
	const formatUtc = (time: unknown) =>
		new Date(time as string).toISOString().replaceAll(/[-:]|\.\d+/g, '');
	return (await serviceClient.readAll(`/events/${eventId}/sessions`)).map((session) => ({
		fileName: `session-${session.SessionId as number}.ics`,
		title: session.Title,
		start: formatUtc(session.StartDateTime),
		end: formatUtc(session.EndDateTime),
		uid: `session-${session.SessionId as number}@event-${eventId}`,
	}));
};

const readRejectedRows = async ({ lab }: ExampleRun, endedRun: EndedExecution) => {
	const { text, fileName } = await downloadFile(lab.rest, endedRun, 'File of rejected rows');
	expect(fileName).toBe('rejected.csv');
	return readCsv(text.replace(/^\uFEFF/, ''));
};

/** Scenarios of the examples that answer organizers' questions, by file. */
export const answers: Record<string, Scenario> = {
	'17-summary-every-morning.json': {
		does: 'writes a message with the numbers of the event',
		async play(run) {
			run.lab.sandbox.control('eventRegistration', 'register', {
				eventId: 1001,
				FirstName: 'Nia',
				LastName: 'Late',
				Email: 'nia.late@example.com',
			});
			for (const start of ['Start here', 'Every morning']) {
				const endedRun = await run.run(undefined, start);
				const { subject, numbers, money, fresh } = await computeSummary(run, '1001');
				expect(fresh).toBeGreaterThan(0);
				const [message, ...others] = endedRun.json('Send it');
				expect(others).toEqual([]);
				expect(message).toMatchObject({
					subject,
					text: expect.stringContaining(`${fresh} of them since yesterday`) as string,
				});
				expect(message!.text).toContain(numbers);
				expect(message!.text).toContain(money);
				expect(message!.text).toMatch(/\n- Attendee: \d+, of whom \d+ have not checked in\n/);
				expect(message!.text).not.toMatch(/undefined|NaN|\[object/);
			}
		},
	},
	'18-calendar-invitations.json': {
		does: 'creates a calendar file for every session',
		async play(run) {
			const expected = await readExpectedInvitations(run, '1001');
			expect(expected.length).toBeGreaterThan(3);
			expect(await readInvitations(run, await run.run())).toEqual(expected);
		},
	},
	'19-import-a-spreadsheet.json': {
		does: 'imports the valid rows once, and returns the others with reasons',
		async play(run) {
			for (const created of [
				[true, true, false, true],
				[false, false, false, false],
			]) {
				const endedRun = await run.run();
				expect(endedRun.json('Imported').map((row) => row.created)).toEqual(created);
				const rejected = await readRejectedRows(run, endedRun);
				expect(rejected.map(({ Row }) => Row)).toEqual(['3', '5', '6', '8']);
				expect(rejected.map(({ FirstName }) => FirstName)).toEqual([
					'Lena',
					'Ines',
					'Piet',
					'Hana',
				]);
				const reasons = [/email/i, /last name/i, /diet/i, /'Email' is missing/];
				for (const [index, reason] of reasons.entries()) {
					expect(rejected[index]!.Reason).toMatch(reason);
				}
				for (const email of IMPORTED) {
					expect(
						await run.serviceClient.findByEmail('/events/1016/registrations', email),
					).toHaveLength(1);
				}
			}
			const [amara] = await run.serviceClient.findByEmail(
				'/events/1016/registrations',
				IMPORTED[0]!,
			);
			expect(amara).toMatchObject({ LastName: 'Diallo-Ndiaye', RegistrationTypeId: 2151 });
		},
	},
};

/** Scenarios of the same examples with three items. */
export const threeItemAnswers: Record<string, (run: ExampleRun) => Promise<void>> = {
	async '17-summary-every-morning.json'(run) {
		const input = THREE_EVENTS.map((eventId) => ({ eventId }));
		const endedRun = await run.runWith('Events to report', input);
		const expected = [];
		for (const eventId of THREE_EVENTS) expected.push((await computeSummary(run, eventId)).subject);
		expect(endedRun.json('Send it').map(({ subject }) => subject)).toEqual(expected);
	},
	async '18-calendar-invitations.json'(run) {
		const input = THREE_EVENTS.map((eventId) => ({ eventId, place: 'Hall 3' }));
		const endedRun = await run.runWith('Events to invite to', input);
		const expected = [];
		for (const eventId of THREE_EVENTS)
			expected.push(...(await readExpectedInvitations(run, eventId)));
		expect(await readInvitations(run, endedRun)).toEqual(expected);
	},
	async '19-import-a-spreadsheet.json'(run) {
		const input = ['one', 'not an address', 'three'].map((name) => ({
			FirstName: 'Row',
			LastName: name,
			Email: name.includes(' ') ? name : `row.${name}@import.example`,
		}));
		const endedRun = await run.runWith('Read the rows', input);
		expect(endedRun.json('Imported').map(({ LastName }) => LastName)).toEqual(['one', 'three']);
		const rejected = await readRejectedRows(run, endedRun);
		expect(rejected.map(({ Row, Email }) => [Row, Email])).toEqual([['3', 'not an address']]);
	},
};
