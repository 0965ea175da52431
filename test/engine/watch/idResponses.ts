import type { PollResult } from '../../../nodes/engine/watch';
import type { WatcherActivation } from './idHistory';

/** Kind of the last responses for an ID, and how many there were in a row. */
interface ResponseStreak {
	kind: PollResult['kind'];
	times: number;
	since: number;
}

/** Responses that the watcher got, as far as they justify an outcome. */
export class ResponseLog {
	private readonly streaks = new Map<string, ResponseStreak>();
	private readonly othersWereFine = new Map<string, boolean>();

	/** Records a response that the watcher gets. A failure of all requests says nothing about one ID. */
	record(
		{ lastGoodResponse, watchedSince }: WatcherActivation,
		id: string,
		{ kind }: PollResult,
		nowMs: number,
	): void {
		if (['unavailable', 'rateLimited', 'failed'].includes(kind)) return;
		const previous = this.streaks.get(id);
		const streak = previous?.kind === kind ? previous : { kind, times: 0, since: nowMs };
		streak.times++;
		this.streaks.set(id, streak);
		if (kind !== 'unrecognized') lastGoodResponse.set(id, nowMs);
		else {
			const fromMs = lastGoodResponse.has(id) ? streak.since : watchedSince.get(id)!;
			this.othersWereFine.set(
				id,
				[...lastGoodResponse].some(([other, when]) => other !== id && when >= fromMs),
			);
		}
	}

	/** Whether the last three responses for an ID, or more, were of this kind. */
	endsWithThree(id: string, kind: PollResult['kind']): boolean {
		const streak = this.streaks.get(id);
		return streak?.kind === kind && streak.times >= 3;
	}

	/** Whether other IDs had good responses while those of this ID were unrecognized. */
	isOnlyUnrecognizedId(id: string): boolean {
		return this.othersWereFine.get(id) === true;
	}
}
