import type { Browser, Page } from 'playwright-core';

/** A visitor who fills in n8n's own forms, page by page, in a tab without a session. */
export class Visitor {
	private constructor(readonly page: Page) {}

	/** Opens a published form. */
	static async open(browser: Browser, address: string): Promise<Visitor> {
		const context = await browser.newContext();
		const page = await context.newPage();
		page.setDefaultTimeout(30_000);
		await page.goto(address);
		await page.locator('#submit-btn').waitFor();
		return new Visitor(page);
	}

	/** Reads the values of the fields, by label. */
	async readAnswers(): Promise<Record<string, string>> {
		const fields = await this.page.locator('.form-group').all();
		const pairs = fields.map(async (field) => [
			(await field.locator('label').first().innerText()).replace(/\s*\*$/, '').trim(),
			await field.locator('input').first().inputValue(),
		]);
		return Object.fromEntries(await Promise.all(pairs)) as Record<string, string>;
	}

	/** Types a text into the field with this label. */
	async fill(label: string, text: string): Promise<void> {
		await this.page.locator('.form-group', { hasText: label }).locator('input').first().fill(text);
	}

	/** Sends the page, waits for the page with this heading and returns its text. */
	async send(heading: string): Promise<string> {
		await this.page.locator('#submit-btn').click();
		await this.page.getByText(heading, { exact: true }).first().waitFor();
		return await this.page.locator('body').innerText();
	}

	async leave(): Promise<void> {
		await this.page.context().close();
	}
}
