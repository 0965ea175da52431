import { observeSaves } from '../../n8n/staticData';
import { sleep } from '../../sleep';

/**
 * A save that n8n has not confirmed after this time counts as failed, since n8n does not report failed saves. If a save takes
 * longer and n8n is killed, an acknowledged ID can be lost.
 */
const MAX_SAVE_MS = 30_000;

/**
 * The saves of one workflow's static data that n8n has begun and not confirmed. n8n 2.41.1 does not wait for the save of a
 * start. On PostgreSQL each save uses a connection of the pool, so that an earlier save can reach the database after a later
 * one and overwrite it.
 */
export class UnconfirmedSaves {
	/** Resolves when the present `drain` ends. A new start waits for it: each start begins a save, and the drain would not end. */
	draining: Promise<void> | undefined;
	private count = 0;
	private lastBeganAt = -Infinity;
	private onEmpty: () => void = () => undefined;

	/** Counts the saves of a context's workflow. */
	observe(context: object, onSaved: () => void = () => undefined): void {
		let running = 0;
		const onBegin = () => {
			running++;
			this.count++;
			this.lastBeganAt = performance.now();
		};
		const onEnd = () => {
			// Another observer counts a save that began before this one.
			if (running === 0) return;
			running--;
			this.count = Math.max(0, this.count - 1);
			if (this.count === 0) this.onEmpty();
			onSaved();
		};
		observeSaves(context, onBegin, onEnd);
	}

	/** Resolves when n8n has confirmed all saves that it has begun. Must not be called again before it resolves. */
	async drain(): Promise<void> {
		this.draining = this.waitUntilEmpty();
		await this.draining;
		this.draining = undefined;
		this.count = 0;
	}

	private async waitUntilEmpty(): Promise<void> {
		for (;;) {
			const waitMs = this.lastBeganAt + MAX_SAVE_MS - performance.now();
			if (this.count === 0 || waitMs <= 0) return;
			await within(waitMs, (onEmpty) => (this.onEmpty = onEmpty));
		}
	}

	/** Resolves with whether n8n has saved the data that the caller assigns to this context's static data before it returns. */
	async confirm(context: object): Promise<boolean> {
		return await within(MAX_SAVE_MS, (onSaved) => this.observe(context, onSaved));
	}
}

/** Resolves with true when the listener is called, and with false after `ms`. */
async function within(ms: number, listen: (listener: () => void) => void): Promise<boolean> {
	const heard = new AbortController();
	listen(() => heard.abort());
	return await sleep(ms, heard.signal).then(
		() => false,
		() => true,
	);
}
