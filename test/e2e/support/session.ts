import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';

import { startLab } from '../../../lab/lab';
import type { Lab, LabOptions } from '../../../lab/lab';
import { screenshot } from './artifacts';
import { launchBrowser } from './browser';
import { Editor } from './editor';

/** A lab in a separate folder, and a browser that is signed in to its n8n. */
export interface Session {
	lab: Lab;
	browser: Browser;
	editor: Editor;
	/** Opens another signed-in editor, in the dark theme if `dark` is set. */
	openEditor(options?: { dark?: boolean }): Promise<Editor>;
	/** Ends everything and removes the folder. */
	stop(): Promise<void>;
}

/** Starts a session on free ports. `stop` ends and removes all of it. */
export async function startSession(options: Partial<LabOptions> = {}): Promise<Session> {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-lab-'));
	const lab = await startLab({ userFolder, ...options });
	const browser = await launchBrowser();
	const editor = await Editor.open(browser, lab.n8nUrl);
	await editor.signIn(lab.owner);
	return {
		lab,
		browser,
		editor,
		openEditor: async ({ dark } = {}) =>
			await Editor.open(browser, lab.n8nUrl, { dark, signedIn: editor }),
		async stop() {
			await browser.close();
			await lab.stop();
			await rm(userFolder, { recursive: true, force: true });
		},
	};
}

/** Wraps a test body so that a failure saves a screenshot of the editor. */
export function withScreenshotOnFailure(
	session: () => Session,
	body: (session: Session) => Promise<void>,
) {
	return async () => {
		try {
			await body(session());
		} catch (error) {
			const name = expect.getState().currentTestName ?? 'unnamed';
			await screenshot(session().editor.page, `failed ${name.replaceAll(/\W+/g, ' ').trim()}`);
			throw error;
		}
	};
}
