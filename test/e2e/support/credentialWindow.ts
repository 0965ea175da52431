import type { Locator, Page } from 'playwright-core';

/** Result of a credential test, with n8n's message. */
export interface TestResult {
	ok: boolean;
	text: string;
}

/** The window in which one credential is edited. */
export class CredentialWindow {
	private constructor(
		private readonly page: Page,
		private readonly root: Locator,
	) {}

	/** Waits for the window and returns it. */
	static async waitUntilOpen(page: Page): Promise<CredentialWindow> {
		const root = page.getByTestId('editCredential-modal');
		await root.getByTestId('credential-save-button').waitFor();
		return new CredentialWindow(page, root);
	}

	/** Types into a field. */
	async fill(field: string, text: string): Promise<void> {
		await this.root
			.getByTestId(`parameter-input-${field}`)
			.locator('input, textarea')
			.first()
			.fill(text);
	}

	/** Saves, which makes n8n test the credential, and reads the banner. */
	async saveAndTest(): Promise<TestResult> {
		return await this.clickAndReadResult(this.root.getByTestId('credential-save-button'));
	}

	/** Presses Retry on the banner of an earlier test. */
	async retry(): Promise<TestResult> {
		return await this.clickAndReadResult(
			this.root.getByRole('button', { name: 'Retry' }).filter({ visible: true }),
		);
	}

	private async clickAndReadResult(button: Locator): Promise<TestResult> {
		// n8n also tests the stored credential when the window opens, so only a request after the click counts.
		const [request] = await Promise.all([
			this.page.waitForRequest((sent) => sent.url().endsWith('/rest/credentials/test')),
			button.click(),
		]);
		const body = (await (await request.response())!.json()) as { data: { status: string } };
		const ok = body.data.status === 'OK';
		const banner = ok
			? this.root.getByTestId('credentials-config-container-test-success')
			: this.root.locator('.el-tag--danger').filter({ hasText: 'these settings' });
		await banner.waitFor();
		const detailsLink = banner.getByText('More details');
		if (await detailsLink.isVisible()) await detailsLink.click();
		return { ok, text: (await banner.innerText()).trim() };
	}

	async close(): Promise<void> {
		// Escape would close the node's panel below as well.
		await this.root.getByRole('button', { name: 'Close this dialog' }).click();
		await this.root.waitFor({ state: 'hidden' });
	}
}
