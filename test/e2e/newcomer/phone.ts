import type { BrowserContext, Page } from 'playwright-core';

import type { Sandbox } from '../../../sandbox/server';

const CODE = /\b\d{6,7}\b/;

/** A phone of the sandbox in a tab of its own, used as its owner uses it. */
export class Phone {
	private constructor(readonly page: Page) {}

	/** Opens the phone at its address. */
	static async open(
		context: BrowserContext,
		{ phoneUrl }: Pick<Sandbox, 'phoneUrl'>,
		holder: 'guest' | 'manager',
	): Promise<Phone> {
		const page = await context.newPage();
		await page.goto(`${phoneUrl}?user=${holder}`);
		return await Phone.fromPage(page);
	}

	/** The phone in a tab that was opened by a link. */
	static async fromPage(page: Page): Promise<Phone> {
		await page.getByText('Live').waitFor();
		return new Phone(page);
	}

	/** Taps Approve on the pending or next request; `about` identifies it. */
	async approve(about: string): Promise<void> {
		const request = this.page.locator('#requests article', { hasText: about });
		await request.getByRole('button', { name: /^Approve/ }).click();
		await this.page.locator('#toast', { hasText: 'Approved' }).waitFor();
	}

	/** Reads the code in the newest text message. */
	async readNewestCode(): Promise<string> {
		await this.page.getByRole('tab', { name: /^Messages/ }).click();
		const newest = this.page.locator('#sms > *', { hasText: CODE }).first();
		return CODE.exec(await newest.innerText())![0];
	}
}
