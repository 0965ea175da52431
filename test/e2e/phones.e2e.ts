// Protects users of the page of all phones: each decision counts for one person, and a keyboard or narrow window is enough.
import type { Browser, Page } from 'playwright-core';

import { createJobs } from '../../lab/drive/approvalsAndJobs';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { PasswordlessIdentityClient } from '../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../sandbox/twoFactor.fixture';
import { agentRequests } from './phone/agentRequests';
import { openBrowser } from './phone.browser';
import { findAccessibilityViolations } from './support/accessibilityViolations';
import { screenshot } from './support/artifacts';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;
let pageErrors: string[];

beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 1 });
	browser = await openBrowser();
});
afterAll(async () => {
	await (browser as Browser | undefined)?.close();
	await (sandbox as Sandbox | undefined)?.close();
});
beforeEach(() => {
	sandbox.reset();
	pageErrors = [];
});
afterEach(async () => {
	await page.context().close();
	expect(pageErrors).toEqual([]);
	expect(sandbox.internalErrors).toEqual([]);
});

async function open(width: number, colorScheme: 'light' | 'dark' = 'light') {
	const viewport = { width, height: 860 };
	const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	page = await context.newPage();
	page.on('pageerror', (error) => pageErrors.push(String(error)));
	page.on('console', (message) => {
		if (message.type() === 'error') pageErrors.push(message.text());
	});
	await page.goto(sandbox.phonesUrl);
	await page.getByText('Live').waitFor();
}

const listPeople = () => {
	const { user, manager, finance, deputy } = sandbox.demo;
	return { guest: user, manager, finance, deputy };
};
type Holder = keyof ReturnType<typeof listPeople>;

function readUserId(holder: Holder): number {
	const { phone } = listPeople()[holder];
	const [user] = sandbox.control('twoFactor', 'users', { phone }) as [{ twofactor_id: number }];
	return user.twofactor_id;
}

async function requestApproval(
	holder: Holder,
	message: string,
	details: object = {},
): Promise<string> {
	const path = `/onetouch/json/users/${readUserId(holder)}/approval_requests`;
	const { data } = await new TwoFactorClient(sandbox).send('POST', path, { message, details });
	return (data.approval_request as { uuid: string }).uuid;
}

const findPhone = (holder: Holder) => page.getByRole('region', { name: listPeople()[holder].name });
const card = (holder: Holder, text: string) =>
	findPhone(holder).locator('article', { hasText: text });
const button = (holder: Holder, verb: string, text: string) =>
	findPhone(holder).getByRole('button', {
		name: `${verb} as ${listPeople()[holder].name}: ${text}`,
	});
const readStatus = (uuid: string) =>
	(sandbox.control('twoFactor', 'approvals') as Array<{ uuid: string; status: string }>).find(
		(approval) => approval.uuid === uuid,
	)?.status;

it('the page of all phones shows four people side by side, with user IDs to copy', async () => {
	await open(1280);
	const names = await page.getByRole('heading', { level: 2 }).allInnerTexts();
	expect(names.map((text) => text.split('\n'))).toEqual([
		['Robin Castellan', 'The guest'],
		['Morgan Ellery', 'The manager'],
		['Frances Okoye', 'Finance'],
		['Dana Whitlock', 'The deputy'],
	]);
	for (const holder of Object.keys(listPeople()) as Holder[]) {
		const id = `${readUserId(holder)}`;
		expect(await findPhone(holder).locator('code').innerText()).toBe(id);
		await findPhone(holder).getByRole('button', { name: 'Copy user ID' }).click();
		await page.getByText('Copied').waitFor();
		expect(await page.evaluate(async () => await navigator.clipboard.readText())).toBe(id);
	}
	const tops = await page
		.locator('.phone')
		.evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().top));
	expect(new Set(tops).size).toBe(1);
});

it('the page of all phones decides for one person, and the same request of others stays pending', async () => {
	await open(1280);
	const uuids = {
		manager: await requestApproval('manager', 'Refund 20?'),
		finance: await requestApproval('finance', 'Refund 20?'),
		deputy: await requestApproval('deputy', 'Refund 20?'),
	};
	await card('deputy', 'Refund 20?').waitFor();
	expect(await findPhone('guest').getByText('Nothing is waiting.').isVisible()).toBe(true);
	await page.locator('#announcer', { hasText: 'Dana Whitlock: Refund 20?' }).waitFor({
		state: 'attached',
	});
	await button('manager', 'Approve', 'Refund 20?').click();
	await card('manager', 'Refund 20?').waitFor({ state: 'detached' });
	await button('finance', 'Deny', 'Refund 20?').click();
	await card('finance', 'Refund 20?').waitFor({ state: 'detached' });
	expect(Object.values(uuids).map(readStatus)).toEqual(['approved', 'denied', 'pending']);
	expect(await card('deputy', 'Refund 20?').count()).toBe(1);
});

it('the page of all phones signs an identity request with the key of its recipient', async () => {
	await open(1280);
	const [job] = await createJobs(new PasswordlessIdentityClient(sandbox), 1);
	await findPhone('guest')
		.getByRole('button', { name: /^Approve as Robin Castellan: share/ })
		.click();
	await findPhone('guest').getByText('Nothing is waiting.').waitFor();
	const response = await fetch(`${sandbox.addresses.passwordlessIdentity}/scope/${job}`);
	const [, claims] = (await response.text()).split('.');
	expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
		sub: sandbox.demo.user.fingerprint,
		job,
	});
});

it('the page of all phones can be used with the keyboard alone', async () => {
	await open(1280);
	const first = await requestApproval('finance', 'First?');
	await card('finance', 'First?').waitFor();
	await button('finance', 'Approve', 'First?').focus();
	const second = await requestApproval('finance', 'Second?');
	await card('finance', 'Second?').waitFor();
	const readFocusedLabel = () =>
		page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
	// A new request must not move the focus: the user may be about to decide another.
	expect(await readFocusedLabel()).toBe('Approve as Frances Okoye: First?');
	await page.keyboard.press('Enter');
	await card('finance', 'First?').waitFor({ state: 'detached' });
	await page.waitForFunction(
		() =>
			document.activeElement?.getAttribute('aria-label') === 'Approve as Frances Okoye: Second?',
	);
	await page.keyboard.press('Shift+Tab');
	expect(await readFocusedLabel()).toBe('Deny as Frances Okoye: Second?');
	await page.keyboard.press('Space');
	await card('finance', 'Second?').waitFor({ state: 'detached' });
	await page.waitForFunction(() => document.activeElement?.id === 'finance');
	expect([first, second].map(readStatus)).toEqual(['approved', 'denied']);
	await page.keyboard.press('Tab');
	expect(await readFocusedLabel()).toBe('Copy user ID of Frances Okoye');
});

describe.each(['light', 'dark'] as const)(
	'the page of all phones in the %s color scheme',
	(colorScheme) => {
		it.each([400, 1280])(
			'has no accessibility violations and no overflow at %d pixels',
			async (width) => {
				await open(width, colorScheme);
				await requestApproval('manager', 'W'.repeat(140), { Reference: 'x'.repeat(120) });
				await requestApproval('finance', agentRequests.refund.message, {
					...agentRequests.refund.details,
					'Level: Finance': '2 of 3 must approve',
				});
				await createJobs(new PasswordlessIdentityClient(sandbox), 1);
				for (const holder of ['manager', 'finance', 'guest'] as const) {
					await findPhone(holder).locator('article').waitFor();
				}
				await screenshot(page, `phones ${colorScheme} ${width}`);
				expect(await findAccessibilityViolations(page)).toEqual([]);
				const boxes = await page.locator('.phone').evaluateAll((elements) =>
					elements.map((element) => {
						const { left, right } = element.getBoundingClientRect();
						return { left, right };
					}),
				);
				if (width === 400) expect(new Set(boxes.map(({ left }) => left)).size).toBe(1);
				for (const { right } of boxes) expect(right).toBeLessThanOrEqual(width);
				const overflowPx = await page.evaluate(
					() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
				);
				expect(overflowPx).toBe(0);
			},
		);
	},
);
