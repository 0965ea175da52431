import axios from 'axios';

import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { expectedSearchResults } from '../support/expectedSearchResults';
import { screenshot } from './support/artifacts';
import { approvalFlow, decisionFlow } from './support/flows';
import { addFromHumanReview, openNodeCreator } from './support/humanReview';
import { withScreenshotOnFailure, startSession } from './support/session';
import type { Session } from './support/session';

describe('the pack in the editor', () => {
	let session: Session;
	const withPicture = (body: (session: Session) => Promise<void>) =>
		withScreenshotOnFailure(() => session, body);

	beforeAll(async () => {
		session = await startSession();
	});
	afterAll(async () => {
		await (session as Session | undefined)?.stop();
	});

	/** Reads from the sandbox directly, as an independent reference for what n8n shows. */
	const eventData = async <T>(path: string): Promise<T> => {
		const { addresses, demo } = session.lab.sandbox;
		const headers = { [demo.eventData.headerName]: demo.eventData.apiKey };
		return (await axios.get<T>(addresses.eventData + path, { headers })).data;
	};

	test(
		'is found by common search terms',
		withPicture(async ({ editor }) => {
			await editor.newWorkflow();
			for (const [words, nodes] of Object.entries(expectedSearchResults)) {
				const found = await editor.searchNodes(words);
				expect({ words, found }).toEqual({ words, found: expect.arrayContaining(nodes) });
			}
			await editor.searchNodes('gatehouse');
			await screenshot(editor.page, 'nodes panel');
			// n8n marks outdated nodes by a word in the description.
			expect(await editor.page.getByTestId('node-creator').innerText()).not.toMatch(/deprecated/i);
		}),
	);

	test(
		"is in n8n's list for human decisions and in its list of apps",
		withPicture(async ({ editor }) => {
			const { page } = editor;
			const names = page.getByTestId('node-creator-item-name');
			await openNodeCreator(editor);
			for (const words of ['human', 'hitl', 'approval', 'review']) {
				const found = await editor.searchNodes(words);
				expect({ words, found }).toEqual({
					words,
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
		withPicture(async ({ editor }) => {
			await editor.newWorkflow();
			await editor.addNode('Event Data', 'Get many attendees');
			await editor.panel.chooseOperation('Event', 'Get');
			const { data: events } = await eventData<{ data: Array<{ id: string; name: string }> }>(
				'/events',
			);
			const wanted = events[1]!;
			const listed = await editor.panel.openList('eventId');
			expect(listed).toEqual(expect.arrayContaining([expect.stringContaining(wanted.name)]));
			await screenshot(editor.page, 'list of events');
			await editor.page.keyboard.press('Escape');
			await editor.panel.pick('eventId', wanted.name, wanted.name.slice(0, 6));

			expect(await editor.panel.execute()).toBe('success');
			await screenshot(editor.page, 'output of one event');
			const items = await editor.panel.outputItems();
			expect(items).toEqual([await eventData(`/events/${wanted.id}`)]);
			expect(await editor.panel.itemCount()).toBe(1);
		}),
	);

	test(
		"shows an event's own form fields as inputs",
		withPicture(async ({ editor }) => {
			await editor.newWorkflow();
			await editor.addNode('Event Registration', 'Create a registration');
			expect(await editor.panel.labels()).not.toContain('First name');
			await editor.panel.openList('eventId');
			await editor.page.getByTestId('rlc-item').first().click();
			await editor.panel.waitForLabel('First name');
			const labels = await editor.panel.labels();
			expect(labels).toEqual(expect.arrayContaining(['First name', 'Last name', 'Email address']));
			await screenshot(editor.page, 'form of an event');
		}),
	);

	test(
		'says what is wrong when the key is rejected, in the panel and in the credential',
		withPicture(async ({ editor, lab }) => {
			const { apiKey } = lab.sandbox.demo.eventData;
			await editor.newWorkflow();
			await editor.addNode('Event Data', 'Get many events');

			const credential = await editor.panel.editCredential();
			await credential.fill('apiKey', 'not-the-key');
			const rejected = await credential.saveAndTest();
			await screenshot(editor.page, 'credential rejected');
			expect(rejected).toMatchObject({ ok: false, text: expect.stringMatching(/key/i) });
			expect(rejected.text).not.toContain('not-the-key');
			await credential.close();

			expect(await editor.panel.execute()).toBe('error');
			const error = await editor.panel.error();
			await screenshot(editor.page, 'key rejected');
			expect(error.message).toMatch(/key/i);
			expect(`${error.message} ${error.description}`).not.toContain('not-the-key');

			const again = await editor.panel.editCredential();
			await again.fill('apiKey', apiKey);
			expect(await again.saveAndTest()).toMatchObject({ ok: true });
			await screenshot(editor.page, 'credential accepted');
			await again.close();
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
		'waits for a decision on the phone and continues when it is made',
		withPicture(async ({ editor, lab }) => {
			const question = 'Refund 12 EUR?';
			const flow = approvalFlow(lab.sandbox, question, { wait: true });
			const { id } = await createWorkflow(lab.rest, flow, lab.credentials);
			await editor.openWorkflow(id);
			const run = await editor.executeWorkflow();
			await approve(question);

			expect(await editor.endOfRun(run!)).toBe('success');
			expect(await editor.outcomeOf('Ask')).toBe('success');
			await screenshot(editor.page, 'workflow that waited');
			await editor.openNode('Ask');
			expect(await editor.panel.outputItems()).toEqual([
				expect.objectContaining({ outcome: 'approved', message: question }),
			]);
		}),
	);

	test(
		'starts a workflow once when what was handed to its trigger is decided',
		withPicture(async ({ editor, lab }) => {
			const question = 'Buy twelve chairs?';
			const watcher = await createWorkflow(
				lab.rest,
				decisionFlow('Decisions', 'decisions'),
				lab.credentials,
			);
			await activateWorkflow(lab.rest, watcher.id);
			const triggerUrl = `${lab.n8nUrl}/webhook/decisions/watch`;
			const flow = approvalFlow(lab.sandbox, question, { options: { triggerUrl } });
			const { id } = await createWorkflow(lab.rest, flow, lab.credentials);
			await editor.openWorkflow(id);
			expect(await editor.endOfRun((await editor.executeWorkflow())!)).toBe('success');
			expect(await editor.runsOf(watcher.id)).toEqual([]);
			await approve(question);

			expect(await editor.waitForRuns(watcher.id, 1)).toEqual(['success']);
			expect(await editor.outcomeInPreview('Decided')).toBe('success');
			await screenshot(editor.page, 'run that a trigger started');
			// Exactly once: further polls of the decided request start nothing.
			await editor.page.waitForTimeout(6000);
			expect(await editor.runsOf(watcher.id)).toHaveLength(1);
		}),
	);

	test(
		'lists the published triggers with the same credential, and hands over to the one that is picked',
		withPicture(async ({ editor, lab }) => {
			const question = 'Order a cake?';
			const flow = decisionFlow('Cakes', 'cakes');
			const watcher = await createWorkflow(lab.rest, flow, lab.credentials);
			const { id } = await createWorkflow(
				lab.rest,
				approvalFlow(lab.sandbox, question, {}),
				lab.credentials,
			);
			await activateWorkflow(lab.rest, watcher.id);
			await editor.openWorkflow(id);
			await editor.openNode('Ask');
			await editor.panel.addOption('triggerUrl', 'Trigger');
			await editor.panel.pick('triggerUrl', 'Cakes');
			await screenshot(editor.page, 'trigger from the list');
			expect(await editor.panel.execute()).toBe('success');
			expect(await editor.panel.outputItems()).toMatchObject([
				{ outcome: 'pending', handedOver: true },
			]);
			await approve(question);
			expect(await editor.waitForRuns(watcher.id, 1)).toEqual(['success']);
		}),
	);

	test(
		'has its icons in the dark theme',
		withPicture(async ({ openEditor }) => {
			const editor = await openEditor({ dark: true });
			await editor.newWorkflow();
			const broken: string[] = [];
			editor.page.on('response', (response) => {
				if (response.url().includes('/icons/n8n-nodes-gatehouse/') && !response.ok()) {
					broken.push(response.url());
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
			expect(broken).toEqual([]);
			await editor.close();
		}),
	);

	test('threw no error in any page', () => {
		expect(session.editor.pageErrors).toEqual([]);
	});
});
