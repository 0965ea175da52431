import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** Records a page as one picture per change. */
export class Screencast {
	private readonly frames: Array<{ file: string; takenAtMs: number }> = [];
	private readonly pendingWrites: Array<Promise<void>> = [];

	private constructor(
		private readonly folder: string,
		private readonly name: string,
	) {}

	/** Begins to record a page into a folder. */
	static async start(page: Page, folder: string, name: string): Promise<Screencast> {
		const screencast = new Screencast(folder, name);
		const devtools = await page.context().newCDPSession(page);
		devtools.on('Page.screencastFrame', ({ data, sessionId }) => {
			screencast.addFrame(Buffer.from(data, 'base64'));
			// The page may be closed by now.
			devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
		});
		await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 90 });
		return screencast;
	}

	private addFrame(picture: Buffer): void {
		const file = path.join(this.folder, `${this.name}-${this.frames.length}.jpg`);
		this.frames.push({ file, takenAtMs: Date.now() });
		this.pendingWrites.push(writeFile(file, picture));
	}

	/** Writes the list of pictures from one time to another, each with its duration, in ffmpeg's format. Returns its path. */
	async writeFrameList(fromMs: number, toMs: number): Promise<string> {
		await Promise.all(this.pendingWrites);
		const lines = this.frames.flatMap(({ file, takenAtMs }, index) => {
			const shownFromMs = index === 0 ? fromMs : takenAtMs;
			const seconds = ((this.frames[index + 1]?.takenAtMs ?? toMs) - shownFromMs) / 1000;
			return [`file '${file}'`, `duration ${seconds.toFixed(3)}`];
		});
		const lastFrame = this.frames.at(-1);
		if (!lastFrame) throw new Error(`Nothing was seen of ${this.name}`);
		const list = path.join(this.folder, `${this.name}.txt`);
		// ffmpeg ignores the duration of the last picture unless the picture is listed again.
		await writeFile(list, [...lines, `file '${lastFrame.file}'`, ''].join('\n'));
		return list;
	}
}
