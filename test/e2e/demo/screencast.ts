import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** Records a page as one picture per change. */
export class Screencast {
	private readonly frames: Array<{ file: string; at: number }> = [];
	private readonly writing: Array<Promise<void>> = [];

	private constructor(
		private readonly folder: string,
		private readonly name: string,
	) {}

	/** Begins to record a page into a folder. */
	static async start(page: Page, folder: string, name: string): Promise<Screencast> {
		const cast = new Screencast(folder, name);
		const devtools = await page.context().newCDPSession(page);
		devtools.on('Page.screencastFrame', ({ data, sessionId }) => {
			cast.take(Buffer.from(data, 'base64'));
			// The page may be gone by now.
			devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
		});
		await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 90 });
		return cast;
	}

	private take(picture: Buffer): void {
		const file = path.join(this.folder, `${this.name}-${this.frames.length}.jpg`);
		this.frames.push({ file, at: Date.now() });
		this.writing.push(writeFile(file, picture));
	}

	/** A list of the pictures from one moment to another, each with how long it is on show, as ffmpeg reads it. */
	async writeFrameList(from: number, to: number): Promise<string> {
		await Promise.all(this.writing);
		const lines = this.frames.flatMap(({ file, at }, index) => {
			const begins = index === 0 ? from : at;
			const seconds = ((this.frames[index + 1]?.at ?? to) - begins) / 1000;
			return [`file '${file}'`, `duration ${seconds.toFixed(3)}`];
		});
		const lastFrame = this.frames.at(-1);
		if (!lastFrame) throw new Error(`Nothing was seen of ${this.name}`);
		const list = path.join(this.folder, `${this.name}.txt`);
		// ffmpeg passes over the duration of the last one unless it comes again.
		await writeFile(list, [...lines, `file '${lastFrame.file}'`, ''].join('\n'));
		return list;
	}
}
