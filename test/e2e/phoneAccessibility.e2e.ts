// Protects users of the phone who have a disability: axe finds no violation in any tab, narrow or wide, light or dark.
import type { Browser, Page } from 'playwright-core';

import { createJobs, decideApproval } from '../../lab/drive/approvalsAndJobs';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { PasswordlessIdentityClient } from '../sandbox/passwordlessIdentity.fixture';
import { agentRequests, askDemoUser } from './phone/agentRequests';
import { openBrowser } from './phone.browser';
import { findAccessibilityViolations } from './support/accessibilityViolations';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 1 });
	browser = await openBrowser();
	for (const request of Object.values(agentRequests)) await askDemoUser(sandbox, request);
	decideApproval(sandbox, await askDemoUser(sandbox, agentRequests.refund), 'denied');
	await createJobs(new PasswordlessIdentityClient(sandbox), 2);
});
afterAll(async () => {
	await (browser as Browser | undefined)?.close();
	await (sandbox as Sandbox | undefined)?.close();
});

describe.each(['light', 'dark'] as const)('the phone in the %s color scheme', (colorScheme) => {
	it.each([390, 1280])('has no accessibility violations at %d pixels', async (width) => {
		const viewport = { width, height: 860 };
		page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
		await page.goto(sandbox.phoneUrl);
		await page.getByText('Live').waitFor();
		for (const kind of ['.approval', '.scopeJob']) {
			await page.locator(`#requests article${kind}`).first().waitFor();
		}
		const violationsByTab: Record<string, string[]> = {};
		for (const tab of await page.getByRole('tab').all()) {
			await tab.click();
			for (const summary of await page.locator('summary:visible').all()) await summary.click();
			violationsByTab[(await tab.textContent())!.trim()] = await findAccessibilityViolations(page);
		}
		await page.close();
		expect(Object.keys(violationsByTab).length).toBeGreaterThan(2);
		expect(Object.entries(violationsByTab).filter(([, list]) => list.length > 0)).toEqual([]);
	});
});
