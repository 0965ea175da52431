import { perProcess } from '../n8n/perProcess';

/**
 * Lets whoever works on the same thing do so one after the other, first come, first served; different things do not wait for
 * each other. Where nobody works or waits, nothing is kept.
 */
export class Turns {
	/** Those who wait, by what they wait for; an empty line means that somebody is at work and nobody waits. */
	private readonly lines = new Map<string, Array<() => void>>();

	/** Runs something when its turn has come. Whoever is cancelled while waiting leaves the line at once, and nothing runs. */
	async take<T>(key: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		await this.enter(key, signal);
		try {
			return await run();
		} finally {
			this.leave(key);
		}
	}

	/** How many things somebody works on. */
	get busy(): number {
		return this.lines.size;
	}

	private async enter(key: string, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		const line = this.lines.get(key);
		if (!line) {
			this.lines.set(key, []);
			return;
		}
		await new Promise<void>((resolve, reject) => {
			const comeUp = () => {
				signal?.removeEventListener('abort', giveUp);
				resolve();
			};
			const giveUp = () => {
				line.splice(line.indexOf(comeUp), 1);
				reject(signal!.reason);
			};
			line.push(comeUp);
			signal?.addEventListener('abort', giveUp, { once: true });
		});
	}

	private leave(key: string): void {
		const next = this.lines.get(key)?.shift();
		if (next) next();
		else this.lines.delete(key);
	}
}

/** One line for all executions of this process. */
export const turns = perProcess('people 1', () => new Turns());
