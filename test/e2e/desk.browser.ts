import type { Browser, Page } from 'playwright-core';

import { eventData } from '../../sandbox/eventData';
import { eventRegistration } from '../../sandbox/eventRegistration';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { eventDataClient, registrationClient } from '../sandbox/eventClients';
import type { Json } from '../sandbox/eventClients';
import { openBrowser } from './phone.browser';

/** The form of event 1004 requires a name and an email address only, that of event 1003 also a company and a country. */
export const [simpleEventId, strictEventId] = [1004, 1003];

const TIMEOUT_MS = 20_000;

/** Opens the desk in a browser for each test, and reads the effects through the API. */
export function useDesk() {
	let sandbox: Sandbox;
	let browser: Browser;
	let page: Page;
	let pageErrors: string[];

	beforeAll(async () => {
		sandbox = await startSandbox({ services: [eventData, eventRegistration] });
		browser = await openBrowser();
	});
	afterAll(async () => {
		await (browser as Browser | undefined)?.close();
		await (sandbox as Sandbox | undefined)?.close();
	});
	const open = async () => {
		await page.goto(sandbox.deskUrl);
		await page.getByText('Live').waitFor();
	};
	beforeEach(async () => {
		sandbox.reset();
		pageErrors = [];
		const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
		page = await context.newPage();
		page.setDefaultTimeout(TIMEOUT_MS);
		page.on('pageerror', (error) => pageErrors.push(String(error)));
		page.on('console', (message) => {
			if (message.type() === 'error') pageErrors.push(message.text());
		});
		await open();
	});
	afterEach(async () => {
		await page.context().close();
		expect(pageErrors).toEqual([]);
		expect(sandbox.internalErrors).toEqual([]);
	});

	const button = (name: string) => page.getByRole('button', { name, exact: true });
	const field = (name: string) => page.locator('#sheet').getByLabel(name);
	const row = (name: string) => page.locator('#people article', { hasText: name });
	const waitForToast = (text: string) => page.locator('#toast', { hasText: text }).waitFor();
	const registrationHttp = () => registrationClient(sandbox);
	return {
		sandbox: () => sandbox,
		page: () => page,
		open,
		button,
		field,
		row,
		waitForToast,
		tab: (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }),
		sheetButton: (name: string) =>
			page.locator('#sheet').getByRole('button', { name, exact: true }),
		chooseEvent: (id: number | string) =>
			page.getByLabel('Event', { exact: true }).selectOption(String(id)),
		/** Removes an expected error from the recorded errors of the page. Any other error fails the test. */
		ignorePageError: (text: string) => {
			pageErrors = pageErrors.filter((line) => !line.includes(text));
		},
		registrationHttp,
		eventDataHttp: () => eventDataClient(sandbox),
		/** Advances the clock. Returns a time that all later changes follow. */
		advanceClock: () => {
			sandbox.clock.advance(60_000);
			return new Date(sandbox.clock.now() - 1).toISOString();
		},
		/** Lists the records that the API returns as later than a time. */
		listSince: async (path: string, parameter: string, time: string) =>
			(await registrationHttp().get<Json[]>(path, { params: { [parameter]: time } })).data,
		readLast: async (path: string) => (await registrationHttp().get<Json[]>(path)).data.at(-1)!,
		registerKim: async () => {
			await button('Register a Person').click();
			await field('First name').fill('Kim');
			await field('Last name').fill('Okafor');
			await field('Email address').fill('kim@okafor.example');
			await button('Register').click();
			await waitForToast('Kim Okafor is registered');
			await row('Kim Okafor').waitFor();
		},
	};
}
