import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Starts Debian's Chromium. There is no way to skip: without a browser the tests fail. */
export function openBrowser(): Promise<Browser> {
	return chromium.launch({
		executablePath: '/usr/bin/chromium',
		args: [
			'--headless=new',
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
