import type { Locator, Page } from 'playwright-core';

import type { Editor } from '../support/editor';
import type { NodePanel } from '../support/nodePanel';

const DRAG_STEPS = 12;

/** Selects the input of a field; in a field with a list not the switch between the list and an ID. */
const INPUT_SELECTOR =
	'[data-test-id="rlc-input-container"], textarea, .cm-content, input:not([data-test-id="rlc-mode-selector"] input)';

/** Acts as a newcomer in the editor: builds workflows from nothing and finds controls by their labels. */
export class NewcomerActions {
	private readonly page: Page;
	private readonly panel: NodePanel;

	constructor(private readonly editor: Editor) {
		this.page = editor.page;
		this.panel = editor.panel;
	}

	/** Begins an empty workflow that is started by hand. */
	async beginWorkflow(): Promise<void> {
		await this.editor.openNewWorkflow();
		await this.page.getByTestId('canvas-plus-button').click();
		await this.page.getByTestId('node-creator-item-name').getByText('Trigger manually').click();
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Adds a node with the plus button behind the last node. Searches for its name or for other words; its panel opens. */
	async addNext(node: string, action?: string, words = node): Promise<void> {
		await this.page.getByTestId('zoom-to-fit').click();
		await this.page.getByTestId('canvas-handle-plus').filter({ visible: true }).last().click();
		await this.page.getByTestId('node-creator').waitFor();
		await this.editor.addNode(node, action, words);
	}

	/** Gives the workflow a name. */
	async nameWorkflow(name: string): Promise<void> {
		await this.page.getByTestId('workflow-name-input').click();
		await this.page.keyboard.press('Control+a');
		await this.page.keyboard.insertText(name);
		await this.page.keyboard.press('Enter');
		await this.page.getByTestId('workflow-name-input').filter({ hasText: name }).waitFor();
	}

	/** Publishes the open workflow. */
	async publish(): Promise<void> {
		const button = await this.startPublishing();
		await button.waitFor({ state: 'hidden' });
	}

	/** Clicks the buttons that publish the open workflow, and returns the last button, which disappears after success. */
	async startPublishing(): Promise<Locator> {
		await this.page.getByRole('button', { name: 'Publish', exact: true }).click();
		const button = this.page.getByTestId('workflow-publish-button');
		await button.click();
		return button;
	}

	/** Finds the part of a labeled field that accepts typed text or a dropped value. */
	private findField(label: string): Locator {
		return this.findLabeled(label).locator(INPUT_SELECTOR).first();
	}

	private findLabeled(label: string): Locator {
		const exactLabel = this.page.getByText(label, { exact: true });
		const labels = this.page.getByTestId('node-parameters').getByTestId('input-label');
		return labels.filter({ has: exactLabel, visible: true }).last();
	}

	/** Types into the fields with these labels. */
	async type(texts: Record<string, string>): Promise<void> {
		const [lastEntry, ...otherEntries] = Object.entries(texts).reverse();
		for (const [label, text] of otherEntries.reverse()) await this.findField(label).fill(text);
		if (lastEntry)
			await this.actAndWaitForStore(
				lastEntry[1],
				async () => await this.findField(lastEntry[0]).fill(lastEntry[1]),
			);
	}

	/** Switches a field with a list to an ID, and types the ID. */
	async typeId(name: string, id: string): Promise<void> {
		await this.actAndWaitForStore(id, async () => await this.panel.fillId(name, id));
	}

	/** Switches a field with a list to a URL, and pastes the URL. */
	async pasteUrl(label: string, url: string): Promise<void> {
		await this.findLabeled(label).getByTestId('rlc-mode-selector').click();
		await this.page.getByTestId('mode-url').filter({ visible: true }).click();
		const input = this.findLabeled(label).getByTestId('rlc-input-container').locator('input');
		await this.actAndWaitForStore(url, async () => await input.fill(url));
	}

	/** Switches a field to Expression, and types the expression. */
	async typeExpression(label: string, expression: string): Promise<void> {
		await this.findLabeled(label).hover();
		await this.findLabeled(label).getByText('Expression', { exact: true }).click();
		await this.findLabeled(label).locator('.cm-content').click();
		await this.page.keyboard.press('Control+a');
		await this.actAndWaitForStore(
			expression,
			async () => await this.page.keyboard.insertText(expression),
		);
	}

	/** Drags a field of the input on the left onto a field of the panel. */
	async drag(inputField: string, label: string): Promise<void> {
		const pill = this.page
			.getByTestId('ndv-input-panel')
			.getByTestId('run-data-schema-item')
			.getByText(inputField, { exact: true })
			.first();
		const target = this.findField(label);
		await target.scrollIntoViewIfNeeded();
		const { x, y, height } = (await target.boundingBox())!;
		await pill.hover();
		await this.page.mouse.down();
		await this.page.mouse.move(x + 20, y + height / 2, { steps: DRAG_STEPS });
		await this.actAndWaitForStore(`json.${inputField}`, async () => await this.page.mouse.up());
		await this.findLabeled(label).locator('.cm-content').waitFor();
	}

	/** Acts, and waits until n8n has stored the text: a run before that would use the old value. */
	private async actAndWaitForStore(text: string, action: () => Promise<void>): Promise<void> {
		const encodedText = JSON.stringify(text).slice(1, -1);
		const [storeRequest] = await Promise.all([
			this.page.waitForRequest((request) => (request.postData() ?? '').includes(encodedText)),
			action(),
		]);
		await storeRequest.response();
	}

	/** Adds a field of a form that is to be changed. */
	async addFormField(label: string): Promise<void> {
		await this.page.getByTestId('add-fields-select').getByRole('button').click();
		await this.page.getByRole('menuitem', { name: label, exact: true }).click();
		await this.panel.waitForLabel(label);
	}

	/** Unfolds an earlier node in the input on the left. */
	async unfoldInput(node: string): Promise<void> {
		const input = this.page.getByTestId('ndv-input-panel');
		await input.getByTestId('run-data-schema-header').filter({ hasText: node }).click();
	}
}
