import type { Browser, Page } from 'playwright-core';

import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { twoFactor } from '../../sandbox/twoFactor';
import { agentRequests, askDemoUser } from './phone/agentRequests';
import { openBrowser } from './phone.browser';
import { screenshot } from './support/artifacts';

let sandbox: Sandbox;
let browser: Browser;

beforeAll(async () => {
	sandbox = await startSandbox({ services: [twoFactor] });
	browser = await openBrowser();
	for (const request of Object.values(agentRequests)) await askDemoUser(sandbox, request);
});
afterAll(async () => {
	await (browser as Browser | undefined)?.close();
	await (sandbox as Sandbox | undefined)?.close();
});

const cardOf = (page: Page, { message }: { message: string }) =>
	page.locator('#requests article', { hasText: message });

/** Name and value of each row, as a person reads them. */
const readRows = async (page: Page, request: { message: string }) =>
	await cardOf(page, request)
		.locator('dl > div')
		.evaluateAll((rows) =>
			rows.map((row) => [...row.children].map((part) => (part as HTMLElement).innerText)),
		);

describe.each(['light', 'dark'] as const)('what agents ask, on the phone in %s', (colorScheme) => {
	describe.each([390, 1280])('at %d pixels', (width) => {
		let page: Page;
		beforeAll(async () => {
			const viewport = { width, height: 860 };
			page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
			await page.goto(sandbox.phoneUrl);
			await cardOf(page, agentRequests.many).waitFor();
		});
		afterAll(async () => await page.close());

		it.each(Object.entries(agentRequests))(
			'is all there, within the card: %s',
			async (name, request) => {
				const card = cardOf(page, request);
				await card.evaluate((element) => element.scrollIntoView());
				await screenshot(page, `phone ${name} ${colorScheme} ${width}`);
				const expected = Object.entries(request.details).map(([label, value]) => [
					label,
					value === '' ? 'empty' : value,
				]);
				expect(await readRows(page, request)).toEqual(expected);
				const outside = await card.evaluate((element) => {
					const { left, right } = element.getBoundingClientRect();
					return [...element.querySelectorAll('dt, dd')].filter((part) => {
						const box = part.getBoundingClientRect();
						return box.left < left || box.right > right || part.scrollWidth > part.clientWidth + 1;
					}).length;
				});
				expect(outside).toBe(0);
				// Order of the card: question, sender, rows, buttons.
				const parts = await card.locator('> *').evaluateAll((list) => list.map((it) => it.tagName));
				expect(parts.indexOf('DL')).toBeLessThan(parts.indexOf('FOOTER'));
				expect(await card.innerText()).toContain('From Gatehouse Sandbox');
			},
		);

		it('sets code apart from words, and long values below their names', async () => {
			const layoutOf = async (label: string) => {
				const row = cardOf(page, agentRequests.code).locator('dl > div', {
					has: page.getByText(label, { exact: true }),
				});
				return await row.evaluate((element) => {
					const [name, value] = [...element.children] as [Element, Element];
					const below =
						value.getBoundingClientRect().top >= name.getBoundingClientRect().bottom - 1;
					return { below, mono: getComputedStyle(value).fontFamily.includes('monospace') };
				});
			};
			expect(await layoutOf('Tool')).toEqual({ below: false, mono: false });
			expect(await layoutOf('• query')).toEqual({ below: true, mono: true });
			expect(await layoutOf('• settings')).toEqual({ below: true, mono: true });
			expect(await layoutOf('• sender')).toEqual({ below: false, mono: true });
			expect(await layoutOf('• note')).toEqual({ below: true, mono: false });
		});

		it('counts rows where there are many, and only there', async () => {
			const count = Object.keys(agentRequests.many.details).length;
			expect(await cardOf(page, agentRequests.many).innerText()).toContain(`${count} details`);
			expect(await cardOf(page, agentRequests.refund).innerText()).not.toMatch(/\d details/);
		});
	});
});

it('keeps what was decided on in the history', async () => {
	const { details, message } = { ...agentRequests.refund, message: 'Once more?' };
	const uuid = await askDemoUser(sandbox, { details, message });
	sandbox.control('twoFactor', 'decide', { uuid, decision: 'denied' });
	const page = await browser.newPage({ viewport: { width: 390, height: 860 } });
	await page.goto(sandbox.phoneUrl);
	await page.getByRole('tab', { name: /^History/ }).click();
	const row = page.locator('#history article', { hasText: message });
	expect(await row.innerText()).not.toContain(details['• Reason']);
	await row.getByText('Details', { exact: true }).click();
	expect(await row.innerText()).toContain(details['• Reason']);
	expect(await row.innerText()).toContain('Denied');
	await page.close();
});
