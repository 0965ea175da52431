import { keyOf } from './digest';
import type { PendingStarts } from './pendingStarts';
import { RepeatedStarts } from './repeatedStarts';
import type { SavedStart } from './saved';
import type { TakenRecord } from './trackedList';
import type { Source } from './types';
import { bundled } from './wanted';
import type { OutgoingStart, WantedChange } from './wanted';

/** So many changes are started together at most. */
const MOST_TOGETHER = 1000;

/** Has changes started: one by one, or all of a round together. What an earlier life asked for goes as it did then. */
export class Outbox<Followed extends Source> {
	private readonly repeatedStarts: RepeatedStarts<Followed>;
	/** Changes that are to be started together. */
	private gathered: Array<WantedChange<Followed>> = [];

	constructor(
		private readonly starts: PendingStarts<Followed>,
		private readonly together: boolean,
		asked?: SavedStart[],
	) {
		this.repeatedStarts = new RepeatedStarts(asked);
	}

	/** Takes in what came of records of a list; resolves when there is room for more. */
	async put(
		source: string,
		taken: Array<TakenRecord<Followed>>,
		signal: AbortSignal,
	): Promise<void> {
		const starts: Array<OutgoingStart<Followed>> = [];
		for (const { again, wanted } of taken) {
			for (const { key, wanted: still } of again) {
				const start = this.repeatedStarts.seen(key, source, still);
				if (start === 'over') this.starts.drop(key);
				else if (start) starts.push(start);
			}
			if (this.together) this.gathered.push(...wanted);
			else starts.push(...wanted.map((one) => bundled(one.key, [one])));
		}
		await this.starts.send(starts, signal);
		while (this.gathered.length >= MOST_TOGETHER) await this.sendGathered(signal);
	}

	/** Sends what was waiting for more of its kind, now that a round is over. */
	async roundOver(isRead: (source: string) => boolean, signal: AbortSignal): Promise<void> {
		await this.starts.send(this.repeatedStarts.rest(isRead), signal);
		await this.sendGathered(signal);
	}

	/** Starts the workflow once with all that was gathered. */
	private async sendGathered(signal: AbortSignal): Promise<void> {
		const wanted = this.gathered.splice(0, MOST_TOGETHER);
		if (wanted.length === 0) return;
		const key = keyOf(...wanted.map((one) => one.key));
		await this.starts.send([bundled(key, wanted)], signal);
	}
}
