// Protects people who review values on the phone: no value looks like another one, although right-to-left letters change the
// order of the digits beside them (Unicode Annex 9).
import type { Browser, Page } from 'playwright-core';

import { toDisplayText } from '../../nodes/engine/review/displayText';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { twoFactor } from '../../sandbox/twoFactor';
import { askDemoUser } from './phone/agentRequests';
import { openBrowser } from './phone.browser';
import { screenshot } from './support/artifacts';

const values: Record<string, unknown> = {
	Amount: '5א00',
	List: ['אבג', 900, 5],
	Arabic: '5 من 900',
	Name: 'שלום, עולם',
};

let sandbox: Sandbox;
let browser: Browser;
let page: Page;
beforeAll(async () => {
	sandbox = await startSandbox({ services: [twoFactor] });
	browser = await openBrowser();
	const createRows = (name: string, write: (value: unknown) => string) =>
		Object.entries(values).map(([key, value]) => [`${name} ${key}`, write(value)]);
	await askDemoUser(sandbox, {
		message: 'Directions',
		details: Object.fromEntries([
			...createRows('Isolated', toDisplayText),
			...createRows('Bare', (value) => (typeof value === 'string' ? value : '[ "אבג", 900, 5 ]')),
		]) as Record<string, string>,
	});
	page = await browser.newPage({ viewport: { width: 390, height: 860 } });
	await page.goto(sandbox.phoneUrl);
	await page.locator('#requests article', { hasText: 'Directions' }).waitFor();
});
afterAll(async () => {
	await (browser as Browser | undefined)?.close();
	await (sandbox as Sandbox | undefined)?.close();
});

/** Reads the digits and the letter alef of a row's value, in their order on the screen from left to right. */
const readDigits = async (name: string) =>
	await page
		.locator('#requests article dl > div', { hasText: name })
		.locator('dd')
		.evaluate((value) => {
			const charactersByPosition: Array<[number, string]> = [];
			const walker = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
			for (let node = walker.nextNode(); node; node = walker.nextNode()) {
				[...node.nodeValue!].forEach((character, index) => {
					if (!/[\dא]/.test(character)) return;
					const range = document.createRange();
					range.setStart(node, index);
					range.setEnd(node, index + 1);
					charactersByPosition.push([range.getBoundingClientRect().left, character]);
				});
			}
			return charactersByPosition
				.sort(([a], [b]) => a - b)
				.map(([, digit]) => digit)
				.join('');
		});

test.each([
	['Amount', '5א00', '500א'],
	['List', 'א9005', '5900א'],
])(
	'the phone shows the digits of %s in the order in which they were written',
	async (name, writtenOrder, reversedOrder) => {
		await screenshot(page, 'phone-directions');
		expect(await readDigits(`Isolated ${name}`)).toBe(writtenOrder);
		expect(await readDigits(`Bare ${name}`)).toBe(reversedOrder);
	},
);
