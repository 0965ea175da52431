// Protects newcomers: by README and terminal, clicking and typing alone, they run an example and build their own workflows.
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

describe('a newcomer', () => {
	let session: Session;
	let newcomer: NewcomerActions;
	const withScreenshot = (body: (session: Session) => Promise<void>) =>
		withScreenshotOnFailure(() => session, body);

	beforeAll(async () => {
		session = await startSession({ examples: examplesFolder });
		newcomer = new NewcomerActions(session.editor);
	});
	afterAll(async () => {
		await (session as Session | undefined)?.stop();
	});

	/** Reads from the event registration service directly. */
	const readFromService = async <T>(path: string): Promise<T> => {
		const { addresses, demo } = session.lab.sandbox;
		const headers = { [demo.eventRegistration.headerName]: demo.eventRegistration.apiKey };
		return (await axios.get<T>(addresses.eventRegistration + path, { headers })).data;
	};
	const readEvents = async () => await readFromService<EventRecord[]>('/api/v1/events');

	test(
		'runs the example that the terminal names, and approves on the phone',
		withScreenshot(async ({ editor, lab }) => {
			const { page, context } = editor;
			const readyMessage = formatReadyMessage(lab);
			expect(readyMessage).toContain('click "Execute workflow"');
			await page.goto(/Open (\S+\/workflow\/\S+)/.exec(readyMessage)![1]!);
			await page.getByTestId('canvas-node').first().waitFor();
			const [tab] = await Promise.all([
				context.waitForEvent('page'),
				page.getByRole('link', { name: 'the guest’s phone' }).click(),
			]);
			const phone = await Phone.fromPage(tab);
			await page.bringToFront();
			const run = await editor.executeWorkflow();
			await screenshot(page, 'newcomer 1 example runs');
			await tab.bringToFront();
			await phone.approve('Share your details?');
			await screenshot(tab, 'newcomer 1 phone');
			await page.bringToFront();
			expect(await editor.waitForRun(run!)).toBe('success');
			expect(await editor.waitForOutcome('Let them in')).toBe('success');
			await screenshot(page, 'newcomer 1 example done');
			await editor.openNode('Let them in');
			const { email } = lab.sandbox.demo.user;
			expect(await editor.panel.readOutputItems()).toEqual([
				expect.objectContaining({ message: `Welcome, ${email}` }),
			]);
			await tab.close();
		}),
	);

	test(
		"builds the README's first workflow in five steps",
		withScreenshot(async ({ editor, lab }) => {
			await newcomer.beginWorkflow();
			await newcomer.addNext('Two-Factor', 'Ask for approval and wait', 'two-factor');
			await editor.panel.pick('twofactorId', lab.sandbox.demo.manager.name);
			await newcomer.type({ Message: 'Refund 20 to Robin?' });
			await screenshot(editor.page, 'newcomer 2 panel');
			await editor.panel.close();
			const run = await editor.executeWorkflow();
			const phone = await Phone.open(editor.context, lab.sandbox, 'manager');
			await phone.approve('Refund 20 to Robin?');
			await screenshot(phone.page, 'newcomer 2 phone');
			await phone.page.close();
			expect(await editor.waitForRun(run!)).toBe('success');
			await editor.openNode('Ask for approval and wait');
			expect(await editor.panel.readOutputItems()).toEqual([
				expect.objectContaining({
					approved: true,
					message: 'Refund 20 to Robin?',
					name: lab.sandbox.demo.manager.name,
				}),
			]);
			await screenshot(editor.page, 'newcomer 2 approved');
		}),
	);

	test(
		'registers a person, checks a code from the phone, and notes that at the registration',
		withScreenshot(async ({ editor, lab }) => {
			const { panel, page } = editor;
			const event = (await readEvents()).find(({ Name }) => Name.startsWith('Lagos'))!;
			await newcomer.beginWorkflow();
			await newcomer.addNext('Event Registration', 'Create a registration');
			await panel.pick('eventId', event.Name);
			await panel.waitForLabel('First name');
			await newcomer.type({ ...REGISTRATION, 'Mobile phone': lab.sandbox.demo.user.phone });
			await screenshot(page, 'newcomer 3 form');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 3 registered');
			const [registration] = await panel.readOutputItems();
			await panel.close();

			await newcomer.addNext('Two-Factor', 'Enroll a user');
			await newcomer.drag('Email', 'Email');
			await newcomer.drag('MobilePhone', 'Phone Number');
			await screenshot(page, 'newcomer 3 enroll');
			expect(await panel.execute()).toBe('success');
			await panel.close();

			await newcomer.addNext('Two-Factor', 'Send a code by SMS');
			await newcomer.drag('twofactor_id', 'User ID');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 3 sent');
			await panel.close();

			const phone = await Phone.open(editor.context, lab.sandbox, 'guest');
			const code = await phone.readNewestCode();
			await screenshot(phone.page, 'newcomer 3 phone');
			await phone.page.close();
			await newcomer.addNext('Two-Factor', 'Verify a code');
			await newcomer.drag('twofactor_id', 'User ID');
			await newcomer.type({ Code: code });
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 3 verified');
			expect(await panel.readOutputItems()).toEqual([expect.objectContaining({ valid: true })]);
			await panel.close();

			await newcomer.addNext('Event Registration', 'Update a registration');
			await panel.pick('eventId', event.Name);
			await newcomer.unfoldInput('Create a registration');
			await newcomer.drag('RegistrationId', 'Registration');
			await newcomer.addFormField('Job title');
			await newcomer.type({ 'Job title': 'Phone verified' });
			await screenshot(page, 'newcomer 3 update');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 3 updated');

			const path = `/api/v1/events/${event.EventId}/registrations/${String(registration!.RegistrationId)}`;
			expect(await readFromService(path)).toMatchObject({
				Email: REGISTRATION['Email address'],
				CustomFields: expect.arrayContaining([{ Name: 'JobTitle', Value: 'Phone verified' }]),
			});
		}),
	);

	test(
		'builds a workflow that starts once when the manager has decided',
		withScreenshot(async ({ editor, lab }) => {
			const { panel, page } = editor;
			const question = 'Order twelve chairs?';
			await editor.openNewWorkflow();
			await editor.addNode('Two-Factor', 'On approval request approved');
			await screenshot(page, 'newcomer 4 trigger');
			await panel.close();
			await newcomer.addNext('No Operation, do nothing');
			await panel.close();
			await newcomer.nameWorkflow('Chairs are decided');
			await newcomer.publish();
			await screenshot(page, 'newcomer 4 published');
			const [, triggerWorkflowId] = /\/workflow\/(\w+)/.exec(page.url())!;

			await newcomer.beginWorkflow();
			await newcomer.addNext('Two-Factor', 'Create an approval request');
			await panel.pick('twofactorId', lab.sandbox.demo.manager.name);
			await newcomer.type({ Message: question });
			await panel.addOption('triggerUrl', 'Trigger');
			await panel.pick('triggerUrl', 'Chairs are decided');
			await screenshot(page, 'newcomer 4 hand over');
			expect(await panel.execute()).toBe('success');
			expect(await panel.readOutputItems()).toEqual([
				expect.objectContaining({ handedOver: true }),
			]);

			const phone = await Phone.open(editor.context, lab.sandbox, 'manager');
			await phone.approve(question);
			await phone.page.close();
			expect(await editor.waitForRuns(triggerWorkflowId!, 1)).toEqual(['success']);
			await screenshot(page, 'newcomer 4 run');
			const preview = page.getByTestId('execution-preview-host');
			await preview.locator('[data-test-id="canvas-node"]').first().dblclick();
			await screenshot(page, 'newcomer 4 outcome');
			expect(await panel.readOutputItems()).toEqual([
				expect.objectContaining({ outcome: 'approved', message: question }),
			]);
			expect(await editor.openRuns(triggerWorkflowId!)).toHaveLength(1);
		}),
	);

	test(
		'saves all registrations of an event as CSV',
		withScreenshot(async ({ editor }) => {
			const { panel, page } = editor;
			const event = 'European Identity Week';
			await newcomer.beginWorkflow();
			await newcomer.addNext('Event Registration', 'Get many registrations');
			await panel.pick('eventId', event);
			await panel.toggle('returnAll');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 5 registrations');
			await panel.close();
			await newcomer.addNext('Convert to File', 'Convert to CSV');
			expect(await panel.execute()).toBe('success');
			await screenshot(page, 'newcomer 5 file');
			const [download] = await Promise.all([
				page.waitForEvent('download'),
				page.getByTestId('ndv').getByText('Download', { exact: true }).click(),
			]);
			const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
			const { RegistrationCount: registrationCount } = (await readEvents()).find(
				({ Name }) => Name === event,
			)!;
			expect(registrationCount).toBeGreaterThan(50);
			// The first line has the names of the columns.
			expect(lines).toHaveLength(registrationCount + 1);
			expect(lines[0]).toContain('FirstName,LastName,Email');
		}),
	);
});
