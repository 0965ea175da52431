import { VirtualTime } from '../../engine/trigger/support/virtualTime';

const { setImmediate: nextTurn, Date: RealDate } = globalThis;

/** Turns of the event loop after which nothing is left to run that does not wait for a timer. */
const QUIET_TURNS = 3;

/**
 * Virtual time of the machine that n8n runs on. While it is installed, the process's global timers and clocks are virtual:
 * the pack and n8n-core use them. Time stands still while work is under way that the event loop does not order, such as
 * WebCrypto in its threads.
 */
export class VirtualMachine extends VirtualTime {
	private unorderedWork = 0;

	/** Runs work whose end the event loop does not order. */
	async runUnordered<T>(run: () => Promise<T>): Promise<T> {
		this.unorderedWork++;
		try {
			return await run();
		} finally {
			this.unorderedWork--;
		}
	}

	protected override async settle(): Promise<void> {
		for (let turns = 0; turns < QUIET_TURNS || this.unorderedWork > 0; turns++)
			await new Promise((resolve) => nextTurn(resolve));
	}

	/** Replaces the global timers and clocks; the returned function restores them. */
	install(): () => void {
		const timers = createTimers((run, ms) => this.schedule(ms, run));
		const { clock } = this;
		class VirtualDate extends RealDate {
			constructor(...values: unknown[]) {
				super(...((values.length === 0 ? [clock.now()] : values) as [number]));
			}

			static override now(): number {
				return Math.floor(clock.now());
			}
		}
		const performance = Object.create(globalThis.performance, {
			now: { value: () => clock.monotonic() },
		}) as Performance;
		const subtle = this.orderedSubtle();
		const replaced = { ...timers, Date: VirtualDate, performance };
		const originals = Object.fromEntries(
			Object.keys(replaced).map((name) => [name, globalThis[name as keyof typeof globalThis]]),
		);
		Object.assign(globalThis, replaced);
		return () => {
			Object.assign(globalThis, originals);
			subtle();
		};
	}

	/** Lets time stand still during WebCrypto's calls; the returned function ends that. */
	private orderedSubtle(): () => void {
		const { subtle } = globalThis.crypto;
		const prototype = Object.getPrototypeOf(subtle) as Record<string, unknown>;
		const originals = new Map<string, unknown>();
		for (const name of Object.getOwnPropertyNames(prototype)) {
			const original = prototype[name];
			if (name === 'constructor' || typeof original !== 'function') continue;
			originals.set(name, original);
			const call = (...values: unknown[]) =>
				this.runUnordered(async () => (await original.apply(subtle, values)) as unknown);
			prototype[name] = call;
		}
		return () => {
			for (const [name, original] of originals) prototype[name] = original;
		};
	}
}

/** Node.js waits one millisecond for any delay that is shorter, longer than 2³¹ - 1, or no number. */
const toDelay = (ms: number) => (ms >= 1 && ms < 2 ** 31 ? ms : 1);

/** Creates timer functions. `schedule` returns a function that cancels the timer. */
export function createTimers(schedule: (run: () => void, ms: number) => () => void) {
	const cancels = new Map<number, () => void>();
	let count = 0;
	/** A timer that `clearTimeout` accepts; Node.js accepts its number, too. */
	const toHandle = (id: number) => ({
		ref: () => toHandle(id),
		unref: () => toHandle(id),
		hasRef: () => true,
		[Symbol.toPrimitive]: () => id,
	});
	const clear = (handle: unknown) => {
		const id = Number(handle);
		cancels.get(id)?.();
		cancels.delete(id);
	};
	return {
		setTimeout: (run: (...values: unknown[]) => void, ms = 1, ...values: unknown[]) => {
			const id = ++count;
			const fire = () => {
				cancels.delete(id);
				run(...values);
			};
			cancels.set(id, schedule(fire, toDelay(ms)));
			return toHandle(id);
		},
		setInterval: (run: (...values: unknown[]) => void, ms = 1, ...values: unknown[]) => {
			const id = ++count;
			const repeat = () => {
				cancels.set(id, schedule(repeat, toDelay(ms)));
				run(...values);
			};
			cancels.set(id, schedule(repeat, toDelay(ms)));
			return toHandle(id);
		},
		clearTimeout: clear,
		clearInterval: clear,
	};
}
