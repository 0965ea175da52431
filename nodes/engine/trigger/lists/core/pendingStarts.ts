import { StartLedger } from '../../common/core/startLedger';
import type { SavedStart } from './saved';
import type { FollowHooks, FollowOptions, Source } from './types';
import type { OutgoingStart } from './wanted';

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
export class PendingStarts<Followed extends Source> {
	private readonly ledger: StartLedger<SavedStart['changes']>;
	private underWay = 0;
	private waiting: Array<() => void> = [];

	constructor(
		private readonly hooks: Hooks<Followed>,
		private readonly options: Pick<FollowOptions, 'maxUnconfirmed' | 'startAgainForMs'>,
		saved: SavedStart[] = [],
	) {
		this.ledger = new StartLedger(options.startAgainForMs);
		for (const { key, changes, at, told } of saved.slice(-MOST_GIVEN_UP)) {
			const start = { key, subject: changes, requestedAt: at, isExpired: told === true };
			this.ledger.restore(start, hooks.now());
		}
	}

	/** Whether nothing is on its way. */
	get idle(): boolean {
		return this.underWay === 0;
	}

	/** Tells people of starts that were given up, once. */
	reportUnclear(): void {
		const expired = this.ledger.takeExpired();
		const ids = expired.flatMap((changes) => [...new Set(changes.map(([, , id]) => id))]);
		if (ids.length > 0) this.hooks.report({ kind: 'unclear', ids });
	}

	toSaved(): SavedStart[] {
		return this.ledger.all().map(({ key, subject, requestedAt, isExpired }) => ({
			key,
			changes: subject,
			at: requestedAt,
			...(isExpired && { told: true }),
		}));
	}

	/** Takes in that something need not be started any more. */
	drop(key: string): void {
		this.ledger.remove(key);
	}

	/** Has them started in order, as many at a time as may be unconfirmed; resolves when the last one was asked for. */
	async send(starts: Array<OutgoingStart<Followed>>, signal: AbortSignal): Promise<void> {
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
	private sendNow(starts: Array<OutgoingStart<Followed>>, signal: AbortSignal): void {
		const at = this.hooks.now();
		for (const { key, changes, ask } of starts) {
			const told = changes.map(({ source, kind, id }): SavedStart['changes'][0] => [
				source.key,
				kind,
				id,
			]);
			this.ledger.request(key, told, at);
			ask();
		}
		starts.forEach((start, index) => {
			if (index === starts.length - 1) this.hooks.save();
			this.underWay++;
			void this.see(start, signal);
		});
	}

	/** Sees to it that one is started. */
	private async see(start: OutgoingStart<Followed>, signal: AbortSignal): Promise<void> {
		const isStopped = () => signal.aborted;
		for (;;) {
			let retryAfterMs: number;
			try {
				await this.hooks.emit(start);
				break;
			} catch (error) {
				if (isStopped()) return;
				retryAfterMs = this.rejected(start.key, error);
			}
			await this.hooks.sleep(retryAfterMs, signal).catch(() => undefined);
			if (isStopped()) return;
			this.ledger.requestAgain(start.key, this.hooks.now());
		}
		this.drop(start.key);
		start.confirm();
		this.underWay--;
		this.release();
	}

	/** Takes in that one was rejected; gives how long to wait before it is asked for again. */
	private rejected(key: string, error: unknown): number {
		const { retryAfterMs, shouldReport } = this.ledger.reject(key);
		const message = error instanceof Error ? error.message : 'No reason was given';
		if (shouldReport) this.hooks.report({ kind: 'unstarted', message });
		return retryAfterMs;
	}

	/** Whether an earlier life asked for it so long ago that another start might be a second one. It counts as started. */
	private isGivenUp({ key, ask, confirm }: OutgoingStart<Followed>): boolean {
		if (!this.ledger.hasExpired(key, this.hooks.now())) return false;
		this.drop(key);
		ask();
		confirm();
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
