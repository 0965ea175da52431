import type { Browser, Page } from 'playwright-core';

import { eventData } from '../../sandbox/eventData';
import { eventRegistration } from '../../sandbox/eventRegistration';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { eventDataClient, registrationClient } from '../sandbox/eventClients';
import type { Json } from '../sandbox/eventClients';
import { openBrowser } from './phone.browser';

/** The fourth event's form demands name and address only; the third's also company and country. */
export const [easy, eventWithRequiredFields] = [1004, 1003];

const TIMEOUT_MS = 20_000;

/** The desk in a browser, opened afresh for each test, and what the API shows of what is done there. */
export function useDesk() {
	let sandbox: Sandbox;
	let browser: Browser;
	let page: Page;
	let problems: string[];

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
		problems = [];
		const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
		page = await context.newPage();
		page.setDefaultTimeout(TIMEOUT_MS);
		page.on('pageerror', (error) => problems.push(String(error)));
		page.on('console', (message) => {
			if (message.type() === 'error') problems.push(message.text());
		});
		await open();
	});
	afterEach(async () => {
		await page.context().close();
		expect(problems).toEqual([]);
		expect(sandbox.internalErrors).toEqual([]);
	});

	const button = (name: string) => page.getByRole('button', { name, exact: true });
	const field = (name: string) => page.locator('#sheet').getByLabel(name);
	const row = (name: string) => page.locator('#people article', { hasText: name });
	const waitForToast = (text: string) => page.locator('#toast', { hasText: text }).waitFor();
	const registrations = () => registrationClient(sandbox);
	return {
		sandbox: () => sandbox,
		page: () => page,
		open,
		button,
		field,
		row,
		waitForToast,
		tab: (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }),
		inSheet: (name: string) => page.locator('#sheet').getByRole('button', { name, exact: true }),
		chooseEvent: (id: number | string) =>
			page.getByLabel('Event', { exact: true }).selectOption(String(id)),
		/** Allows a rejection in the browser's console; any other message there fails the test. */
		expectProblem: (words: string) => {
			problems = problems.filter((line) => !line.includes(words));
		},
		registrations,
		data: () => eventDataClient(sandbox),
		/** Advances the clock. Returns a time that all later changes follow. */
		advanceClock: () => {
			sandbox.clock.advance(60_000);
			return new Date(sandbox.clock.now() - 1).toISOString();
		},
		/** Lists the records that the API returns as later than a moment. */
		listSince: async (path: string, name: string, moment: string) =>
			(await registrations().get<Json[]>(path, { params: { [name]: moment } })).data,
		readLast: async (path: string) => (await registrations().get<Json[]>(path)).data.at(-1)!,
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
