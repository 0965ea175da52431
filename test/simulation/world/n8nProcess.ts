import * as n8nWorkflow from 'n8n-workflow';

import type { Random } from '../../../sandbox/random';
import type { PackBundle, PackClasses } from './packBundle';
import { createTimers } from './virtualMachine';
import type { VirtualMachine } from './virtualMachine';

/** Resolves never: what a dead process waits for does not come. */
export const never = async (): Promise<never> => await new Promise(() => undefined);

/**
 * A process of n8n with the pack loaded: its own modules, shared state, timers and random numbers. A killed process does
 * nothing more, since none of its timers fire and none of its calls return.
 */
export class N8nProcess {
	private isAlive = true;
	/** Resolves when the process is killed or ends. */
	readonly dead: Promise<void>;
	private markDead!: () => void;
	readonly pack: PackClasses;
	private readonly cancels = new Set<() => void>();

	constructor(
		readonly number: number,
		private readonly machine: VirtualMachine,
		bundle: PackBundle,
		random: Random,
	) {
		this.dead = new Promise((resolve) => (this.markDead = resolve));
		const timers = createTimers((run, ms) => this.schedule(run, ms));
		const sleep = async (ms: number, signal?: AbortSignal) =>
			await machine.sleep(ms, signal).then(async () => await this.ifAlive(undefined));
		this.pack = bundle.load({
			timers,
			random: () => random.next(),
			randomUUID: () => random.uuid(),
			n8nWorkflow: { ...n8nWorkflow, sleep },
		});
	}

	hasEnded(): boolean {
		return !this.isAlive;
	}

	kill(): void {
		this.isAlive = false;
		this.markDead();
		for (const cancel of this.cancels) cancel();
		this.cancels.clear();
	}

	/** Returns a value to the process, unless it was killed meanwhile. */
	async ifAlive<T>(value: T): Promise<T> {
		return this.isAlive ? value : await never();
	}

	private schedule(run: () => void, ms: number): () => void {
		const cancel = this.machine.schedule(ms, () => {
			this.cancels.delete(cancel);
			run();
		});
		this.cancels.add(cancel);
		return () => {
			this.cancels.delete(cancel);
			cancel();
		};
	}
}
