// Protects reviewers of an agent's tool calls: the phone shows every detail in full and legibly, and later in the history.
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

const findCard = (page: Page, { message }: { message: string }) =>
	page.locator('#requests article', { hasText: message });

/** Reads the name and value of each row, as a person sees them. */
const readRows = async (page: Page, request: { message: string }) =>
	await findCard(page, request)
		.locator('dl > div')
		.evaluateAll((rows) =>
			rows.map((row) => [...row.children].map((part) => (part as HTMLElement).innerText)),
		);

describe.each(['light', 'dark'] as const)(
	'a review request of an agent, on the phone in the %s color scheme',
	(colorScheme) => {
		describe.each([390, 1280])('at %d pixels', (width) => {
			let page: Page;
			beforeAll(async () => {
				const viewport = { width, height: 860 };
				page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
				await page.goto(sandbox.phoneUrl);
				await findCard(page, agentRequests.many).waitFor();
			});
			afterAll(async () => await page.close());

			it.each(Object.entries(agentRequests))(
				'shows all its rows within the card: %s',
				async (name, request) => {
					const card = findCard(page, request);
					await card.evaluate((element) => element.scrollIntoView());
					await screenshot(page, `phone ${name} ${colorScheme} ${width}`);
					const expectedRows = Object.entries(request.details).map(([label, value]) => [
						label,
						value === '' ? 'empty' : value,
					]);
					expect(await readRows(page, request)).toEqual(expectedRows);
					const partsOutside = await card.evaluate((element) => {
						const { left, right } = element.getBoundingClientRect();
						return [...element.querySelectorAll('dt, dd')].filter((part) => {
							const box = part.getBoundingClientRect();
							return (
								box.left < left || box.right > right || part.scrollWidth > part.clientWidth + 1
							);
						}).length;
					});
					expect(partsOutside).toBe(0);
					// Order of the card: question, sender, rows, buttons.
					const parts = await card
						.locator('> *')
						.evaluateAll((list) => list.map((element) => element.tagName));
					expect(parts.indexOf('DL')).toBeLessThan(parts.indexOf('FOOTER'));
					expect(await card.innerText()).toContain('From Gatehouse Sandbox');
				},
			);

			it('shows code in a monospace font, and long values below their names', async () => {
				const readLayout = async (label: string) => {
					const row = findCard(page, agentRequests.code).locator('dl > div', {
						has: page.getByText(label, { exact: true }),
					});
					return await row.evaluate((element) => {
						const [name, value] = [...element.children] as [Element, Element];
						const isBelow =
							value.getBoundingClientRect().top >= name.getBoundingClientRect().bottom - 1;
						return {
							isBelow,
							isMonospace: getComputedStyle(value).fontFamily.includes('monospace'),
						};
					});
				};
				expect(await readLayout('Tool')).toEqual({ isBelow: false, isMonospace: false });
				expect(await readLayout('• query')).toEqual({ isBelow: true, isMonospace: true });
				expect(await readLayout('• settings')).toEqual({ isBelow: true, isMonospace: true });
				expect(await readLayout('• sender')).toEqual({ isBelow: false, isMonospace: true });
				expect(await readLayout('• note')).toEqual({ isBelow: true, isMonospace: false });
			});

			it('shows the number of rows only if there are many', async () => {
				const count = Object.keys(agentRequests.many.details).length;
				expect(await findCard(page, agentRequests.many).innerText()).toContain(`${count} details`);
				expect(await findCard(page, agentRequests.refund).innerText()).not.toMatch(/\d details/);
			});
		});
	},
);

it('the phone shows the details of a decided request in the history', async () => {
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
