import type { BrowserContext, Page } from 'playwright-core';

import type { Sandbox } from '../../../sandbox/server';

const CODE = /\b\d{6,7}\b/;

/** A phone of the sandbox in a separate tab, used as its owner uses it. */
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

	/** Returns the phone in a tab that a link has opened. */
	static async fromPage(page: Page): Promise<Phone> {
		await page.getByText('Live').waitFor();
		return new Phone(page);
	}

	/** Taps Approve on the request that contains this text, as soon as it is shown. */
	async approve(requestText: string): Promise<void> {
		const request = this.page.locator('#requests article', { hasText: requestText });
		await request.getByRole('button', { name: /^Approve/ }).click();
		await this.page.locator('#toast', { hasText: 'Approved' }).waitFor();
	}

	/** Reads the code in the newest text message. */
	async readNewestCode(): Promise<string> {
		await this.page.getByRole('tab', { name: /^Messages/ }).click();
		const newestMessage = this.page.locator('#sms > *', { hasText: CODE }).first();
		return CODE.exec(await newestMessage.innerText())![0];
	}
}
