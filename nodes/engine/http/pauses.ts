import { perProcess } from '../n8n/perProcess';
import { sleep } from '../sleep';
import { SendRate } from './sendRate';

/** A clock that only ever grows, and a way to wait by it; tests bring their own. */
export interface PauseClock {
	now(): number;
	sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
}

const systemClock: PauseClock = {
	now: () => performance.now(),
	sleep: async (ms, signal) => await sleep(ms, signal),
};

/** How long a request is prepared to wait for others. */
export interface WaitLimits {
	/** The longest pause that it accepts, in milliseconds. */
	longestWaitMs: number;
	/** Until when it waits at most, by the clock. */
	until: number;
}

/** Says that a request must wait longer than it is prepared to; it was not sent. */
export class Paused extends Error {
	constructor(readonly waitMs: number) {
		super('The service asked to wait');
		this.name = 'Paused';
	}
}

/** Whether it is that; by its name, since another version of the pack may have thrown it. */
export const isPaused = (error: unknown): error is Paused =>
	error instanceof Error && error.name === 'Paused';

interface Waiter extends WaitLimits {
	ticket: number;
	/** Whether it could not be sent at once. */
	hadToWait: boolean;
	go(): void;
	fail(error: Error): void;
}

/** Everything of one service that is limited together, from its first rejection until nothing was sent for a while. */
export interface Line {
	notBefore: number;
	/** The same without what chance has added: what the service asked for is what patience is held against. */
	asked: number;
	/** How many requests may be under way: one after a rejection, and more with every success. */
	room: number;
	/** How fast they may follow each other. */
	rate: SendRate;
	underWay: number;
	/** When the last one was answered. */
	lastAnswerAt: number;
	/** By ticket, so that who came first goes first, also after a refusal. */
	waiting: Waiter[];
	asleep: boolean;
}

/** However long the service asks to wait, one is sent after this to see: clocks go wrong, and nobody would notice. */
const LONGEST_PAUSE_MS = 24 * 3_600_000;
/** A pause becomes this much longer at random, so that several processes do not come back in the same moment. */
const JITTER = 0.1;
const LONGEST_JITTER_MS = 1000;
/** By how much the number under way grows with a success: carefully as long as the service's limit is not known. */
const GROWTH = { unknown: 0.25, known: 1 };
/** Time without requests after which the accepted ones are counted anew. */
const IDLE_MS = 1000;
/** Time without requests after which what is known of a limit is forgotten: it may have changed. */
const FORGET_MS = 60_000;
/** Lines that are over are looked for at most this often. */
const SWEEP_MS = 1000;

/**
 * The pauses that services have asked for, shared by all requests of a process: where one was told to slow down, all that are
 * limited together wait, first come first served. After a pause one goes alone, and as long as that goes well they become
 * more; from the second pause on they are spread over time, so that few are rejected. Where no pause was asked for in the
 * last minute, requests pass without a trace.
 */
export class Pauses {
	private tickets = 0;

	private sweptAt = -Infinity;

	constructor(
		/** Only those in use: a line vanishes a minute after its pause and its last request. */
		readonly lines = new Map<string, Line>(),
		private readonly clock: PauseClock = systemClock,
		private readonly random: () => number = Math.random,
	) {}

	/** The present time by the clock that patience goes by. */
	now(): number {
		return this.clock.now();
	}

	/** A number that says who came first. */
	ticket(): number {
		return this.tickets++;
	}

	/** How long a request would have to wait before it may be sent; 0 where no pause is on. */
	waitFor(name: string): number {
		const line = this.current(name);
		return line ? Math.max(0, line.notBefore - this.clock.now()) : 0;
	}

	/**
	 * Waits until a request may be sent. Gives a function to call when it is answered, whatever the answer. Throws Paused
	 * when that would take longer than the request is prepared to wait.
	 */
	async enter(
		name: string,
		ticket: number,
		limits: WaitLimits,
		signal?: AbortSignal,
	): Promise<(well: boolean) => void> {
		const line = this.current(name);
		// Nothing is counted while all is well: most requests never meet a pause.
		if (!line) return () => undefined;
		signal?.throwIfAborted();
		const now = this.clock.now();
		if (isQuiet(line) && now > lastUse(line) + IDLE_MS) line.rate.idled(now);
		const { hadToWait } = await new Promise<Waiter>((resolve, reject) => {
			const cancel = () => {
				settled.abort();
				line.waiting = line.waiting.filter((other) => other !== waiter);
				reject(signal?.reason);
			};
			const settled = new AbortController();
			const settle = (then: () => void) => () => {
				settled.abort();
				signal?.removeEventListener('abort', cancel);
				then();
			};
			const waiter: Waiter = {
				...limits,
				ticket,
				hadToWait: false,
				go: settle(() => resolve(waiter)),
				fail: (error) => settle(() => reject(error))(),
			};
			signal?.addEventListener('abort', cancel);
			const place = line.waiting.findIndex((other) => other.ticket > ticket);
			line.waiting.splice(place < 0 ? line.waiting.length : place, 0, waiter);
			this.serve(name, line);
			// Those before it may be slow: when its patience is over, it is sent away whatever they do.
			const patienceMs = limits.until - this.clock.now() + 1;
			if (settled.signal.aborted || !Number.isFinite(patienceMs)) return;
			void this.clock.sleep(patienceMs, settled.signal).then(
				() => this.serve(name, line),
				() => undefined,
			);
		});
		return (well) => {
			line.underWay--;
			line.lastAnswerAt = this.clock.now();
			if (well) {
				line.rate.succeeded(line.lastAnswerAt, hadToWait);
				line.room += line.rate.isKnown ? GROWTH.known : GROWTH.unknown;
			}
			this.serve(name, line);
		};
	}

	/** Notes that the service asked to wait: nobody is sent before that time is over. */
	pause(name: string, askedMs: number): void {
		this.sweep();
		const now = this.clock.now();
		const ms = Math.min(askedMs, LONGEST_PAUSE_MS);
		const line = this.lines.get(name) ?? {
			notBefore: now,
			asked: now,
			room: 1,
			rate: new SendRate(),
			underWay: 0,
			lastAnswerAt: now,
			waiting: [],
			asleep: false,
		};
		this.lines.set(name, line);
		const jitter = Math.min(LONGEST_JITTER_MS, ms * JITTER) * this.random();
		line.asked = Math.max(line.asked, now + ms);
		line.notBefore = Math.max(line.notBefore, now + ms + jitter);
		line.room = 1;
		line.rate.rejected(now, line.notBefore);
		this.serve(name, line);
	}

	/** Lets go whose turn it is, and sends away who cannot wait so long. */
	private serve(name: string, line: Line): void {
		const now = this.clock.now();
		const waitMs = Math.max(0, line.notBefore - now);
		const askedMs = Math.max(0, line.asked - now);
		const staying: Waiter[] = [];
		for (const waiter of line.waiting) {
			// Who has accepted a pause accepts the little by which it was lengthened.
			const nearly = waitMs > 0 && askedMs === 0;
			const tooLong = !nearly && (askedMs > waiter.longestWaitMs || now + askedMs > waiter.until);
			if (waitMs === 0 && hasRoom(line) && line.rate.waitMs(now) === 0) {
				line.underWay++;
				line.rate.sent(now);
				waiter.go();
			} else if (tooLong) waiter.fail(new Paused(askedMs));
			else {
				waiter.hadToWait = true;
				staying.push(waiter);
			}
		}
		line.waiting = staying;
		const nextMs = Math.max(waitMs, hasRoom(line) ? line.rate.waitMs(now) : 0);
		if (nextMs > 0 && staying.length > 0) void this.nap(name, line, nextMs);
		if (isOver(line, now) && this.lines.get(name) === line) this.lines.delete(name);
	}

	private async nap(name: string, line: Line, ms: number): Promise<void> {
		if (line.asleep) return;
		line.asleep = true;
		await this.clock.sleep(Math.ceil(ms));
		line.asleep = false;
		this.serve(name, line);
	}

	private current(name: string): Line | undefined {
		const line = this.lines.get(name);
		if (!line || !isOver(line, this.clock.now())) return line;
		this.lines.delete(name);
		return undefined;
	}

	private sweep(): void {
		const now = this.clock.now();
		if (now < this.sweptAt + SWEEP_MS) return;
		this.sweptAt = now;
		for (const name of this.lines.keys()) this.current(name);
	}
}

const hasRoom = ({ underWay, room }: Line) => underWay < Math.floor(room);

const isQuiet = ({ underWay, waiting }: Line) => underWay === 0 && waiting.length === 0;

const lastUse = ({ notBefore, lastAnswerAt }: Line) => Math.max(notBefore, lastAnswerAt);

const isOver = (line: Line, now: number) => isQuiet(line) && lastUse(line) + FORGET_MS <= now;

/** The pauses of this process. */
export const pauses = perProcess('pauses 2', () => new Pauses());
