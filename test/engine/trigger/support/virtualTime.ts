import type { Clock } from '../../../../nodes/engine/watch';

/** Returns a pseudo-random number generator with a seed (mulberry32). */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

/** Node.js fires a timer with a longer delay at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface Timer {
	dueAtMs: number;
	fire: () => void;
}

/** Simulated time that only passes in `advance()`. Wall-clock time can be set independently of monotonic time. */
export class VirtualTime {
	nowMs = 0;
	/** Difference between wall-clock time and monotonic time. */
	wallClockOffsetMs = Date.UTC(2026, 10, 15);
	/** Sorted by due time; the next timer is the last one. */
	private readonly timers: Timer[] = [];

	readonly clock: Clock = {
		now: () => this.nowMs + this.wallClockOffsetMs,
		monotonic: () => this.nowMs,
	};

	/** Schedules a callback; the returned function cancels it. */
	schedule(delayMs: number, fire: () => void): () => void {
		const timer = { dueAtMs: this.nowMs + Math.max(0, delayMs), fire };
		let low = 0;
		let high = this.timers.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.timers[middle]!.dueAtMs > timer.dueAtMs) low = middle + 1;
			else high = middle;
		}
		this.timers.splice(low, 0, timer);
		return () => {
			const index = this.timers.indexOf(timer);
			if (index >= 0) this.timers.splice(index, 1);
		};
	}

	readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
		new Promise((resolve, reject) => {
			if (!(ms >= 0 && ms <= MAX_TIMER_MS)) throw new Error(`a timer cannot wait ${ms} ms`);
			if (signal?.aborted) return reject(signal.reason as Error);
			const cancel = this.schedule(ms, () => {
				signal?.removeEventListener('abort', onAbort);
				resolve();
			});
			const onAbort = () => {
				cancel();
				reject(signal?.reason as Error);
			};
			signal?.addEventListener('abort', onAbort, { once: true });
		});

	/** Lets time pass and fires the timers that become due. */
	async advance(ms: number): Promise<void> {
		const endMs = this.nowMs + ms;
		await this.settle();
		for (;;) {
			const timer = this.timers.at(-1);
			if (!timer || timer.dueAtMs > endMs) break;
			this.timers.pop();
			this.nowMs = timer.dueAtMs;
			timer.fire();
			await this.settle();
		}
		this.nowMs = endMs;
	}

	/** Resolves when all pending promise callbacks have run. */
	protected settle(): Promise<void> {
		return new Promise((resolve) => process.nextTick(resolve));
	}
}
