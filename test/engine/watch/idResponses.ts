import type { PollResult } from '../../../nodes/engine/watch';
import type { WatcherActivation } from './idHistory';

/** Kind of the last responses for an ID, and how many there were in a row. */
interface ResponseStreak {
	kind: PollResult['kind'];
	count: number;
	sinceMs: number;
}

/** Records the responses that the watcher got, as far as they justify an outcome. */
export class ResponseLog {
	private readonly streaks = new Map<string, ResponseStreak>();
	private readonly otherIdsHadGoodResponses = new Map<string, boolean>();

	/** Records a response that the watcher gets. A failure of all requests says nothing about one ID. */
	record(
		{ lastGoodResponseMs, watchedSinceMs }: WatcherActivation,
		id: string,
		{ kind }: PollResult,
		nowMs: number,
	): void {
		if (['unavailable', 'rateLimited', 'failed'].includes(kind)) return;
		const previous = this.streaks.get(id);
		const streak = previous?.kind === kind ? previous : { kind, count: 0, sinceMs: nowMs };
		streak.count++;
		this.streaks.set(id, streak);
		if (kind !== 'unrecognized') lastGoodResponseMs.set(id, nowMs);
		else {
			const fromMs = lastGoodResponseMs.has(id) ? streak.sinceMs : watchedSinceMs.get(id)!;
			this.otherIdsHadGoodResponses.set(
				id,
				[...lastGoodResponseMs].some(
					([otherId, respondedAtMs]) => otherId !== id && respondedAtMs >= fromMs,
				),
			);
		}
	}

	/** Whether the last three responses for an ID, or more, were of this kind. */
	endsWithThree(id: string, kind: PollResult['kind']): boolean {
		const streak = this.streaks.get(id);
		return streak?.kind === kind && streak.count >= 3;
	}

	/** Whether other IDs had good responses while those of this ID were unrecognized. */
	isOnlyUnrecognizedId(id: string): boolean {
		return this.otherIdsHadGoodResponses.get(id) === true;
	}
}
