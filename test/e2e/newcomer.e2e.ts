import axios from 'axios';
import { readFile } from 'node:fs/promises';

import { examplesFolder } from '../../lab/lab';
import { formatReadyMessage } from '../../lab/messages';
import { NewcomerActions } from './newcomer/newcomerActions';
import { Phone } from './newcomer/phone';
import { screenshot } from './support/artifacts';
import { withScreenshotOnFailure, startSession } from './support/session';
import type { Session } from './support/session';

const REGISTRATION = {
	'First name': 'Noor',
	'Last name': 'Haddad',
	'Email address': 'noor.haddad@example.com',
};

interface EventRecord {
	EventId: number;
	Name: string;
	RegistrationCount: number;
}

/** Follows the README and the terminal's instructions by clicking and typing alone. */
describe("a newcomer's path", () => {
	let session: Session;
	let hands: NewcomerActions;
	const withPicture = (body: (session: Session) => Promise<void>) =>
		withScreenshotOnFailure(() => session, body);

	beforeAll(async () => {
		session = await startSession({ examples: examplesFolder });
		hands = new NewcomerActions(session.editor);
	});
	afterAll(async () => {
		await (session as Session | undefined)?.stop();
	});

	/** Asks the sandbox itself what the event registration service holds. */
	const registrationService = async <T>(path: string): Promise<T> => {
		const { addresses, demo } = session.lab.sandbox;
		const headers = { [demo.eventRegistration.headerName]: demo.eventRegistration.apiKey };
		return (await axios.get<T>(addresses.eventRegistration + path, { headers })).data;
	};
	const events = async () => await registrationService<EventRecord[]>('/api/v1/events');

	test(
		'begins with the example that the terminal names, and an approval on the phone',
		withPicture(async ({ editor, lab }) => {
			const { page, context } = editor;
			const reported = formatReadyMessage(lab);
			expect(reported).toContain('click "Execute workflow"');
			await page.goto(/Open (\S+\/workflow\/\S+)/.exec(reported)![1]!);
			await page.getByTestId('canvas-node').first().waitFor();
			const [tab] = await Promise.all([
				context.waitForEvent('page'),
				page.getByRole('link', { name: 'the guest’s phone' }).click(),
			]);
			const phone = await Phone.at(tab);
			await page.bringToFront();
			const run = await editor.executeWorkflow();
			await screenshot(page, 'newcomer 1 example runs');
			await tab.bringToFront();
			await phone.approve('Share your details?');
			await screenshot(tab, 'newcomer 1 phone');
			await page.bringToFront();
			expect(await editor.endOfRun(run!)).toBe('success');
			expect(await editor.outcomeOf('Let them in')).toBe('success');
			await screenshot(page, 'newcomer 1 example done');
			await editor.openNode('Let them in');
			const { email } = lab.sandbox.demo.user;
			expect(await editor.panel.outputItems()).toEqual([
				expect.objectContaining({ message: `Welcome, ${email}` }),
			]);
			await tab.close();
		}),
	);

	test(
		"builds the README's first workflow in five steps",
		withPicture(async ({ editor, lab }) => {
			await hands.beginWorkflow();
			await hands.addNext('Two-Factor', 'Ask for approval and wait', 'two-factor');
			await hands.type({ 'User ID': '100003', Message: 'Refund 20 to Robin?' });
			await screenshot(editor.page, 'newcomer 2 panel');
			await editor.panel.close();
			const run = await editor.executeWorkflow();
			const phone = await Phone.open(editor.context, lab.sandbox, 'manager');
			await phone.approve('Refund 20 to Robin?');
			await screenshot(phone.page, 'newcomer 2 phone');
			await phone.page.close();
			expect(await editor.endOfRun(run!)).toBe('success');
			await editor.openNode('Ask for approval and wait');
			expect(await editor.panel.outputItems()).toEqual([
				expect.objectContaining({ approved: true, message: 'Refund 20 to Robin?' }),
			]);
			await screenshot(editor.page, 'newcomer 2 approved');
		}),
	);

	test(
		'registers a person, checks a code from the phone, and notes that at the registration',
		withPicture(async ({ editor, lab }) => {
			const { panel, page } = editor;
			const event = (await events()).find(({ Name }) => Name.startsWith('Lagos'))!;
			await hands.beginWorkflow();
			await hands.addNext('Event Registration', 'Create a registration');
			await panel.pick('eventId', event.Name);
			await panel.waitForLabel('First name');
			await hands.type({ ...REGISTRATION, 'Mobile phone': lab.sandbox.demo.user.phone });
			await screenshot(page, 'newcomer 3 form');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 3 registered');
			const [registration] = await panel.outputItems();
			await panel.close();

			await hands.addNext('Two-Factor', 'Enroll a user');
			await hands.drag('Email', 'Email');
			await hands.drag('MobilePhone', 'Phone Number');
			await screenshot(page, 'newcomer 3 enroll');
			expect(await panel.execute()).toBe('success');
			await panel.close();

			await hands.addNext('Two-Factor', 'Send a code by SMS');
			await hands.drag('twofactor_id', 'User ID');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 3 sent');
			await panel.close();

			const phone = await Phone.open(editor.context, lab.sandbox, 'guest');
			const code = await phone.newestCode();
			await screenshot(phone.page, 'newcomer 3 phone');
			await phone.page.close();
			await hands.addNext('Two-Factor', 'Verify a code');
			await hands.drag('twofactor_id', 'User ID');
			await hands.type({ Code: code });
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 3 verified');
			expect(await panel.outputItems()).toEqual([expect.objectContaining({ valid: true })]);
			await panel.close();

			await hands.addNext('Event Registration', 'Update a registration');
			await panel.pick('eventId', event.Name);
			await hands.unfoldInput('Create a registration');
			await hands.drag('RegistrationId', 'Registration');
			await hands.addFormField('Job title');
			await hands.type({ 'Job title': 'Phone verified' });
			await screenshot(page, 'newcomer 3 update');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 3 updated');

			const path = `/api/v1/events/${event.EventId}/registrations/${String(registration!.RegistrationId)}`;
			expect(await registrationService(path)).toMatchObject({
				Email: REGISTRATION['Email address'],
				CustomFields: expect.arrayContaining([{ Name: 'JobTitle', Value: 'Phone verified' }]),
			});
		}),
	);

	test(
		'has a workflow of one’s own start once when the manager has decided',
		withPicture(async ({ editor, lab }) => {
			const { panel, page } = editor;
			const question = 'Order twelve chairs?';
			await editor.newWorkflow();
			await editor.addNode('Two-Factor', 'On approval request approved');
			await screenshot(page, 'newcomer 4 trigger');
			await panel.close();
			await hands.addNext('No Operation, do nothing');
			await panel.close();
			await hands.nameWorkflow('Chairs are decided');
			await hands.publish();
			await screenshot(page, 'newcomer 4 published');
			const [, watcher] = /\/workflow\/(\w+)/.exec(page.url())!;

			await hands.beginWorkflow();
			await hands.addNext('Two-Factor', 'Create an approval request');
			await hands.type({ 'User ID': '100003', Message: question });
			await panel.addOption('triggerUrl', 'Trigger');
			await panel.pick('triggerUrl', 'Chairs are decided');
			await screenshot(page, 'newcomer 4 hand over');
			expect(await panel.execute()).toBe('success');
			expect(await panel.outputItems()).toEqual([expect.objectContaining({ handedOver: true })]);

			const phone = await Phone.open(editor.context, lab.sandbox, 'manager');
			await phone.approve(question);
			await phone.page.close();
			expect(await editor.waitForRuns(watcher!, 1)).toEqual(['success']);
			await screenshot(page, 'newcomer 4 run');
			const preview = page.getByTestId('execution-preview-host');
			await preview.locator('[data-test-id="canvas-node"]').first().dblclick();
			await screenshot(page, 'newcomer 4 outcome');
			expect(await panel.outputItems()).toEqual([
				expect.objectContaining({ outcome: 'approved', message: question }),
			]);
			expect(await editor.runsOf(watcher!)).toHaveLength(1);
		}),
	);

	test(
		'saves all registrations of an event as CSV',
		withPicture(async ({ editor }) => {
			const { panel, page } = editor;
			const event = 'European Identity Week';
			await hands.beginWorkflow();
			await hands.addNext('Event Registration', 'Get many registrations');
			await panel.pick('eventId', event);
			await panel.toggle('returnAll');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 5 registrations');
			await panel.close();
			await hands.addNext('Convert to File', 'Convert to CSV');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 5 file');
			const [download] = await Promise.all([
				page.waitForEvent('download'),
				page.getByTestId('ndv').getByText('Download', { exact: true }).click(),
			]);
			const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
			const { RegistrationCount: held } = (await events()).find(({ Name }) => Name === event)!;
			expect(held).toBeGreaterThan(50);
			// The first line has the names of the columns.
			expect(lines).toHaveLength(held + 1);
			expect(lines[0]).toContain('FirstName,LastName,Email');
		}),
	);
});
