// Protects users of the sandbox's start page: it shows the URLs, keys and IDs that they need, and leads to desk and phones.
import type { Browser } from 'playwright-core';

import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { openBrowser } from './phone.browser';
import { findAccessibilityViolations } from './support/accessibilityViolations';
import { screenshot } from './support/artifacts';

let sandbox: Sandbox;
let browser: Browser;

beforeAll(async () => {
	sandbox = await startSandbox();
	browser = await openBrowser();
});
afterAll(async () => {
	await (browser as Browser | undefined)?.close();
	await (sandbox as Sandbox | undefined)?.close();
});

const openStartPage = async (width = 1280, colorScheme: 'light' | 'dark' = 'light') => {
	const viewport = { width, height: 860 };
	const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const page = await context.newPage();
	await page.goto(sandbox.url);
	await page.locator('body[data-ready]').waitFor();
	return page;
};

it('the start page shows every service with the URL and the key that a credential needs', async () => {
	const page = await openStartPage();
	for (const summary of await page.locator('summary').all()) await summary.click();
	const text = await page.locator('#services').innerText();
	for (const { baseUrl, apiKey, headerName, privateKey } of Object.values(sandbox.credentials)) {
		for (const value of [baseUrl, apiKey, headerName, privateKey?.trim()]) {
			if (value !== undefined) expect(text).toContain(value);
		}
	}
	const [copy] = await page.getByRole('button', { name: 'Copy API Key' }).all();
	await copy!.click();
	await page.getByText('Copied').waitFor();
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	expect(copied).toBe(sandbox.demo.twoFactor.apiKey);
	await page.context().close();
});

it('the start page links to the phones of four people and to the desk', async () => {
	const page = await openStartPage();
	const { user: guest, manager, finance, deputy } = sandbox.demo;
	const people = await page.locator('#people').innerText();
	for (const { name, email, phone, fingerprint } of [guest, manager, finance, deputy]) {
		for (const value of [name, email, phone, fingerprint]) expect(people).toContain(value);
	}
	for (const [holder, { name, fingerprint }] of Object.entries({ guest, manager })) {
		await page.goto(sandbox.url);
		await page.getByRole('link', { name: new RegExp(`^The ${holder}’s phone`) }).click();
		await page.getByText('Live').waitFor();
		expect(await page.locator('#who-name').innerText()).toBe(name);
		expect(await page.locator('#about-fingerprint').innerText()).toBe(fingerprint);
		expect(await page.locator('.phones [aria-current]').innerText()).toMatch(
			new RegExp(holder, 'i'),
		);
	}
	const links = page.locator('.phones');
	for (const [label, { name }] of Object.entries({ Finance: finance, Deputy: deputy })) {
		await links.getByRole('link', { name: label }).click();
		await page.locator('#who-name', { hasText: name }).waitFor();
	}
	await links.getByRole('link', { name: 'All phones' }).click();
	await page.getByText('Live').waitFor();
	await page.getByRole('link', { name: 'Open the guest’s phone' }).click();
	await page.locator('#who-name', { hasText: guest.name }).waitFor();
	await page.getByRole('link', { name: 'Start page', exact: true }).click();
	await page.getByRole('link', { name: /^All phones/ }).click();
	await page.getByText('Live').waitFor();
	await page.getByRole('link', { name: 'sandbox’s start page' }).click();
	await page.getByRole('link', { name: /^The desk/ }).click();
	await page.getByText('Live').waitFor();
	await page.getByRole('link', { name: 'Start page', exact: true }).click();
	await page.locator('body[data-ready]').waitFor();
	await page.context().close();
});

it('the start page lists IDs of events and contact lists', async () => {
	const page = await openStartPage();
	const cells = await page.locator('#data td:first-child code').allTextContents();
	expect(cells).toEqual(expect.arrayContaining(['1001', 'evt_1001', '7001']));
	await page.context().close();
});

describe.each(['light', 'dark'] as const)(
	'the start page in the %s color scheme',
	(colorScheme) => {
		it.each([390, 1280])('has no accessibility violations at %d pixels', async (width) => {
			const page = await openStartPage(width, colorScheme);
			await screenshot(page, `start ${colorScheme} ${width}`);
			for (const summary of await page.locator('summary').all()) await summary.click();
			expect(await findAccessibilityViolations(page)).toEqual([]);
			const wider = await page.evaluate(
				() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
			);
			expect(wider).toBe(0);
			await page.context().close();
		});
	},
);
