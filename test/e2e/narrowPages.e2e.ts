// Protects users of the sandbox in a narrow window, as on a phone: texts and numbers are shown in full, and IDs are copied.
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { openBrowser } from './phone.browser';

let sandbox: Sandbox;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox();
	browser = await openBrowser();
});
beforeEach(async () => {
	context = await browser.newContext({ viewport: { width: 400, height: 850 }, locale: 'en-US' });
	page = await context.newPage();
});
afterEach(async () => await context.close());
afterAll(async () => {
	await (browser as Browser | undefined)?.close();
	await (sandbox as Sandbox | undefined)?.close();
});

/** Returns the texts that are wider than their box or than the page. */
const findCutOffTexts = async (selector: string) =>
	await page
		.locator(selector)
		.evaluateAll((elements) =>
			elements
				.filter(
					(element) =>
						element.scrollWidth > element.clientWidth + 1 ||
						element.getBoundingClientRect().right > document.documentElement.clientWidth,
				)
				.map(({ textContent }) => textContent),
		);

it('the start page shows every column of its tables', async () => {
	await page.goto(sandbox.url);
	await page.locator('body[data-ready]').waitFor();
	await page.locator('#data table').first().waitFor();
	expect(await page.locator('.scroll').count()).toBeGreaterThan(2);
	expect(await findCutOffTexts('.scroll')).toEqual([]);
	expect(await page.getByRole('cell', { name: '2,640' }).count()).toBe(1);
});

it('the desk shows the whole type of a registration, and how soon workflows start', async () => {
	await page.goto(sandbox.deskUrl);
	await page.locator('#people article').first().waitFor();
	expect(await page.locator('#people .kind').first().textContent()).toMatch(/^[A-Z]\w+/);
	expect(await findCutOffTexts('#people .from, #people .kind')).toEqual([]);
	await page.getByText('start published workflows within 60 seconds').waitFor();
});

it('the desk formats the numbers of contacts in the same way everywhere', async () => {
	await page.goto(sandbox.deskUrl);
	await page.locator('#people article').first().waitFor();
	await page.locator('#tab-contacts').click();
	await page.locator('#contacts article').first().waitFor();
	const names = await page.locator('#contact-list option').allTextContents();
	expect(names[0]).toBe('Newsletter (2,640)');
	expect(await page.locator('#contacts-count').textContent()).toMatch(/ of 2,640$/);
	expect(await findCutOffTexts('#contacts .from')).toEqual([]);
});

it('the phone shows its Two-Factor user ID with a button to copy it', async () => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto(`${sandbox.phoneUrl}?user=manager`);
	const id = page.locator('#user-id');
	await id.waitFor();
	const [manager] = sandbox.control('twoFactor', 'users', {
		phone: sandbox.demo.manager.phone,
	}) as Array<{ twofactor_id: number }>;
	expect(await id.textContent()).toBe(`${manager!.twofactor_id}`);
	await page.getByRole('button', { name: 'Copy user ID' }).click();
	expect(await page.evaluate(async () => await navigator.clipboard.readText())).toBe(
		`${manager!.twofactor_id}`,
	);
});
