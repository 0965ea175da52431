/* Plays the demo in a real n8n and records it: the editor on the left, the phone on the right. Needs ffmpeg. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { examplesFolder } from '../../../lab/lab';
import { formatReadyMessage } from '../../../lab/messages';
import { NewcomerActions } from '../newcomer/newcomerActions';
import { Phone } from '../newcomer/phone';
import { startSession } from '../support/session';
import type { Session } from '../support/session';
import { Screencast } from './screencast';

const run = promisify(execFile);
const HEIGHT = 800;
const EDITOR_WIDTH = 1280;
const PHONE_WIDTH = 440;
/** Time that a viewer needs to see a change. */
const VIEWING_TIME_MS = 2_000;
const OUTPUT = path.join(__dirname, '..', 'artifacts', 'demo.webm');

async function requireFfmpeg(): Promise<void> {
	await run('ffmpeg', ['-version']).catch(() => {
		throw new Error('No ffmpeg found: install it (on Debian: apt-get install ffmpeg)');
	});
}

/** Runs an example until a person approves on the phone. */
async function signIn({ editor, lab }: Session, phone: Phone): Promise<void> {
	const { page } = editor;
	await page.goto(/Open (\S+\/workflow\/\S+)/.exec(formatReadyMessage(lab))![1]!);
	await page.getByTestId('canvas-node').first().waitFor();
	await page.waitForTimeout(VIEWING_TIME_MS);
	const id = await editor.executeWorkflow();
	await page.waitForTimeout(VIEWING_TIME_MS);
	await phone.approve('Share your details?');
	await editor.waitForRun(id!);
	await page.waitForTimeout(VIEWING_TIME_MS);
	await editor.openNode('Let them in');
	await page.waitForTimeout(VIEWING_TIME_MS);
}

/** Builds a workflow that asks the manager for an approval, and approves on the phone. */
async function askForApproval({ editor, lab }: Session, phone: Phone): Promise<void> {
	const { page, panel } = editor;
	await phone.page.goto(`${lab.sandbox.phoneUrl}?user=manager`);
	const newcomer = new NewcomerActions(editor);
	await newcomer.beginWorkflow();
	await newcomer.addNext('Two-Factor', 'Ask for approval and wait');
	const question = 'Refund 20 to Robin?';
	await panel.pick('twofactorId', lab.sandbox.demo.manager.name);
	await newcomer.type({ Message: question });
	await page.waitForTimeout(VIEWING_TIME_MS);
	const executed = panel.execute();
	await page.waitForTimeout(VIEWING_TIME_MS);
	await phone.approve(question);
	await executed;
	await page.waitForTimeout(2 * VIEWING_TIME_MS);
}

async function main(): Promise<void> {
	await requireFfmpeg();
	const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-demo-'));
	const session = await startSession({ examples: examplesFolder });
	try {
		const { editor, browser, lab } = session;
		await editor.page.setViewportSize({ width: EDITOR_WIDTH, height: HEIGHT });
		const phoneContext = await browser.newContext({
			viewport: { width: PHONE_WIDTH, height: HEIGHT },
		});
		const phone = await Phone.open(phoneContext, lab.sandbox, 'guest');
		const startMs = Date.now();
		const editorScreencast = await Screencast.start(editor.page, folder, 'editor');
		const phoneScreencast = await Screencast.start(phone.page, folder, 'phone');
		await signIn(session, phone);
		await askForApproval(session, phone);
		const endMs = Date.now();
		const inputs = [
			await editorScreencast.writeFrameList(startMs, endMs),
			await phoneScreencast.writeFrameList(startMs, endMs),
		];
		await mkdir(path.dirname(OUTPUT), { recursive: true });
		const scaleFilter = (width: number) => `fps=10,scale=${width}:${HEIGHT},setsar=1`;
		await run('ffmpeg', [
			...['-y', '-loglevel', 'error'],
			...inputs.flatMap((list) => ['-f', 'concat', '-safe', '0', '-i', list]),
			'-filter_complex',
			`[0:v]${scaleFilter(EDITOR_WIDTH)}[a];[1:v]${scaleFilter(PHONE_WIDTH)}[b];[a][b]hstack=inputs=2`,
			...['-c:v', 'libvpx', '-b:v', '1500k', OUTPUT],
		]);
		console.log(
			`The demo is in ${path.relative(process.cwd(), OUTPUT)}, ${Math.round((endMs - startMs) / 1000)} s`,
		);
	} finally {
		await session.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
