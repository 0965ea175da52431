import type { IHttpRequestOptions } from 'n8n-workflow';

import { createRandom } from '../../../sandbox/random';
import type { Random } from '../../../sandbox/random';
import type { History, NewEvent } from '../history';
import { Crashes } from './crashes';
import type { Crash, EffectKind } from './crashes';
import { N8nProcess, never } from './n8nProcess';
import type { PackBundle } from './packBundle';
import { VirtualMachine } from './virtualMachine';

export interface WorldOptions {
	seed: number;
	bundle: PackBundle;
	crashes: Crash[];
	/** Time after which n8n resumes parked executions; default: the pack's. */
	resumeAfterMs?: number;
	machine?: VirtualMachine;
}

/** One simulated world: a machine with n8n's processes, and the record of what happens. All randomness comes from the seed. */
export class World {
	readonly machine: VirtualMachine;
	readonly history: History = [];
	readonly random: Random;
	readonly crashes: Crashes;
	/** Called when the last live process was killed, with the time until n8n is to start again. */
	onKill: (downtimeMs: number) => void = () => undefined;
	/** Responds to a request of a process to n8n itself. */
	onLocalRequest: (
		process: N8nProcess,
		request: IHttpRequestOptions,
	) => Promise<{ status: number; body: unknown }> = never;
	deathCount = 0;
	/** How many requests had a fault. */
	faultCount = 0;
	clockStepCount = 0;
	/** Time during which processes of n8n were running. */
	livedMs = 0;
	/** Live processes with the time of their start, the newest last. Two live at once during a slow shutdown or a takeover. */
	private readonly processes = new Map<N8nProcess, number>();
	private processCount = 0;

	constructor(private readonly options: WorldOptions) {
		this.machine = options.machine ?? new VirtualMachine();
		this.random = createRandom(options.seed);
		this.crashes = new Crashes(options.crashes);
	}

	/** The newest live process; undefined while n8n is down. */
	get process(): N8nProcess | undefined {
		return [...this.processes.keys()].at(-1);
	}

	record(event: NewEvent): void {
		this.history.push({ at: Math.round(this.machine.nowMs), ...event });
	}

	startProcess(): N8nProcess {
		const { machine, random } = this;
		const process = new N8nProcess(++this.processCount, {
			machine,
			random,
			bundle: this.options.bundle,
			resumeAfterMs: this.options.resumeAfterMs,
			fireTimer: (owner, run) => this.fireTimer(owner, run),
		});
		this.processes.set(process, machine.nowMs);
		this.record({ type: 'processStarted', process: process.number });
		return process;
	}

	/** Kills all live processes. */
	kill(downtimeMs: number): void {
		if (this.processes.size === 0) return;
		for (const process of this.processes.keys()) this.endProcess(process, true);
		this.onKill(downtimeMs);
	}

	/** Kills one process. Other live processes continue. */
	killProcess(process: N8nProcess, downtimeMs: number): void {
		if (process.hasEnded()) return;
		this.endProcess(process, true);
		if (this.processes.size === 0) this.onKill(downtimeMs);
	}

	/** Ends all live processes in an orderly way. */
	end(): void {
		for (const process of this.processes.keys()) this.endProcess(process, false);
	}

	/** Ends one process. Nothing starts in its place. */
	endProcess(ending: N8nProcess, killed: boolean): void {
		if (ending.hasEnded()) return;
		if (killed) this.deathCount++;
		this.livedMs += this.machine.nowMs - this.processes.get(ending)!;
		this.processes.delete(ending);
		ending.kill();
		this.record({ type: 'processEnded', process: ending.number, killed });
	}

	/** Sets the wall clock of the machine. */
	stepClock(byMs: number): void {
		this.clockStepCount++;
		this.machine.wallClockOffsetMs += byMs;
		this.record({ type: 'clockStepped', byMs });
	}

	/**
	 * Lets a process cause an effect outside of it. The process may be killed before or after the effect, also one that fails;
	 * then the call never returns. `subject` tells effects of one kind apart, such as the path of a request.
	 */
	async cause<T>(
		process: N8nProcess,
		kind: EffectKind,
		run: () => Promise<T> | T,
		subject = '',
	): Promise<T> {
		if (process.hasEnded()) return await never();
		const strike = this.beginEffect(process, kind, subject);
		strike('before');
		if (process.hasEnded()) return await never();
		try {
			return await run();
		} finally {
			if (!process.hasEnded()) strike('after');
			// Neither a result nor an error reaches a process that was killed.
			await process.ifAlive(undefined);
		}
	}

	private beginEffect(process: N8nProcess, kind: EffectKind, subject: string) {
		return this.crashes.begin(kind, subject, (downtimeMs) => this.killProcess(process, downtimeMs));
	}

	private fireTimer(process: N8nProcess, run: () => void): void {
		const strike = this.beginEffect(process, 'timer', '');
		strike('before');
		if (process.hasEnded()) return;
		run();
		strike('after');
	}
}
