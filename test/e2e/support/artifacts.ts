import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const folder = path.resolve(__dirname, '..', 'artifacts');

/** Takes a screenshot: test/e2e/artifacts/<name>.png, with dashes for blanks. */
export async function screenshot(page: Page, name: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await page.screenshot({ path: path.join(folder, `${name.replaceAll(' ', '-')}.png`) });
}
