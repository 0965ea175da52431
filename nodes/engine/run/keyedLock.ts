import { perProcess } from '../n8n/perProcess';

/** The callers of one key: callers that hold the lock, and callers that wait for it. */
interface KeyState {
	holders: number;
	/** Whether the holders share the lock. Otherwise there is only one holder. */
	isShared: boolean;
	queue: LockWaiter[];
}

interface LockWaiter {
	isShared: boolean;
	grant: () => void;
}

/**
 * Lock per key, first come, first served; callers with different keys do not wait for each other. An exclusive caller runs
 * alone. Shared callers run together, but not beside an exclusive caller, and not before an exclusive caller that came
 * earlier. A key that is not locked uses no memory.
 */
export class KeyedLock {
	private readonly states = new Map<string, KeyState>();

	/** `maxShared`: how many shared callers of a key run at the same time. */
	constructor(private readonly maxShared = Infinity) {}

	/** Runs a function with the key locked. An abort while waiting rejects at once, without running it; later callers move up. */
	async runExclusive<T>(key: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		return await this.run(key, false, run, signal);
	}

	/** Runs a function beside other shared callers of the key. Aborts as `runExclusive` does. */
	async runShared<T>(key: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		return await this.run(key, true, run, signal);
	}

	get lockedKeyCount(): number {
		return this.states.size;
	}

	private async run<T>(
		key: string,
		isShared: boolean,
		run: () => Promise<T>,
		signal?: AbortSignal,
	): Promise<T> {
		await this.acquire(key, isShared, signal);
		try {
			return await run();
		} finally {
			const state = this.states.get(key)!;
			state.holders--;
			this.grantNext(key, state);
		}
	}

	private async acquire(key: string, isShared: boolean, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		const state = this.states.get(key) ?? { holders: 0, isShared, queue: [] };
		this.states.set(key, state);
		await new Promise<void>((resolve, reject) => {
			const waiter: LockWaiter = {
				isShared,
				grant: () => {
					signal?.removeEventListener('abort', abandon);
					resolve();
				},
			};
			const abandon = () => {
				state.queue.splice(state.queue.indexOf(waiter), 1);
				this.grantNext(key, state);
				reject(signal!.reason);
			};
			state.queue.push(waiter);
			signal?.addEventListener('abort', abandon, { once: true });
			this.grantNext(key, state);
		});
	}

	/** Grants the lock to all callers at the head of the queue that may have it now. */
	private grantNext(key: string, state: KeyState): void {
		for (let [next] = state.queue; next; [next] = state.queue) {
			const { holders, isShared } = state;
			const mayJoin = isShared && next.isShared && holders < this.maxShared;
			const mayHave = holders === 0 || mayJoin;
			if (!mayHave) return;
			state.queue.shift();
			state.isShared = next.isShared;
			state.holders++;
			next.grant();
		}
		if (state.holders === 0) this.states.delete(key);
	}
}

/** The lock that all executions of this process share. */
export const processLock = perProcess('keyed lock 2', () => new KeyedLock());
