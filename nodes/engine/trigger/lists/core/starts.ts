import type { Asked } from './saved';
import type { FollowHooks, FollowOptions, Source } from './types';
import type { Outgoing } from './wanted';

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
/** So many rejected starts in a row are worth a report. */
const REJECTIONS_UNTIL_REPORTED = 5;
/** How many starts that were given up are remembered. */
const MOST_GIVEN_UP = 1000;

type Hooks<Followed extends Source> = Pick<
	FollowHooks<Followed>,
	'emit' | 'save' | 'report' | 'sleep'
> & { now(): number };

/**
 * The starts that n8n was asked for and has not confirmed, so many at most. One that is rejected is asked for again, more and
 * more rarely. What an earlier life asked for is asked for again with the same key, as long as n8n surely remembers that.
 */
export class Starts<Followed extends Source> {
	private readonly asked = new Map<string, Asked>();
	/** Keys that an earlier life asked n8n for. Of all others it is sure that they were not started if n8n rejects them. */
	private readonly earlier = new Set<string>();
	private underWay = 0;
	private waiting: Array<() => void> = [];
	private rejections = 0;
	private reported = false;
	private unreported: string[] = [];

	constructor(
		private readonly hooks: Hooks<Followed>,
		private readonly options: Pick<FollowOptions, 'maxUnconfirmed' | 'startAgainForMs'>,
		saved: Asked[] = [],
	) {
		for (const one of saved.slice(-MOST_GIVEN_UP)) {
			// A clock that was ahead when n8n was asked, and is right now, would keep it for as long as it was ahead.
			const at = Math.min(one.at, hooks.now());
			this.asked.set(one.key, { ...one, at });
			this.earlier.add(one.key);
			this.isTooOld(one.key);
		}
	}

	/** Whether nothing is on its way. */
	get idle(): boolean {
		return this.underWay === 0;
	}

	/** Tells people of starts that were given up, once. */
	reportUnclear(): void {
		const ids = this.unreported;
		this.unreported = [];
		if (ids.length > 0) this.hooks.report({ kind: 'unclear', ids });
	}

	toSaved(): Asked[] {
		return [...this.asked.values()];
	}

	/** Takes in that something need not be started any more. */
	drop(key: string): void {
		this.asked.delete(key);
		this.earlier.delete(key);
	}

	/** Has them started in order, as many at a time as may be unconfirmed; resolves when the last one was asked for. */
	async send(starts: Array<Outgoing<Followed>>, signal: AbortSignal): Promise<void> {
		const left = starts.filter((start) => !this.isGivenUp(start));
		this.reportUnclear();
		while (left.length > 0 && !signal.aborted) {
			const room = this.options.maxUnconfirmed - this.underWay;
			if (room <= 0) {
				await this.roomOrStop(signal);
				continue;
			}
			this.sendNow(left.splice(0, room), signal);
		}
	}

	/** Asks for several in one turn. n8n saves whenever it is asked and something has changed: so that changes before the last. */
	private sendNow(starts: Array<Outgoing<Followed>>, signal: AbortSignal): void {
		const at = this.hooks.now();
		for (const { key, changes, ask } of starts) {
			this.asked.set(key, {
				key,
				changes: changes.map(({ source, kind, id }) => [source.key, kind, id]),
				at: this.asked.get(key)?.at ?? at,
			});
			ask();
		}
		starts.forEach((start, index) => {
			if (index === starts.length - 1) this.hooks.save();
			this.underWay++;
			void this.see(start, signal);
		});
	}

	/** Sees to it that one is started. */
	private async see(start: Outgoing<Followed>, signal: AbortSignal): Promise<void> {
		const isStopped = () => signal.aborted;
		for (let tries = 0; ; tries++) {
			try {
				await this.hooks.emit(start);
				break;
			} catch (error) {
				if (isStopped()) return;
				this.rejected(error);
			}
			const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 30));
			await this.hooks.sleep(wait, signal).catch(() => undefined);
			if (isStopped()) return;
			const asked = this.asked.get(start.key);
			if (asked && !this.earlier.has(start.key)) asked.at = this.hooks.now();
		}
		this.rejections = 0;
		this.drop(start.key);
		start.confirm();
		this.underWay--;
		this.release();
	}

	private rejected(error: unknown): void {
		this.rejections++;
		if (this.rejections < REJECTIONS_UNTIL_REPORTED || this.reported) return;
		this.reported = true;
		const message = error instanceof Error ? error.message : 'No reason was given';
		this.hooks.report({ kind: 'unstarted', message });
	}

	/** Whether an earlier life asked for it so long ago that another start might be a second one. It counts as started. */
	private isGivenUp({ key, ask, confirm }: Outgoing<Followed>): boolean {
		if (!this.isTooOld(key)) return false;
		this.drop(key);
		ask();
		confirm();
		return true;
	}

	/** Whether it was asked for so long ago; if that is found out just now, people are to be told. */
	private isTooOld(key: string): boolean {
		const asked = this.asked.get(key);
		if (!asked || !this.earlier.has(key)) return false;
		if (asked.told) return true;
		if (this.hooks.now() - asked.at < this.options.startAgainForMs) return false;
		asked.told = true;
		this.unreported.push(...new Set(asked.changes.map(([, , id]) => id)));
		return true;
	}

	private async roomOrStop(signal: AbortSignal): Promise<void> {
		await new Promise<void>((resolve) => {
			const go = () => {
				signal.removeEventListener('abort', go);
				resolve();
			};
			this.waiting.push(go);
			signal.addEventListener('abort', go, { once: true });
		});
	}

	private release(): void {
		const { waiting } = this;
		this.waiting = [];
		for (const go of waiting) go();
	}
}
