import type { Locator, Page, Response } from 'playwright-core';

import { CredentialWindow } from './credentialWindow';
import { waitForRun, readExecutionId, isRunResponse } from './runs';

/** Error that a node's panel shows after a failed run. */
export interface ShownError {
	message: string;
	description: string;
}

const SHORT_TIMEOUT_MS = 5000;
const MAX_OPEN_ATTEMPTS = 6;

const firstLine = (text: string) => text.trim().split('\n', 1)[0]!.trim();

/** Whether a response contains the entries of a resource locator. */
const isListResponse = (response: Response) => response.url().includes('resource-locator-results');

/** Counts the entries that the list then shows. A failure is one entry. */
async function countEntries(response: Response): Promise<number> {
	const { data } = (await response.json()) as { data?: { results: unknown[] } };
	return data?.results.length ?? 1;
}

/** The panel of one node: parameters in the middle, output on the right. Methods take the internal names of parameters. */
export class NodePanel {
	private readonly root: Locator;

	constructor(private readonly page: Page) {
		this.root = page.getByTestId('ndv');
	}

	async waitUntilOpen(): Promise<void> {
		await this.root.waitFor();
		await this.root.getByTestId('node-parameters').waitFor();
	}

	async close(): Promise<void> {
		// Escape would first close an open list inside the panel.
		await this.root.getByTestId('ndv-close-button').click();
		await this.root.waitFor({ state: 'hidden' });
	}

	/** Returns the control of one parameter. */
	parameter(name: string): Locator {
		return this.root.getByTestId(`parameter-input-${name}`).first();
	}

	/** Reads the labels of the visible parameters, from top to bottom. */
	async readLabels(): Promise<string[]> {
		const labels = this.root.getByTestId('node-parameters').getByTestId('input-label');
		const texts = await labels.filter({ visible: true }).allInnerTexts();
		// Below its name a label carries the switch between Fixed and Expression.
		return texts.map(firstLine).filter(Boolean);
	}

	/** Waits until a parameter with this label is visible. */
	async waitForLabel(label: string): Promise<void> {
		const labels = this.root.getByTestId('node-parameters').getByTestId('input-label');
		await labels.filter({ hasText: label, visible: true }).first().waitFor();
	}

	private get openOptions(): Locator {
		return this.page.locator('.el-select-dropdown:visible .el-select-dropdown__item');
	}

	/** Opens a drop-down list and returns the names in it. The list stays open. */
	async openOptionsOf(name: string): Promise<string[]> {
		await this.parameter(name).click();
		await this.openOptions.first().waitFor();
		// Below its name an option carries its description.
		return (await this.openOptions.allInnerTexts()).map(firstLine);
	}

	/** Reads the names in a drop-down list. */
	async readOptions(name: string): Promise<string[]> {
		const options = await this.openOptionsOf(name);
		await this.page.keyboard.press('Escape');
		return options;
	}

	/** Chooses from a drop-down list by the name that is shown. */
	async choose(name: string, option: string): Promise<void> {
		const options = await this.openOptionsOf(name);
		const index = options.indexOf(option);
		if (index < 0) throw new Error(`${name} offers ${options.join(', ')}, not ${option}`);
		await this.openOptions.nth(index).click();
		// The list fades out slowly, and the next step could mistake it for the next list.
		await this.openOptions.first().waitFor({ state: 'hidden' });
	}

	/** Chooses resource and operation by their shown names. */
	async chooseOperation(resource: string, operation: string): Promise<void> {
		await this.choose('resource', resource);
		await this.choose('operation', operation);
	}

	/** Types a fixed text into a parameter. */
	async fill(name: string, text: string): Promise<void> {
		await this.parameter(name).locator('input, textarea').first().fill(text);
	}

	/** Turns a switch on or off by clicking it. */
	async toggle(name: string): Promise<void> {
		await this.parameter(name).locator('.el-switch').click();
	}

	/** Adds an entry of a collection ("Add option"), given its internal and its shown name. */
	async addOption(name: string, label: string): Promise<void> {
		await this.root.getByTestId('collection-parameter-add').first().click();
		const added = this.parameter(name);
		// One label can be a part of another.
		const option = this.openOptions.filter({ has: this.page.getByText(label, { exact: true }) });
		// A collection with a single entry adds it at once.
		await added.or(option).first().waitFor();
		if (!(await added.isVisible())) await option.click();
		await added.waitFor();
	}

	/** Finds the part of the panel that belongs to a resource locator. */
	private findResourceLocator(name: string): Locator {
		return this.root.getByTestId(`resource-locator-${name}`);
	}

	/**
	 * Opens a From List field and runs `use`. Reopens it and retries on failure: n8n never fills a list
	 * that was opened while n8n still completed or stored the node.
	 */
	private async withOpenList<T>(name: string, use: () => Promise<T>): Promise<T> {
		for (let attempt = 1; ; attempt++) {
			const response = this.page.waitForResponse(isListResponse, { timeout: SHORT_TIMEOUT_MS });
			await this.findResourceLocator(name).getByTestId('rlc-input-container').click();
			try {
				// "No results" is also shown before the response. Entries that n8n has already fetched appear without a request.
				const cachedEntry = this.entries.first().waitFor({ timeout: SHORT_TIMEOUT_MS });
				if ((await Promise.any([response.then(countEntries), cachedEntry])) !== 0)
					await this.waitForEntries();
				return await use();
			} catch (error) {
				if (attempt === MAX_OPEN_ATTEMPTS) throw error;
				await this.page.keyboard.press('Escape');
			}
		}
	}

	private get entries(): Locator {
		return this.page.getByTestId('rlc-item');
	}

	/** Waits until the open list shows entries, or that it could not be fetched. */
	private async waitForEntries(): Promise<void> {
		const shown = this.entries.or(this.page.getByTestId('rlc-error-container')).first();
		await shown.waitFor({ timeout: SHORT_TIMEOUT_MS });
	}

	/** Types into the search box of the open list, which is sent once the typing pauses. */
	private async searchList(search: string): Promise<void> {
		const [response] = await Promise.all([
			this.page.waitForResponse(isListResponse),
			this.page.getByTestId('rlc-search').fill(search),
		]);
		if ((await countEntries(response)) !== 0) await this.waitForEntries();
	}

	/** Opens a From List field, types `search` into its search box, and returns the visible names. */
	async openList(name: string, search?: string): Promise<string[]> {
		return await this.withOpenList(name, async () => {
			if (search !== undefined) await this.searchList(search);
			return (await this.entries.allInnerTexts()).map((text) => text.trim());
		});
	}

	/** Picks an entry of a From List field by its shown name. */
	async pick(name: string, entry: string, search?: string): Promise<void> {
		await this.withOpenList(name, async () => {
			if (search !== undefined) await this.searchList(search);
			await this.entries.filter({ hasText: entry }).first().click({ timeout: SHORT_TIMEOUT_MS });
		});
	}

	/** Switches a resource locator to By ID and types the id. */
	async fillId(name: string, id: string): Promise<void> {
		await this.findResourceLocator(name).getByTestId('rlc-mode-selector').click();
		await this.page.getByTestId('mode-id').filter({ visible: true }).click();
		await this.findResourceLocator(name)
			.getByTestId('rlc-input-container')
			.locator('input')
			.fill(id);
	}

	/** Chooses a stored credential by its name. */
	async chooseCredential(name: string): Promise<void> {
		await this.root.getByTestId('node-credentials-select').first().click();
		await this.page.locator('.el-select-dropdown:visible').getByText(name, { exact: true }).click();
	}

	/** Opens the chosen credential from the panel. */
	async editCredential(): Promise<CredentialWindow> {
		await this.root.getByTestId('credential-edit-button').click();
		return await CredentialWindow.waitUntilOpen(this.page);
	}

	/** Presses "Execute step" and waits for the end of the run. */
	async execute(timeout = 60_000): Promise<'success' | 'error'> {
		const [response] = await Promise.all([
			this.page.waitForResponse(isRunResponse),
			this.root.getByTestId('node-execute-button').click(),
		]);
		const successMark = this.root.getByTestId('node-run-status-success');
		// An earlier node's failure shows only in the corner of the screen.
		const errorMark = this.root
			.getByTestId('node-run-status-danger')
			.or(this.root.getByTestId('node-error-message'))
			.or(this.page.locator('.el-notification').filter({ hasText: 'Problem in node' }));
		const id = await readExecutionId(response);
		if (id) {
			// The status comes from n8n: the panel may still show the previous run.
			const outcome =
				(await waitForRun(this.page, id, timeout)) === 'success' ? 'success' : 'error';
			await (outcome === 'success' ? successMark : errorMark).first().waitFor({ timeout });
			return outcome;
		}
		await successMark.or(errorMark).first().waitFor({ timeout });
		return (await errorMark.first().isVisible()) ? 'error' : 'success';
	}

	private get output(): Locator {
		return this.root.getByTestId('output-panel');
	}

	/** Reads the output from the JSON view, which shows one page of items. Read long outputs from the execution instead. */
	async readOutputItems(): Promise<Array<Record<string, unknown>>> {
		const jsonButton = this.output.getByTestId('radio-button-json');
		// A panel that was open during the run shows the first output, even if it is empty.
		const outputWithItems = this.output.getByText(/ Branch \(\d+ items?\)/);
		await jsonButton.or(outputWithItems).filter({ visible: true }).first().waitFor();
		if (!(await jsonButton.isVisible())) await outputWithItems.first().click();
		await jsonButton.click();
		const view = this.output.locator('.json-data');
		for (let attempt = 1; ; attempt += 1) {
			// The view indents with no-break spaces.
			const text = (await view.innerText()).replaceAll('\u00a0', ' ');
			try {
				return JSON.parse(text) as Array<Record<string, unknown>>;
			} catch (error) {
				// The view is drawn piece by piece.
				if (attempt === 20) throw error;
				await this.page.waitForTimeout(250);
			}
		}
	}

	/** Reads the number of items that the output panel shows. */
	async readItemCount(): Promise<number> {
		const text = await this.output.getByTestId('ndv-items-count').first().innerText();
		return Number(/[\d,.]+/.exec(text)?.[0].replaceAll(/[,.]/g, '') ?? Number.NaN);
	}

	/** Reads the error that the output shows. */
	async readError(): Promise<ShownError> {
		const message = this.root.getByTestId('node-error-message');
		await message.waitFor();
		const description = this.root.getByTestId('node-error-description');
		return {
			message: (await message.innerText()).trim(),
			description: (await description.count()) > 0 ? (await description.innerText()).trim() : '',
		};
	}
}
