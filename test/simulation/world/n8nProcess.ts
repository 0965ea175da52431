import * as n8nWorkflow from 'n8n-workflow';
import { AsyncLocalStorage } from 'node:async_hooks';

import type { Random } from '../../../sandbox/random';
import type { PackBundle, PackClasses } from './packBundle';
import { createTimers } from './virtualMachine';
import type { VirtualMachine } from './virtualMachine';

/** Resolves never: what a dead process waits for does not come. */
export const never = async (): Promise<never> => await new Promise(() => undefined);

/** The execution or the trigger (the ID of its node) for which code runs. */
export interface CallerInProcess {
	execution?: string;
	trigger?: string;
}

const running = new AsyncLocalStorage<{ process: N8nProcess; caller: CallerInProcess }>();

/** Machine, code and random numbers of a process, and a hook around its timers. */
export interface ProcessSurroundings {
	machine: VirtualMachine;
	bundle: PackBundle;
	random: Random;
	/** Time after which n8n resumes parked executions; default: the pack's. */
	resumeAfterMs?: number;
	/** Runs the callback of a timer, or not if the process is killed before. */
	fireTimer: (process: N8nProcess, run: () => void) => void;
}

/**
 * A process of n8n with the pack loaded: its own modules, shared state, timers and random numbers. A killed process does
 * nothing more, since none of its timers fire and none of its calls return.
 */
export class N8nProcess {
	private isAlive = true;
	/** Resolves when the process is killed or ends. */
	readonly dead: Promise<void>;
	private markDead!: () => void;
	private loadedPack: PackClasses | undefined;
	private readonly cancels = new Set<() => void>();

	constructor(
		readonly number: number,
		private readonly surroundings: ProcessSurroundings,
	) {
		this.dead = new Promise((resolve) => (this.markDead = resolve));
	}

	/** The pack, loaded when it is first used. */
	get pack(): PackClasses {
		this.loadedPack ??= this.loadPack();
		return this.loadedPack;
	}

	private loadPack(): PackClasses {
		const { machine, bundle, random } = this.surroundings;
		const timers = createTimers((run, ms) => this.schedule(run, ms));
		const sleep = async (ms: number, signal?: AbortSignal) => {
			await machine.sleep(ms, signal);
			await this.ifAlive(undefined);
			this.surroundings.fireTimer(this, () => undefined);
			await this.ifAlive(undefined);
		};
		// The settings that the pack shares in a process hang on n8n's `sleep` (nodes/engine/n8n/perProcess.ts).
		const { resumeAfterMs } = this.surroundings;
		if (resumeAfterMs !== undefined) {
			const shared = new Map([['park times 1', { resumeAfterMs }]]);
			Object.assign(sleep, { [Symbol.for('n8n-nodes-gatehouse')]: shared });
		}
		return bundle.load({
			timers,
			random: () => random.next(),
			randomUUID: () => random.uuid(),
			n8nWorkflow: { ...n8nWorkflow, sleep },
		});
	}

	/** The process whose code is running. Several processes can live at once. */
	static current(): N8nProcess | undefined {
		return running.getStore()?.process;
	}

	/** Returns for what the running code runs. */
	static currentCaller(): CallerInProcess {
		return running.getStore()?.caller ?? {};
	}

	/** Runs code as this process, for an execution or a trigger if one is given. */
	run<T>(code: () => T, caller: CallerInProcess = {}): T {
		return running.run({ process: this, caller }, code);
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
		const { machine, fireTimer } = this.surroundings;
		const caller = N8nProcess.currentCaller();
		const cancel = machine.schedule(ms, () => {
			this.cancels.delete(cancel);
			this.run(() => fireTimer(this, run), caller);
		});
		this.cancels.add(cancel);
		return () => {
			this.cancels.delete(cancel);
			cancel();
		};
	}
}
