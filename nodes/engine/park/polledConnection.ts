import { Client } from '../http/client';
import { POLL_SEND_OPTIONS, pollOnce } from '../http/pollOnce';
import type { PollDefinition } from '../http/pollOnce';
import { sleep } from '../sleep';
import { systemClock, Watcher } from '../watch';
import type { WatchOptions } from '../watch';
import type { Sender } from './sender';

/**
 * Time between two polls over one connection: thousands of parked executions must overload neither the service nor n8n. A
 * hundred IDs are polled at their own interval (2 seconds by default), 250 every 12 seconds, a thousand every 50 seconds.
 */
const MIN_POLL_GAP_MS = 20;
const POLL_GAP_MS_PER_EXECUTION = 0.2;
const MAX_POLL_GAP_MS = 50;
/**
 * The number of watched IDs is unlimited, because only parked executions add IDs. Ended IDs are not kept, because the
 * watcher has reported each to its listeners.
 */
const UNBOUNDED: Partial<WatchOptions> = { maxWatched: Infinity, maxKnownEnded: 0 };

/** An ID that an execution waits for. Holds no reference to the execution. */
export interface AwaitedId {
	id: string;
	/** User who is expected to answer, if known. */
	subject?: string;
	poll: PollDefinition;
	/** Interval at the beginning of the wait; `pollIntervalAfter` lengthens it. */
	intervalMs: number;
	/** When the wait began, in wall-clock time. */
	since: number;
}

/** Returns an ID that is waited for. It has the subject only if the poll's result depends on it. */
export const toAwaitedId = (
	poll: PollDefinition,
	{ id, subject }: Pick<AwaitedId, 'id' | 'subject'>,
	{ intervalMs, since }: Pick<AwaitedId, 'intervalMs' | 'since'>,
): AwaitedId => ({
	id,
	...(poll.dependsOnSubject && { subject }),
	poll,
	intervalMs,
	since,
});

/** Receives the outcome of an ID; undefined if the outcome is not known. */
type EndListener = (outcome?: string) => void;

/** Polls the IDs that share a poll definition, an interval and a connection, until none is left. */
class SharedIdWatcher {
	private readonly watcher: Watcher;
	private readonly watched = new Map<string, { subject?: string; listeners: Set<EndListener> }>();

	constructor(
		readonly poll: PollDefinition,
		readonly intervalMs: number,
		connection: Pick<PolledConnection, 'sender' | 'waitForSlot'>,
	) {
		this.watcher = new Watcher(
			{
				sleep,
				pollId: async ({ id, subject }) => {
					await connection.waitForSlot();
					const client = new Client(connection.sender.connection, POLL_SEND_OPTIONS);
					const result = await pollOnce(client, poll.request(id), (response) =>
						poll.interpret(response, id, subject),
					);
					// The service may accept the credential again later, so the watcher does not stop and polls these IDs
					// with backoff. It does so for permanent rejections too: once n8n's timer has resumed the execution, the
					// node fails its items.
					if (result.kind === 'credentialRejected')
						return { kind: 'unrecognized', message: result.message };
					// The resumed node polls the ID itself and then reports the service's error.
					return result.kind === 'failed' ? { kind: 'finished', outcome: 'failed' } : result;
				},
				emit: async ({ id, outcome }) => {
					for (const onEnd of this.watched.get(id)?.listeners ?? []) onEnd(outcome);
				},
			},
			{ intervalMs, ...UNBOUNDED },
		);
	}

	/** Polls an ID, and calls `onEnd` when the ID has ended. Returns false if this watcher cannot accept the ID. */
	add(id: string, subject: string | undefined, onEnd: EndListener): boolean {
		// The same ID with another subject needs another poll.
		const entry = this.watched.get(id);
		if (entry && entry.subject !== subject) return false;
		const added = this.watcher.add([{ id, subject }]);
		if (!added.ok) return false;
		this.watched.set(id, { subject, listeners: (entry?.listeners ?? new Set()).add(onEnd) });
		// The ID ended a moment ago, for another execution.
		if (added.alreadyEnded > 0) onEnd();
		return true;
	}

	/** Removes the listener `onEnd`, and stops polling the ID if no listener remains. */
	remove(id: string, onEnd: EndListener): void {
		const listeners = this.watched.get(id)?.listeners;
		if (!listeners?.delete(onEnd) || listeners.size > 0) return;
		this.watched.delete(id);
		this.watcher.drop(id);
	}

	/** Runs until no ID is left. */
	async run(): Promise<void> {
		await this.watcher.run(new AbortController().signal, { untilIdle: true });
	}
}

/** Parked executions that share a connection. All of them use the sender of the execution that parked last. */
export class PolledConnection {
	executionCount = 0;
	private readonly watchers = new Set<SharedIdWatcher>();
	private nextSlotAt = -Infinity;

	constructor(public sender: Sender) {}

	/** Waits until the next poll may be sent. */
	async waitForSlot(): Promise<void> {
		const now = systemClock.monotonic();
		const at = Math.max(now, this.nextSlotAt);
		const gapMs = Math.max(MIN_POLL_GAP_MS, POLL_GAP_MS_PER_EXECUTION * this.executionCount);
		this.nextSlotAt = at + Math.min(gapMs, MAX_POLL_GAP_MS);
		if (at > now) await sleep(at - now);
	}

	/** Polls an ID, and calls `onEnd` when the ID has ended. Returns a function that stops both. */
	watch(
		{ id: rawId, subject, poll }: AwaitedId,
		intervalMs: number,
		onEnd: EndListener,
	): () => void {
		const id = rawId.trim();
		for (const watcher of this.watchers) {
			const isSamePoll = watcher.poll === poll && watcher.intervalMs === intervalMs;
			if (isSamePoll && watcher.add(id, subject, onEnd)) return () => watcher.remove(id, onEnd);
		}
		const watcher = new SharedIdWatcher(poll, intervalMs, this);
		watcher.add(id, subject, onEnd);
		this.watchers.add(watcher);
		void watcher.run().finally(() => this.watchers.delete(watcher));
		return () => watcher.remove(id, onEnd);
	}
}
