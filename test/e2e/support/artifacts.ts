import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const folder = path.resolve(__dirname, '..', 'artifacts');

/** Takes a picture for people to look at: test/e2e/artifacts/<name>.png, blanks turned into dashes. */
export async function screenshot(page: Page, name: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await page.screenshot({ path: path.join(folder, `${name.replaceAll(' ', '-')}.png`) });
}
