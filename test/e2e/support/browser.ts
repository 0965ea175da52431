import { existsSync } from 'node:fs';
import { chromium, selectors } from 'playwright-core';
import type { Browser } from 'playwright-core';

const executablePaths = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
];

/** Starts Chromium without a window and without its background requests. `CHROMIUM` names another binary. */
export async function launchBrowser(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM ?? executablePaths.find((path) => existsSync(path));
	if (!executablePath) {
		throw new Error(
			'No Chromium found: install it (on Debian: apt-get install chromium) or set CHROMIUM',
		);
	}
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			// The editor asks npm about community packages; no test may depend on what is outside this machine. Playwright's routing
			// would switch off the cache, and each page load then fetches and compiles the whole editor.
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		],
	});
}
