import { startKeyOf } from './digest';
import type { PendingStarts } from './pendingStarts';
import { RepeatedStarts } from './repeatedStarts';
import type { SavedStart } from './saved';
import type { ProcessedRecord } from './trackedList';
import type { Source } from './types';
import { toOutgoingStart } from './wanted';
import type { OutgoingStart, WantedChange } from './wanted';

/** So many changes are started together at most. */
const MAX_BATCH_SIZE = 1000;

/** Has changes started: one by one, or all of a round together. What an earlier life asked for goes as it did then. */
export class Outbox<Followed extends Source> {
	private readonly repeatedStarts: RepeatedStarts<Followed>;
	/** Changes that are to be started together. */
	private batch: Array<WantedChange<Followed>> = [];

	constructor(
		private readonly pendingStarts: PendingStarts<Followed>,
		private readonly isBatching: boolean,
		savedStarts?: SavedStart[],
	) {
		this.repeatedStarts = new RepeatedStarts(savedStarts);
	}

	/** Takes in what came of records of a list; resolves when there is room for more. */
	async add(
		source: string,
		processed: Array<ProcessedRecord<Followed>>,
		signal: AbortSignal,
	): Promise<void> {
		const starts: Array<OutgoingStart<Followed>> = [];
		for (const { repeated, wanted } of processed) {
			for (const { key, wanted: stillWanted } of repeated) {
				const start = this.repeatedStarts.recordSeen(key, source, stillWanted);
				if (start === 'obsolete') this.pendingStarts.drop(key);
				else if (start) starts.push(start);
			}
			if (this.isBatching) this.batch.push(...wanted);
			else starts.push(...wanted.map((one) => toOutgoingStart(one.key, [one])));
		}
		await this.pendingStarts.send(starts, signal);
		while (this.batch.length >= MAX_BATCH_SIZE) await this.sendBatch(signal);
	}

	/** Sends what was waiting for more of its kind, now that a round is over. */
	async flushRound(wasRead: (source: string) => boolean, signal: AbortSignal): Promise<void> {
		await this.pendingStarts.send(this.repeatedStarts.takeIncomplete(wasRead), signal);
		await this.sendBatch(signal);
	}

	/** Starts the workflow once with all that was gathered. */
	private async sendBatch(signal: AbortSignal): Promise<void> {
		const wanted = this.batch.splice(0, MAX_BATCH_SIZE);
		if (wanted.length === 0) return;
		const key = startKeyOf(...wanted.map((one) => one.key));
		await this.pendingStarts.send([toOutgoingStart(key, wanted)], signal);
	}
}
