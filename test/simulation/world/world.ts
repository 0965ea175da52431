import { createRandom } from '../../../sandbox/random';
import type { Random } from '../../../sandbox/random';
import type { History, NewEvent } from '../history';
import { Crashes } from './crashes';
import type { Crash } from './crashes';
import { N8nProcess, never } from './n8nProcess';
import type { PackBundle } from './packBundle';
import { VirtualMachine } from './virtualMachine';

export interface WorldOptions {
	seed: number;
	bundle: PackBundle;
	crashes: Crash[];
}

/** One simulated world: a machine with n8n's processes, and the record of what happens. All randomness comes from the seed. */
export class World {
	readonly machine = new VirtualMachine();
	readonly history: History = [];
	readonly random: Random;
	readonly crashes: Crashes;
	/** Called after each kill, with the time until n8n is to start again. */
	onKill: (downtimeMs: number) => void = () => undefined;
	deathCount = 0;
	/** How many requests had a fault. */
	faultCount = 0;
	/** Time during which a process of n8n was running. */
	livedMs = 0;
	private processStartedMs = 0;
	private processCount = 0;
	private current: N8nProcess | undefined;

	constructor(private readonly options: WorldOptions) {
		this.random = createRandom(options.seed);
		this.crashes = new Crashes(options.crashes, (downtimeMs) => this.kill(downtimeMs));
	}

	/** The running process; undefined while n8n is down. */
	get process(): N8nProcess | undefined {
		return this.current;
	}

	record(event: NewEvent): void {
		this.history.push({ at: Math.round(this.machine.nowMs), ...event });
	}

	startProcess(): N8nProcess {
		const number = ++this.processCount;
		this.processStartedMs = this.machine.nowMs;
		this.current = new N8nProcess(number, this.machine, this.options.bundle, this.random);
		this.record({ type: 'processStarted', process: number });
		return this.current;
	}

	/** Kills the running process. */
	kill(downtimeMs: number): void {
		const { current } = this;
		if (!current) return;
		this.deathCount++;
		this.endProcess(current, true);
		this.onKill(downtimeMs);
	}

	/** Ends the running process in an orderly way. */
	end(): void {
		if (this.current) this.endProcess(this.current, false);
	}

	private endProcess(ending: N8nProcess, killed: boolean): void {
		this.current = undefined;
		this.livedMs += this.machine.nowMs - this.processStartedMs;
		ending.kill();
		this.record({ type: 'processEnded', process: ending.number, killed });
	}

	/** Sets the wall clock of the machine. */
	stepClock(byMs: number): void {
		this.machine.wallClockOffsetMs += byMs;
		this.record({ type: 'clockStepped', byMs });
	}

	/**
	 * Lets a process cause an effect outside of it. The process may be killed before or after the effect; then the call never
	 * returns.
	 */
	async cause<T>(process: N8nProcess, run: () => Promise<T> | T): Promise<T> {
		if (process.hasEnded()) return await never();
		const effect = ++this.crashes.effectCount;
		this.crashes.strike(effect, 'before');
		if (process.hasEnded()) return await never();
		const result = await run();
		if (!process.hasEnded()) this.crashes.strike(effect, 'after');
		return await process.ifAlive(result);
	}
}
