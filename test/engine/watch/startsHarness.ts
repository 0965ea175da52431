import { Starts } from '../../../nodes/engine/watch/starts';
import type { PendingStart, StartRequest } from '../../../nodes/engine/watch/starts';
import { VirtualTime } from '../trigger/support/virtualTime';

export const HOUR = 3_600_000;

/** Starts with an n8n that the test controls. */
export class StartsHarness {
	readonly time = new VirtualTime();
	/** The calls in order: `request`, `emit`, `save` and `confirm`, with the key of the start. */
	readonly log: string[] = [];
	/** The messages of reported rejections. */
	readonly reports: string[] = [];
	readonly abort = new AbortController();
	readonly starts: Starts<string>;
	runExecution: (key: string) => Promise<unknown> = async () => 'a run';
	unconfirmedCount = 0;
	/** The largest value that `unconfirmedCount` has had. */
	maxUnconfirmedCount = 0;

	constructor(
		restoredStarts: Array<PendingStart<string>> = [],
		options: Partial<ConstructorParameters<typeof Starts>[1]> = {},
	) {
		this.starts = new Starts<string>(
			{
				save: () => void this.log.push('save'),
				reportRejection: (message) => void this.reports.push(message),
				sleep: this.time.sleep,
				clock: this.time.clock,
			},
			{ repeatStartsForMs: 72 * HOUR, ...options },
		);
		for (const start of restoredStarts) this.starts.restore(start);
	}

	/** A start whose key begins with `+` is the continuation of the start before it. */
	private createStart(key: string): StartRequest<string> {
		return {
			key,
			cause: `of ${key}`,
			emit: async () => {
				this.log.push(`emit ${key}`);
				this.maxUnconfirmedCount = Math.max(this.maxUnconfirmedCount, ++this.unconfirmedCount);
				try {
					return await this.runExecution(key);
				} finally {
					this.unconfirmedCount--;
				}
			},
			markRequested: () => void this.log.push(`request ${key}`),
			markConfirmed: () => void this.log.push(`confirm ${key}`),
			isContinuation: key.startsWith('+'),
		};
	}

	send(...keys: string[]): Promise<void> {
		return this.starts.request(
			keys.map((key) => this.createStart(key)),
			this.abort.signal,
		);
	}

	get savedKeys(): string[] {
		return this.starts.all().map(({ key }) => key);
	}
}

/** Resolves in the next turn of the event loop. */
export const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));
export const createKeys = (count: number) =>
	Array.from({ length: count }, (_, index) => `k${index}`);
/** A start that was requested this long ago, before the last restart. */
export const createSavedStart = (
	time: VirtualTime,
	key: string,
	ageMs: number,
	isExpired = false,
): PendingStart<string> => ({
	key,
	cause: `of ${key}`,
	requestedAt: time.clock.now() - ageMs,
	isExpired,
});
