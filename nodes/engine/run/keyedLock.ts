import { perProcess } from '../n8n/perProcess';

/**
 * Lets whoever works on the same thing do so one after the other, first come, first served; different things do not wait for
 * each other. Where nobody works or waits, nothing is kept.
 */
export class KeyedLock {
	/** Those who wait, by what they wait for; an empty queue means that somebody is at work and nobody waits. */
	private readonly queues = new Map<string, Array<() => void>>();

	/** Runs something when its turn has come. Whoever is cancelled while waiting leaves the queue at once, and nothing runs. */
	async take<T>(key: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		await this.acquire(key, signal);
		try {
			return await run();
		} finally {
			this.release(key);
		}
	}

	/** How many things somebody works on. */
	get lockedKeyCount(): number {
		return this.queues.size;
	}

	private async acquire(key: string, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		const queue = this.queues.get(key);
		if (!queue) {
			this.queues.set(key, []);
			return;
		}
		await new Promise<void>((resolve, reject) => {
			const grant = () => {
				signal?.removeEventListener('abort', abandon);
				resolve();
			};
			const abandon = () => {
				queue.splice(queue.indexOf(grant), 1);
				reject(signal!.reason);
			};
			queue.push(grant);
			signal?.addEventListener('abort', abandon, { once: true });
		});
	}

	private release(key: string): void {
		const next = this.queues.get(key)?.shift();
		if (next) next();
		else this.queues.delete(key);
	}
}

/** One queue for all executions of this process. */
export const processLock = perProcess('keyed lock 1', () => new KeyedLock());
