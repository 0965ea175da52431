import { StartLedger } from '../../../watch/startLedger';
import type { OutgoingStart } from './changesToStart';
import type { SavedStart } from './listSnapshot';
import type { FollowHooks, FollowOptions, ListDefinition } from './types';

/** At most this many saved starts are restored, the most recent ones. Expired starts count, too. */
const MAX_RESTORED_STARTS = 1000;

type Hooks<Followed extends ListDefinition> = Pick<
	FollowHooks<Followed>,
	'emit' | 'save' | 'report' | 'sleep'
> & { now(): number };

/**
 * The starts that were requested from n8n and are not confirmed. n8n confirms a start when its run has ended. At most
 * `maxUnconfirmed` are in flight. A rejected start is retried with backoff. A start from before the last restart is
 * requested again with the same key, as long as n8n is certain to recognize that key.
 */
export class PendingStarts<Followed extends ListDefinition> {
	private readonly ledger: StartLedger<SavedStart['changes']>;
	private inFlight = 0;
	private waiters: Array<() => void> = [];

	constructor(
		private readonly hooks: Hooks<Followed>,
		private readonly options: Pick<FollowOptions, 'maxUnconfirmed' | 'repeatStartsForMs'>,
		savedStarts: SavedStart[] = [],
	) {
		this.ledger = new StartLedger(options.repeatStartsForMs);
		for (const { key, changes, requestedAt, expired } of savedStarts.slice(-MAX_RESTORED_STARTS)) {
			const start = { key, cause: changes, requestedAt, isExpired: expired === true };
			this.ledger.restore(start, hooks.now());
		}
	}

	/** Whether this process has no start in flight. Restored starts count only once they are sent again. */
	get isIdle(): boolean {
		return this.inFlight === 0;
	}

	/** Reports expired starts, each once. */
	reportExpired(): void {
		const expired = this.ledger.takeExpired();
		const ids = expired.flatMap((changes) => [...new Set(changes.map(([, , id]) => id))]);
		if (ids.length > 0) this.hooks.report({ kind: 'startsUnclear', ids });
	}

	toSaved(): SavedStart[] {
		return this.ledger.all().map(({ key, cause, requestedAt, isExpired }) => ({
			key,
			changes: cause,
			requestedAt,
			...(isExpired && { expired: true }),
		}));
	}

	/** Removes a start that is confirmed or no longer needed. */
	drop(key: string): void {
		this.ledger.remove(key);
	}

	/**
	 * Requests starts in order, within the limit of unconfirmed starts. Skips expired starts. Resolves when the last one is
	 * requested, or when the signal aborts.
	 */
	async send(starts: Array<OutgoingStart<Followed>>, signal: AbortSignal): Promise<void> {
		const unexpired = starts.filter((start) => !this.dropIfExpired(start));
		this.reportExpired();
		while (unexpired.length > 0 && !signal.aborted) {
			const freeSlots = this.options.maxUnconfirmed - this.inFlight;
			if (freeSlots <= 0) {
				await this.waitForRoom(signal);
				continue;
			}
			this.sendNow(unexpired.splice(0, freeSlots), signal);
		}
	}

	/**
	 * Requests several starts in one event-loop turn. At each start n8n 2.41.1 saves static data that has changed. The
	 * `save` hook changes static data, so it is called just before the last start: n8n then saves once, not for each start.
	 */
	private sendNow(starts: Array<OutgoingStart<Followed>>, signal: AbortSignal): void {
		const at = this.hooks.now();
		for (const { key, changes, markRequested } of starts) {
			const cause = changes.map(({ list, kind, id }): SavedStart['changes'][0] => [
				list.key,
				kind,
				id,
			]);
			this.ledger.recordRequest(key, cause, at);
			markRequested();
		}
		starts.forEach((start, index) => {
			if (index === starts.length - 1) this.hooks.save();
			this.inFlight++;
			void this.requestUntilConfirmed(start, signal);
		});
	}

	/** Requests a start, and retries until n8n confirms it or the signal aborts. */
	private async requestUntilConfirmed(
		start: OutgoingStart<Followed>,
		signal: AbortSignal,
	): Promise<void> {
		const isStopped = () => signal.aborted;
		for (;;) {
			let retryAfterMs: number;
			try {
				await this.hooks.emit(start);
				break;
			} catch (error) {
				if (isStopped()) return;
				retryAfterMs = this.noteRejection(start.key, error);
			}
			await this.hooks.sleep(retryAfterMs, signal).catch(() => undefined);
			if (isStopped()) return;
			this.ledger.recordRepeatedRequest(start.key, this.hooks.now());
		}
		this.drop(start.key);
		start.markConfirmed();
		this.inFlight--;
		this.releaseWaiters();
	}

	/** Notes a rejection. Returns how long to wait before the next request. */
	private noteRejection(key: string, error: unknown): number {
		const { retryAfterMs, shouldReport } = this.ledger.recordRejection(key);
		const message = error instanceof Error ? error.message : 'No reason was given';
		if (shouldReport) this.hooks.report({ kind: 'startsRejected', message });
		return retryAfterMs;
	}

	/**
	 * Drops a start from before the last restart that has expired: n8n may have forgotten its key, so another request might
	 * start the workflow twice. The start counts as confirmed.
	 */
	private dropIfExpired({ key, markRequested, markConfirmed }: OutgoingStart<Followed>): boolean {
		if (!this.ledger.expireIfDue(key, this.hooks.now())) return false;
		this.drop(key);
		markRequested();
		markConfirmed();
		return true;
	}

	private async waitForRoom(signal: AbortSignal): Promise<void> {
		await new Promise<void>((resolve) => {
			const resume = () => {
				signal.removeEventListener('abort', resume);
				resolve();
			};
			this.waiters.push(resume);
			signal.addEventListener('abort', resume, { once: true });
		});
	}

	private releaseWaiters(): void {
		const { waiters } = this;
		this.waiters = [];
		for (const resume of waiters) resume();
	}
}
