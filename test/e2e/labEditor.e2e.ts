// Protects users of the editor: they find nodes, set them up by clicking, learn why a key is rejected, and get decisions.
import axios from 'axios';

import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { expectedSearchResults } from '../support/expectedSearchResults';
import { screenshot } from './support/artifacts';
import { buildApprovalFlow, buildDecisionFlow } from './support/flows';
import { addFromHumanReview, openNodeCreator } from './support/humanReview';
import { withScreenshotOnFailure, startSession } from './support/session';
import type { Session } from './support/session';

describe('the pack in the editor', () => {
	let session: Session;
	const withScreenshot = (body: (session: Session) => Promise<void>) =>
		withScreenshotOnFailure(() => session, body);

	beforeAll(async () => {
		session = await startSession();
	});
	afterAll(async () => {
		await (session as Session | undefined)?.stop();
	});

	/** Reads from the sandbox directly, as an independent reference for what n8n shows. */
	const readEventData = async <T>(path: string): Promise<T> => {
		const { addresses, demo } = session.lab.sandbox;
		const headers = { [demo.eventData.headerName]: demo.eventData.apiKey };
		return (await axios.get<T>(addresses.eventData + path, { headers })).data;
	};

	test(
		'is found by common search terms',
		withScreenshot(async ({ editor }) => {
			await editor.openNewWorkflow();
			for (const [searchTerm, nodes] of Object.entries(expectedSearchResults)) {
				const foundNames = await editor.searchNodes(searchTerm);
				expect({ searchTerm, foundNames }).toEqual({
					searchTerm,
					foundNames: expect.arrayContaining(nodes),
				});
			}
			await editor.searchNodes('gatehouse');
			await screenshot(editor.page, 'nodes panel');
			// n8n marks outdated nodes by a word in the description.
			expect(await editor.page.getByTestId('node-creator').innerText()).not.toMatch(/deprecated/i);
		}),
	);

	test(
		"is in n8n's list for human decisions and in its list of apps",
		withScreenshot(async ({ editor }) => {
			const { page } = editor;
			const names = page.getByTestId('node-creator-item-name');
			await openNodeCreator(editor);
			for (const searchTerm of ['human', 'hitl', 'approval', 'review']) {
				const foundNames = await editor.searchNodes(searchTerm);
				expect({ searchTerm, found: foundNames }).toEqual({
					searchTerm,
					found: expect.arrayContaining(['Two-Factor']),
				});
			}
			await editor.searchNodes('');
			await names.getByText('Action in an app').click();
			await names.getByText('Two-Factor', { exact: true }).first().waitFor();

			expect(await addFromHumanReview(editor)).toEqual([
				'Approval Request',
				'Send and Wait for Approval',
			]);
		}),
	);

	test(
		'runs a node that was added from the panel and set up by clicking',
		withScreenshot(async ({ editor }) => {
			await editor.openNewWorkflow();
			await editor.addNode('Event Data', 'Get many attendees');
			await editor.panel.chooseOperation('Event', 'Get');
			const { data: events } = await readEventData<{ data: Array<{ id: string; name: string }> }>(
				'/events',
			);
			const wantedEvent = events[1]!;
			const listedNames = await editor.panel.openList('eventId');
			expect(listedNames).toEqual(
				expect.arrayContaining([expect.stringContaining(wantedEvent.name)]),
			);
			await screenshot(editor.page, 'list of events');
			await editor.page.keyboard.press('Escape');
			await editor.panel.pick('eventId', wantedEvent.name, wantedEvent.name.slice(0, 6));

			expect(await editor.panel.execute()).toBe('success');
			await screenshot(editor.page, 'output of one event');
			const items = await editor.panel.readOutputItems();
			expect(items).toEqual([await readEventData(`/events/${wantedEvent.id}`)]);
			expect(await editor.panel.readItemCount()).toBe(1);
		}),
	);

	test(
		"shows an event's own form fields as inputs",
		withScreenshot(async ({ editor }) => {
			await editor.openNewWorkflow();
			await editor.addNode('Event Registration', 'Create a registration');
			expect(await editor.panel.readLabels()).not.toContain('First name');
			await editor.panel.openList('eventId');
			await editor.page.getByTestId('rlc-item').first().click();
			await editor.panel.waitForLabel('First name');
			const labels = await editor.panel.readLabels();
			expect(labels).toEqual(expect.arrayContaining(['First name', 'Last name', 'Email address']));
			await screenshot(editor.page, 'form of an event');
		}),
	);

	test(
		'names a rejected key as the reason, in the panel and in the credential',
		withScreenshot(async ({ editor, lab }) => {
			const { apiKey } = lab.sandbox.demo.eventData;
			await editor.openNewWorkflow();
			await editor.addNode('Event Data', 'Get many events');

			const credential = await editor.panel.editCredential();
			await credential.fill('apiKey', 'not-the-key');
			const rejected = await credential.saveAndTest();
			await screenshot(editor.page, 'credential rejected');
			expect(rejected).toMatchObject({ ok: false, text: expect.stringMatching(/key/i) });
			expect(rejected.text).not.toContain('not-the-key');
			await credential.close();

			expect(await editor.panel.execute()).toBe('error');
			const error = await editor.panel.readError();
			await screenshot(editor.page, 'key rejected');
			expect(error.message).toMatch(/key/i);
			expect(`${error.message} ${error.description}`).not.toContain('not-the-key');

			const reopenedWindow = await editor.panel.editCredential();
			await reopenedWindow.fill('apiKey', apiKey);
			expect(await reopenedWindow.saveAndTest()).toMatchObject({ ok: true });
			await screenshot(editor.page, 'credential accepted');
			await reopenedWindow.close();
			expect(await editor.panel.execute()).toBe('success');
		}),
	);

	/** Taps Approve on the phone, in a window of its own. */
	const approve = async (question: string) => {
		const { browser, lab } = session;
		const context = await browser.newContext({ viewport: { width: 900, height: 900 } });
		const phone = await context.newPage();
		await phone.goto(lab.sandbox.phoneUrl);
		await phone.getByRole('button', { name: `Approve: ${question}` }).click();
		await phone.locator('#toast', { hasText: 'Approved' }).waitFor();
		await screenshot(phone, `phone ${question.replaceAll(/\W+/g, ' ').trim()}`);
		await context.close();
	};

	test(
		'waits for a decision on the phone, and resumes after the decision',
		withScreenshot(async ({ editor, lab }) => {
			const question = 'Refund 12 EUR?';
			const flow = buildApprovalFlow(lab.sandbox, question, { wait: true });
			const { id } = await createWorkflow(lab.rest, flow, lab.credentials);
			await editor.openWorkflow(id);
			const executionId = await editor.executeWorkflow();
			await approve(question);

			expect(await editor.waitForRun(executionId!)).toBe('success');
			expect(await editor.waitForOutcome('Ask')).toBe('success');
			await screenshot(editor.page, 'workflow that waited');
			await editor.openNode('Ask');
			expect(await editor.panel.readOutputItems()).toEqual([
				expect.objectContaining({ outcome: 'approved', message: question }),
			]);
		}),
	);

	test(
		'starts a workflow once when the request that was submitted to its trigger is decided',
		withScreenshot(async ({ editor, lab }) => {
			const question = 'Buy twelve chairs?';
			const decisionWorkflow = await createWorkflow(
				lab.rest,
				buildDecisionFlow('Decisions', 'decisions'),
				lab.credentials,
			);
			await activateWorkflow(lab.rest, decisionWorkflow.id);
			const triggerUrl = `${lab.n8nUrl}/webhook/decisions/watch`;
			const flow = buildApprovalFlow(lab.sandbox, question, { options: { triggerUrl } });
			const { id } = await createWorkflow(lab.rest, flow, lab.credentials);
			await editor.openWorkflow(id);
			expect(await editor.waitForRun((await editor.executeWorkflow())!)).toBe('success');
			expect(await editor.openRuns(decisionWorkflow.id)).toEqual([]);
			await approve(question);

			expect(await editor.waitForRuns(decisionWorkflow.id, 1)).toEqual(['success']);
			expect(await editor.readOutcomeInPreview('Decided')).toBe('success');
			await screenshot(editor.page, 'run that a trigger started');
			// Exactly once: further polls of the decided request start nothing.
			await editor.page.waitForTimeout(6000);
			expect(await editor.openRuns(decisionWorkflow.id)).toHaveLength(1);
		}),
	);

	test(
		'lists the published triggers with the same credential, and submits to the chosen one',
		withScreenshot(async ({ editor, lab }) => {
			const question = 'Order a cake?';
			const flow = buildDecisionFlow('Cakes', 'cakes');
			const decisionWorkflow = await createWorkflow(lab.rest, flow, lab.credentials);
			const { id } = await createWorkflow(
				lab.rest,
				buildApprovalFlow(lab.sandbox, question, {}),
				lab.credentials,
			);
			await activateWorkflow(lab.rest, decisionWorkflow.id);
			await editor.openWorkflow(id);
			await editor.openNode('Ask');
			await editor.panel.addOption('triggerUrl', 'Trigger');
			await editor.panel.pick('triggerUrl', 'Cakes');
			await screenshot(editor.page, 'trigger from the list');
			expect(await editor.panel.execute()).toBe('success');
			expect(await editor.panel.readOutputItems()).toMatchObject([
				{ outcome: 'pending', handedOver: true },
			]);
			await approve(question);
			expect(await editor.waitForRuns(decisionWorkflow.id, 1)).toEqual(['success']);
		}),
	);

	test(
		'shows its dark icons in the dark theme',
		withScreenshot(async ({ openEditor }) => {
			const editor = await openEditor({ dark: true });
			await editor.openNewWorkflow();
			const brokenIconUrls: string[] = [];
			editor.page.on('response', (response) => {
				if (response.url().includes('/icons/n8n-nodes-gatehouse/') && !response.ok()) {
					brokenIconUrls.push(response.url());
				}
			});
			await editor.searchNodes('event');
			const sources = await editor.page
				.getByTestId('node-creator')
				.locator('img[src*="n8n-nodes-gatehouse"]')
				.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));
			await screenshot(editor.page, 'dark theme');
			expect(sources.length).toBeGreaterThan(0);
			expect(sources.every((source) => source.endsWith('.dark.svg'))).toBe(true);
			expect(brokenIconUrls).toEqual([]);
			await editor.close();
		}),
	);

	test('caused no script error in the page', () => {
		expect(session.editor.pageErrors).toEqual([]);
	});
});
