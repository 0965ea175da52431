import { NewcomerActions } from '../newcomer/newcomerActions';
import { screenshot } from './artifacts';
import type { Editor } from './editor';

/** Opens the list of nodes behind the last node of a new workflow. */
export async function openNodeCreator(editor: Editor): Promise<void> {
	await new NewcomerActions(editor).beginWorkflow();
	await editor.page.getByTestId('canvas-handle-plus').filter({ visible: true }).last().click();
	await editor.page.getByTestId('node-creator').waitFor();
}

/** Adds Two-Factor from n8n's tile for human decisions. Returns the resource and the operation that its panel then shows. */
export async function addFromHumanReview(editor: Editor): Promise<string[]> {
	const { page } = editor;
	const names = page.getByTestId('node-creator-item-name');
	await openNodeCreator(editor);
	await names.getByText('Human review').click();
	await names.getByText('Two-Factor', { exact: true }).scrollIntoViewIfNeeded();
	await screenshot(page, 'human review');
	await names.getByText('Two-Factor', { exact: true }).click();
	// n8n offers only the action that sends and waits.
	await names.getByText('Ask for approval and wait').click();
	await editor.panel.waitUntilOpen();
	const readValue = async (name: string) =>
		await page.getByTestId(`parameter-input-${name}`).locator('input').first().inputValue();
	return [await readValue('resource'), await readValue('operation')];
}
