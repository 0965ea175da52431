import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

import { CredentialWindow } from './credentialWindow';
import { NodePanel } from './nodePanel';
import { waitForRun, waitForRuns, readExecutionId, isRunResponse } from './runs';

const TIMEOUT_MS = 30_000;
const SHORT_TIMEOUT_MS = 2000;

async function readOutcome(node: Locator, timeout: number): Promise<'success' | 'error'> {
	const successMark = node.getByTestId('canvas-node-status-mark-success');
	const errorMark = node.getByTestId('canvas-node-status-mark-error');
	await successMark.or(errorMark).first().waitFor({ timeout });
	return (await successMark.isVisible()) ? 'success' : 'error';
}

/** Waits for an entry of a list, and unfolds the list if the entry does not appear. A click on an unfolding list would fold it. */
async function unfold(target: Locator, heading: Locator): Promise<void> {
	try {
		await target.waitFor({ timeout: SHORT_TIMEOUT_MS });
	} catch {
		await heading.click();
		await target.waitFor();
	}
}

/** n8n's editor in a browser tab, used as a person uses it. */
export class Editor {
	readonly panel: NodePanel;

	/** Errors that the page's scripts threw. */
	readonly pageErrors: string[] = [];

	private constructor(
		readonly page: Page,
		readonly context: BrowserContext,
		private readonly n8nUrl: string,
	) {
		this.panel = new NodePanel(page);
	}

	/** Opens a tab in a new browser context, with the session of the editor `signedIn`. `dark` selects n8n's dark theme. */
	static async open(
		browser: Browser,
		n8nUrl: string,
		{ dark = false, signedIn }: { dark?: boolean; signedIn?: Editor } = {},
	): Promise<Editor> {
		const context = await browser.newContext({
			viewport: { width: 1440, height: 960 },
			colorScheme: dark ? 'dark' : 'light',
			storageState: await signedIn?.context.storageState(),
		});
		const page = await context.newPage();
		page.setDefaultTimeout(TIMEOUT_MS);
		const editor = new Editor(page, context, n8nUrl);
		page.on('pageerror', (error) => editor.pageErrors.push(error.message));
		return editor;
	}

	/** Signs in through the form. */
	async signIn({ email, password }: { email: string; password: string }): Promise<void> {
		await this.page.goto(`${this.n8nUrl}/signin`);
		await this.page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await this.page.locator('input[name=password]').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL(/\/home\//);
	}

	/** Opens a stored workflow and waits for its nodes. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.n8nUrl}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Opens an empty workflow. */
	async openNewWorkflow(): Promise<void> {
		await this.page.goto(`${this.n8nUrl}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	/** Returns the node with this name on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Reads the names of the nodes on the canvas. */
	async readNodeNames(): Promise<string[]> {
		const nodes = await this.page.getByTestId('canvas-node').all();
		const names = await Promise.all(nodes.map((node) => node.getAttribute('data-node-name')));
		return names.filter((name) => name !== null);
	}

	/** Types words into the nodes panel and returns the names of the found nodes. */
	async searchNodes(words: string): Promise<string[]> {
		if (!(await this.page.getByTestId('node-creator').isVisible())) {
			await this.page.getByTestId('node-creator-plus-button').click();
		}
		await this.page.getByTestId('node-creator-search-bar').fill(words);
		const items = this.page.getByTestId('node-creator-item-name');
		const nothing = this.page.getByTestId('node-creator-no-results');
		await items.first().or(nothing).first().waitFor();
		// The list follows the typing with a delay.
		await this.page.waitForTimeout(400);
		return (await items.allTextContents()).map((text) => text.trim());
	}

	/**
	 * Adds a node from the nodes panel by searching for its name, or for other words; its panel opens. `action` picks one
	 * of the listed actions (or triggers) of a node that has several.
	 */
	async addNode(name: string, action?: string, words = name): Promise<void> {
		await this.searchNodes(words);
		const item = (text: string) =>
			this.page.getByTestId('node-creator-item-name').getByText(text, { exact: true }).first();
		await item(name).click();
		if (action) {
			// Below a list of triggers, actions are folded up as long as there is no trigger.
			const folded = this.page.getByText(/^Actions \(\d+\)$/);
			await item(action).or(folded).first().waitFor();
			await unfold(item(action), folded);
			await item(action).click();
		}
		await this.panel.waitUntilOpen();
	}

	/** Opens a node's panel: double-click on its shape, since the label would be renamed. */
	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.panel.waitUntilOpen();
	}

	/** Presses "Execute workflow", waits until the run has started, and returns its ID. */
	async executeWorkflow(): Promise<string | undefined> {
		const [response] = await Promise.all([
			this.page.waitForResponse(isRunResponse),
			this.page.getByTestId('execute-workflow-button').first().click(),
		]);
		return await readExecutionId(response);
	}

	/** Waits until a run has ended and returns its status. */
	async waitForRun(id: string, timeout = 60_000): Promise<string> {
		return await waitForRun(this.page, id, timeout);
	}

	/** Waits until the node on the canvas shows its outcome, and returns it. */
	async waitForOutcome(name: string, timeout = TIMEOUT_MS): Promise<'success' | 'error'> {
		return await readOutcome(this.node(name), timeout);
	}

	/** Opens the list of a workflow's runs and returns the status of each, newest first. */
	async openRuns(id: string): Promise<string[]> {
		const [response] = await Promise.all([
			this.page.waitForResponse((response) => /\/rest\/executions\?/.test(response.url())),
			this.page.goto(`${this.n8nUrl}/workflow/${id}/executions`),
		]);
		// The list shows that it is empty until n8n has responded.
		const { data } = (await response.json()) as { data: { results: unknown[] } };
		const cards = this.page.locator('[data-test-execution-status]');
		if (data.results.length > 0) await cards.nth(data.results.length - 1).waitFor();
		return await cards.evaluateAll((elements) =>
			elements.map((card) => card.getAttribute('data-test-execution-status') ?? ''),
		);
	}

	/** Waits until this many runs of a workflow have ended, then opens their list and returns the status of each. */
	async waitForRuns(id: string, count: number, timeout = 60_000): Promise<string[]> {
		await waitForRuns(this.page, id, count, timeout);
		return await this.openRuns(id);
	}

	/** Returns the status of a node in the run that the list of runs shows. */
	async readOutcomeInPreview(name: string): Promise<'success' | 'error'> {
		const node = this.page
			.getByTestId('execution-preview-host')
			.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
		return await readOutcome(node, TIMEOUT_MS);
	}

	/** Waits until n8n has stored the workflow. */
	async save(): Promise<void> {
		await Promise.all([
			this.page.waitForResponse(
				(response) =>
					/\/rest\/workflows/.test(response.url()) &&
					['POST', 'PATCH'].includes(response.request().method()) &&
					response.ok(),
			),
			this.page.keyboard.press('Control+s'),
		]);
	}

	/** Opens a stored credential by its name. */
	async openCredential(name: string): Promise<CredentialWindow> {
		await this.page.goto(`${this.n8nUrl}/home/credentials`);
		await this.page.getByTestId('resources-list-item').filter({ hasText: name }).first().click();
		return await CredentialWindow.waitUntilOpen(this.page);
	}

	/** Reads the texts of the messages in the corner of the screen. */
	async readNotices(): Promise<string[]> {
		return await this.page.locator('.el-notification').allInnerTexts();
	}

	/** Closes the tab and its session. */
	async close(): Promise<void> {
		await this.context.close();
	}
}
