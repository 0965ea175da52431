import { perProcess } from '../n8n/perProcess';

/**
 * Mutex per key: callers with the same key run sequentially, first come, first served; callers with different keys do not wait
 * for each other. A key that is not locked uses no memory.
 */
export class KeyedLock {
	/** The waiting callers of each locked key. An empty queue means that the key is locked and no caller waits. */
	private readonly queues = new Map<string, Array<() => void>>();

	/** Runs a function with the key locked. An abort while waiting rejects at once, without running it; later callers move up. */
	async runExclusive<T>(key: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		await this.acquire(key, signal);
		try {
			return await run();
		} finally {
			this.release(key);
		}
	}

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

/** The lock that all executions of this process share. */
export const processLock = perProcess('keyed lock 1', () => new KeyedLock());
