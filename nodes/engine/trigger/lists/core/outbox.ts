import { toOutgoingStart } from './changesToStart';
import type { OutgoingStart, ProcessedRecord, WantedChange } from './changesToStart';
import { startKeyOf } from './digest';
import type { SavedStart } from './listSnapshot';
import type { PendingStarts } from './pendingStarts';
import { StartsToRepeat } from './startsToRepeat';
import type { ListDefinition } from './types';

/** How many changes one batch has at most. */
const MAX_BATCH_SIZE = 1000;

/**
 * Outbox between the lists and n8n: sends one start per change, or batches all changes of a round. Starts from before the last
 * restart are repeated as they were, as single changes or as the same batch.
 */
export class Outbox<Followed extends ListDefinition> {
	private readonly repeatedStarts: StartsToRepeat<Followed>;
	/** Changes that wait for the end of the round. */
	private batch: Array<WantedChange<Followed>> = [];

	constructor(
		private readonly pendingStarts: PendingStarts<Followed>,
		private readonly batchesChanges: boolean,
		savedStarts?: SavedStart[],
	) {
		this.repeatedStarts = new StartsToRepeat(savedStarts);
	}

	/** Adds the changes of a list's records. Resolves when the outbox has room for more. */
	async add(
		listKey: string,
		processed: Array<ProcessedRecord<Followed>>,
		signal: AbortSignal,
	): Promise<void> {
		const starts: Array<OutgoingStart<Followed>> = [];
		for (const { repeated, wantedChanges } of processed) {
			for (const { key, wantedChange } of repeated) {
				const start = this.repeatedStarts.noteRecordRead(key, listKey, wantedChange);
				if (start === 'obsolete') this.pendingStarts.drop(key);
				else if (start) starts.push(start);
			}
			if (this.batchesChanges) this.batch.push(...wantedChanges);
			else starts.push(...wantedChanges.map((one) => toOutgoingStart(one.key, [one])));
		}
		await this.pendingStarts.send(starts, signal);
		while (this.batch.length >= MAX_BATCH_SIZE) await this.sendBatch(signal);
	}

	/**
	 * Ends a round: sends the repeated starts that stay incomplete, because some of their records no longer exist, and then the
	 * batch.
	 */
	async flushRound(wasRead: (listKey: string) => boolean, signal: AbortSignal): Promise<void> {
		await this.pendingStarts.send(this.repeatedStarts.takeIncomplete(wasRead), signal);
		await this.sendBatch(signal);
	}

	private async sendBatch(signal: AbortSignal): Promise<void> {
		const changes = this.batch.splice(0, MAX_BATCH_SIZE);
		if (changes.length === 0) return;
		const key = startKeyOf(...changes.map((one) => one.key));
		await this.pendingStarts.send([toOutgoingStart(key, changes)], signal);
	}
}
